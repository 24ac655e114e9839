from dataclasses import dataclass, replace
from pathlib import Path
from weakref import ReferenceType, ref

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor
from torch.nn import functional
from torch.nn.functional import pad, scaled_dot_product_attention

from core.sampling.lean_cache import PLACES, LeanCache
from core.sampling.lean_weights import LeanWeights, merged_weights
from tests.tiny_models import load_tiny_policy

LAYER = 1


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> LeanWeights:
    """Two layers, four query heads that share two key heads."""
    folder: Path = tmp_path_factory.mktemp("tiny")
    return merged_weights(load_tiny_policy(folder))


@dataclass
class PlainRow:
    """All that one row has seen: [token, head, head_dim]."""

    keys: Tensor
    values: Tensor

    def attend(self, query: Tensor, key: Tensor, value: Tensor) -> Tensor:
        self.keys = torch.cat([self.keys, key[None]])
        self.values = torch.cat([self.values, value[None]])
        heads = (query[None], self.keys, self.values)
        q, k, v = (x.transpose(0, 1)[None] for x in heads)
        return scaled_dot_product_attention(q, k, v, enable_gqa=True).flatten()


@given(
    lengths=st.lists(st.integers(1, 9), min_size=1, max_size=4),
    members=st.integers(1, 4),
    leaving=st.lists(st.integers(0, 2**16 - 1), min_size=1, max_size=PLACES + 3),
)
def test_rows_see_their_prompt_and_themselves_whoever_leaves(
    weights: LeanWeights, lengths: list[int], members: int, leaving: list[int]
) -> None:
    """After every step some rows may leave, whole groups too; the others never notice."""
    random = torch.Generator().manual_seed(sum(leaving) + members)
    shape = weights.shape

    def draw(*size: int) -> Tensor:
        return torch.randn(*size, shape.head_dim, generator=random)

    cache = LeanCache(weights, lengths, members, room=len(leaving))
    rows = []
    for prompt, length in enumerate(lengths):
        keys, values = (draw(shape.kv_heads, length) for _ in range(2))
        cache.fill(LAYER, prompt, keys, values)
        rows += [PlainRow(keys.transpose(0, 1), values.transpose(0, 1))] * members
    rows = [replace(row) for row in rows]
    for step, bits in enumerate(leaving):
        if cache.opened == step:
            cache.open()
        query = draw(len(rows), shape.heads)
        key, value = (draw(len(rows), shape.kv_heads) for _ in range(2))
        cache.show()
        heads = torch.cat([query * shape.head_dim**-0.5, key, value], 1)
        found = cache.attend(LAYER, heads)
        cache.drawn += 1
        expected = [row.attend(*new) for row, *new in zip(rows, query, key, value, strict=True)]
        assert torch.allclose(found, torch.stack(expected), atol=1e-5)
        staying = [i for i in range(len(rows)) if not bits >> i & 1] or [0]
        cache.keep(staying)
        rows = [rows[i] for i in staying]


def test_room_is_made_layer_by_layer(weights: LeanWeights, monkeypatch: pytest.MonkeyPatch) -> None:
    """The old keys and values of one layer are gone before the next one's are copied."""
    seen: list[ReferenceType[Tensor]] = []
    left: list[int] = []

    def noted(own: Tensor, added: tuple[int, ...]) -> Tensor:
        left.append(sum(old() is not None for old in seen))
        seen.append(ref(own))
        return pad(own, added)

    monkeypatch.setattr(functional, "pad", noted)
    LeanCache(weights, [3], members=2, room=4).open()
    assert left == [0, 0]
