from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention

from core.models.memory.compute import ON_CPU, Compute
from core.models.policy.loading import load_policy
from core.models.policy.policy import Policy
from core.sampling.lean_model import LeanCache, LeanModel
from core.sampling.lean_weights import LeanWeights, merged_weights, side_weights
from tests.tiny_models import (
    FAMILIES,
    Family,
    build_tiny_model,
    disturb_adapter,
    load_tiny_policy,
    tiny_spec,
)

LENGTHS = (3, 11, 7)
MEMBERS, STEPS = 2, 4

Make = Callable[[Policy], LeanWeights]


@pytest.fixture(scope="module", params=FAMILIES)
def policy(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Policy:
    """A tiny policy of each family whose adapter matters."""
    policy = load_tiny_policy(tmp_path_factory.mktemp("tiny"), request.param)
    disturb_adapter(policy)
    return policy


def _rows() -> list[torch.Tensor]:
    """Random tokens: a prompt of uneven length and the steps behind it, for each row."""
    generator = torch.Generator().manual_seed(2)
    prompts = [torch.randint(1, 300, (length,), generator=generator) for length in LENGTHS]
    steps = torch.randint(1, 300, (len(LENGTHS) * MEMBERS, STEPS), generator=generator)
    return [torch.cat([prompts[row // MEMBERS], own]) for row, own in enumerate(steps)]


def _prompts() -> tuple[torch.Tensor, torch.Tensor]:
    pairs = zip(_rows()[::MEMBERS], LENGTHS, strict=True)
    return torch.cat([row[:length] for row, length in pairs]), torch.tensor(LENGTHS)


def _expected(policy: Policy) -> torch.Tensor:
    """Log-probabilities [row, step, vocabulary] from lone forwards of transformers."""
    each = [policy.causal_lm(input_ids=row[None], use_cache=False).logits[0] for row in _rows()]
    return torch.stack([scores[-STEPS - 1 :] for scores in each]).log_softmax(-1)


def _stepwise(model: LeanModel) -> torch.Tensor:
    """The same from one read and a step for each token."""
    states, cache = model.read(*_prompts(), MEMBERS, STEPS)
    scores = [model.logits(states)]
    for step in range(STEPS):
        token = torch.stack([row[step - STEPS] for row in _rows()])
        scores.append(model.logits(model.step(token, cache)))
    return torch.stack(scores, 1).float().log_softmax(-1)


@torch.inference_mode()
@pytest.mark.parametrize("make", [merged_weights, side_weights])
def test_it_scores_as_transformers_does(policy: Policy, make: Make) -> None:
    """Every family, uneven prompts, adapter at work: log-probabilities agree within 1e-4."""
    assert torch.allclose(_stepwise(LeanModel(make(policy))), _expected(policy), atol=1e-4)


@torch.inference_mode()
@pytest.mark.parametrize("make", [merged_weights, side_weights])
def test_the_base_is_scored_without_the_adapter(policy: Policy, make: Make) -> None:
    """Weights made inside ``policy.base`` are those of the untrained model."""
    with policy.base():
        scores = _stepwise(LeanModel(make(policy)))
        assert torch.allclose(scores, _expected(policy), atol=1e-4)
    assert not torch.allclose(scores, _expected(policy), atol=1e-2)


@torch.inference_mode()
def test_rows_that_stay_are_not_touched_by_those_that_leave(policy: Policy) -> None:
    """After half of the rows have left, the others score as before."""
    model = LeanModel(merged_weights(policy))
    states, cache = model.read(*_prompts(), MEMBERS, STEPS)
    chosen = torch.tensor([1, 2, 5])
    tokens = torch.stack([row[-STEPS:] for row in _rows()])
    model.step(tokens[:, 0], cache)
    cache.keep(chosen)
    states = model.step(tokens[chosen, 1], cache)
    scores = model.logits(states).log_softmax(-1)
    assert torch.allclose(scores, _expected(policy)[chosen, 2], atol=1e-4)


@torch.inference_mode()
@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("make", [merged_weights, side_weights])
def test_half_precision_stays_near(tmp_path: Path, family: Family, make: Make) -> None:
    """In bfloat16 the scores are no further off than transformers' own are, give or take half."""
    folder = build_tiny_model(tmp_path, family)
    half = Compute(torch.device("cpu"), torch.bfloat16)
    exact, policy = (load_policy(tiny_spec(folder, family), 0, c) for c in (ON_CPU, half))
    disturb_adapter(exact)
    disturb_adapter(policy)
    truth = _expected(exact)
    theirs = (_expected(policy).float() - truth).abs().mean()
    ours = (_stepwise(LeanModel(make(policy))) - truth).abs().mean()
    assert ours < 1.5 * theirs


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
    leaving=st.lists(st.integers(0, 2**16 - 1), min_size=1, max_size=5),
)
def test_rows_see_their_prompt_and_themselves_whoever_leaves(
    weights: LeanWeights, lengths: list[int], members: int, leaving: list[int]
) -> None:
    """After every step some rows may leave, whole groups too; the others never notice."""
    random = torch.Generator().manual_seed(sum(leaving) + members)
    shape = weights.shape

    def draw(*size: int) -> Tensor:
        return torch.randn(*size, shape.head_dim, generator=random)

    width = max(lengths)
    keys, values = (draw(len(lengths), width, shape.kv_heads) for _ in range(2))
    cache = LeanCache(weights, torch.tensor(lengths), members, room=len(leaving))
    cache.fill(LAYER, keys, values)
    rows = [
        PlainRow(keys[prompt, :length], values[prompt, :length])
        for prompt, length in enumerate(lengths)
        for _ in range(members)
    ]
    for bits in leaving:
        query = draw(len(rows), shape.heads)
        key, value = (draw(len(rows), shape.kv_heads) for _ in range(2))
        found = cache.attend(LAYER, query, key, value)
        cache.drawn += 1
        expected = [row.attend(*new) for row, *new in zip(rows, query, key, value, strict=True)]
        assert torch.allclose(found, torch.stack(expected), atol=1e-5)
        staying = [i for i in range(len(rows)) if not bits >> i & 1] or [0]
        cache.keep(torch.tensor(staying))
        rows = [rows[i] for i in staying]
