"""The loop, on a stand-in for llama.cpp that keeps its rules and checks that they are kept."""

from pathlib import Path
from typing import cast

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from core.sampling.drawing import draw
from core.sampling.llama_decoding import DecodingTask, LlamaRows, decode
from core.sampling.llama_library import Ids
from core.sampling.llama_runtime import LlamaRuntime
from tests.llama_models import build_model, make_gguf, needs_llama

VOCABULARY = 7
END = 0


class FakeRuntime:
    """Sequences as lists; the next token's scores are a function of all tokens so far."""

    def __init__(self) -> None:
        self.sequences: list[list[int]] = []
        self.tokens_at_once = 25
        self.passes = 0

    def open_context(self, rows: int, length: int) -> None:
        self.sequences = [[] for _ in range(rows)]
        self.length = length

    def copy(self, source: int, target: int) -> None:
        self.sequences[target] = list(self.sequences[source])

    def forget(self, row: int) -> None:
        self.sequences[row] = []

    def decode(
        self, tokens: Ids, positions: Ids, rows: Ids, wanted: NDArray[np.bool_]
    ) -> NDArray[np.float32]:
        assert len(tokens) <= self.tokens_at_once
        assert set(np.diff(rows).tolist()) <= {0, 1}, "a gap costs a pass over all weights"
        self.passes += 1
        scores = []
        for token, position, row, is_wanted in zip(tokens, positions, rows, wanted, strict=True):
            assert len(self.sequences[row]) == position, "a position is off"
            self.sequences[row].append(int(token))
            assert len(self.sequences[row]) <= self.length
            if is_wanted:
                scores.append(_scores(self.sequences[row]))
        return np.array(scores, np.float32)


def _scores(sequence: list[int]) -> NDArray[np.float64]:
    return np.random.default_rng(sequence).normal(size=VOCABULARY)


def _expected(prompt: list[int], noise: torch.Tensor) -> list[int]:
    """One member, token by token, all by itself."""
    ids: list[int] = []
    for number in noise:
        logits = torch.from_numpy(_scores([*prompt, *ids]).astype(np.float32))
        ids.append(int(draw(logits[None], number[None])[0]))
        if ids[-1] == END:
            break
    return ids


def _run(prompts: list[list[int]], members: int, rows: int) -> tuple[LlamaRows, torch.Tensor]:
    generator = torch.Generator().manual_seed(len(prompts))
    noise = torch.rand((len(prompts), members, 5), dtype=torch.float64, generator=generator)
    runtime = cast("LlamaRuntime", FakeRuntime())
    return decode(runtime, DecodingTask(prompts, noise, END, draw), rows), noise


@given(
    prompts=st.lists(
        st.lists(st.integers(0, VOCABULARY - 1), min_size=1, max_size=20), min_size=1, max_size=6
    ),
    members=st.integers(1, 7),
    rows=st.integers(1, 12),
)
def test_every_member_gets_what_it_would_get_alone(
    prompts: list[list[int]], members: int, rows: int
) -> None:
    """Whatever the groups, their sizes and the rows there are, company changes nothing."""
    drawn, noise = _run(prompts, members, rows)
    for prompt, tokens in enumerate(prompts):
        for member in range(members):
            row = prompt * members + member
            expected = _expected(tokens, noise[prompt, member])
            assert drawn.ids[row, : drawn.lengths[row]].tolist() == expected


def test_logprobs_are_those_of_the_distribution_drawn_from() -> None:
    """Natural logarithms at temperature 1."""
    drawn, _ = _run([[1, 2], [3, 4, 5]], 3, 4)
    first = torch.from_numpy(_scores([1, 2])).log_softmax(-1)
    assert drawn.logprobs[0, 0] == pytest.approx(float(first[drawn.ids[0, 0]]), abs=1e-5)


def test_a_prompt_is_read_once_for_its_group() -> None:
    """One pass for all prompts and at most one for each further token."""
    runtime = FakeRuntime()
    noise = torch.rand((2, 6, 5), dtype=torch.float64)
    decode(cast("LlamaRuntime", runtime), DecodingTask([[1], [2, 3]], noise, END, draw), 12)
    assert runtime.passes <= 5


@needs_llama
def test_the_stand_in_keeps_the_rules_of_llama_cpp(tmp_path: Path) -> None:
    """With the real one, too, few rows and many give the same completions.

    But for one or two, since llama.cpp rounds otherwise where a batch has another size.
    """
    gguf = make_gguf(build_model(tmp_path / "model"), tmp_path / "model.gguf")
    runtime = LlamaRuntime(gguf, threads=1)
    generator = torch.Generator().manual_seed(4)
    noise = torch.rand((4, 3, 10), dtype=torch.float64, generator=generator)
    prompts = [list(range(5, 8 + 3 * i)) for i in range(4)]
    task = DecodingTask(prompts, noise, END, draw)
    many, few = decode(runtime, task, 12), decode(runtime, task, 4)
    runtime.close()
    same = (many.ids == few.ids).all(axis=1)
    assert same.sum() >= 10
    assert many.lengths[same].tolist() == few.lengths[same].tolist()
    assert np.allclose(many.logprobs[same], few.logprobs[same], atol=0.05)
