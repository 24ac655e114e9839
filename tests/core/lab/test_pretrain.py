"""Training from nothing, on a model small enough for a test."""

import math
from pathlib import Path

import pytest
import torch
from transformers import PreTrainedModel

from core.lab.pretrain import ReadingPlan, Training
from core.lab.starters import build_model
from tests.core.lab.tiny_starter import PAPERS, TINY, fresh_model, read_by, tokenizer


def test_rates_rise_stay_and_fall() -> None:
    """At the peak for the steady parts; a twentieth of it at the end."""
    plan = ReadingPlan(parts=4, steady=3.0)
    assert plan.rate(0.2) == 0.25
    assert [plan.rate(read) for read in (1, 2, 3)] == [1, 1, 1]
    assert plan.rate(3.5) == pytest.approx(0.525)
    assert plan.rate(4) == pytest.approx(0.05)


def test_training_learns_and_the_same_seed_learns_the_same() -> None:
    """The loss falls to half of a blind guess, and two trainings of one seed agree to the bit."""
    words = tokenizer()
    part = read_by(words, PAPERS)
    first, second = fresh_model(words), fresh_model(words)
    for model in (first, second):
        training = Training(model, TINY, ReadingPlan(1, 0.5))
        training.read(part)
        assert training.progress.part == 1
        assert training.progress.tokens == sum(batch.tokens for batch in part)
        assert training.progress.loss < math.log(TINY.shape.vocabulary) / 2
    assert alike(first, second)


def test_a_training_goes_on_where_it_was_kept(tmp_path: Path) -> None:
    """In another process, to the bit: weights, momenta and rates."""
    words = tokenizer()
    halves = read_by(words, PAPERS[:400]), read_by(words, PAPERS[400:800])
    plan = ReadingPlan(2, 1.5)
    whole = Training(fresh_model(words), TINY, plan)
    for half in halves:
        whole.read(half)
    first = Training(fresh_model(words), TINY, plan)
    first.read(halves[0])
    first.save(tmp_path / "state")
    torch.manual_seed(99)
    model = build_model(TINY, words.eos_token_id)
    second = Training(model, TINY, plan)
    second.restore(tmp_path / "state")
    second.read(halves[1])
    assert alike(model, whole.model)
    assert second.progress.tokens == whole.progress.tokens


def alike(one: PreTrainedModel, other: PreTrainedModel) -> bool:
    pairs = zip(one.parameters(), other.parameters(), strict=True)
    return all(torch.equal(a, b) for a, b in pairs)
