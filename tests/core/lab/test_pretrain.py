"""Training from nothing, on a model small enough for a test."""

import math
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
import torch
from transformers import PreTrainedModel, PreTrainedTokenizerFast

from core.lab.corpus import Document
from core.lab.pretrain import (
    DocumentBatch,
    ReadingPlan,
    Training,
    batches,
    collate,
    foretelling,
    side_by_side,
    tokenise,
)
from core.lab.starters import StarterShape, build_model, starter, train_tokenizer

TINY = replace(starter("spark"), shape=StarterShape(300, 32, 2, 2, 2, 64), tokens_per_step=256)
PAPERS = [Document(f"{a} + {b} =", str(a + b)) for a in range(10) for b in range(10)] * 24


def tokenizer() -> PreTrainedTokenizerFast:
    return train_tokenizer(TINY, [f"{d.prompt}\n{d.answer}" for d in PAPERS])


def test_only_answers_and_their_end_are_predicted() -> None:
    """Every target is the next token of an answer; the last one is the end of it."""
    words = tokenizer()
    samples = tokenise(words, [Document("1 + 2 =", "3"), Document("10 + 20 =", "30")])
    batch = collate(samples, words.pad_token_id)
    end = words.eos_token
    assert words.decode(foretold(batch)) == f"3{end}30{end}"
    assert len(foretold(batch)) == batch.answered


def test_every_document_is_read_once() -> None:
    """No token is lost or doubled by the grouping, and no batch is too large."""
    words = tokenizer()
    samples = tokenise(words, PAPERS)
    read = list(batches(samples, words.pad_token_id, Random(1), 64))
    assert sum(batch.tokens for batch in read) == sum(len(s.ids) for s in samples)
    assert all(batch.ids.size <= 64 for batch in read)


def test_batches_side_by_side_are_what_they_were_apart() -> None:
    """The same documents with the same targets; what is padded is no part of them."""
    words = tokenizer()
    apart = read_by(words, PAPERS[:40])
    together = side_by_side(apart)
    assert together.ids.shape[1] > min(batch.ids.shape[1] for batch in apart)
    assert foretold(together) == [token for batch in apart for token in foretold(batch)]


def foretold(batch: DocumentBatch) -> list[int]:
    """The tokens that are predicted, row by row."""
    return [int(token) for token in batch.ids.flatten()[foretelling(batch) + 1]]


def read_by(words: PreTrainedTokenizerFast, documents: list[Document]) -> list[DocumentBatch]:
    return list(batches(tokenise(words, documents), words.pad_token_id, Random(3), 64))


def test_rates_rise_stay_and_fall() -> None:
    """At the peak for the steady parts; a twentieth of it at the end."""
    plan = ReadingPlan(parts=4, steady=3.0)
    assert plan.rate(0.2) == 0.25
    assert [plan.rate(read) for read in (1, 2, 3)] == [1, 1, 1]
    assert plan.rate(3.5) == pytest.approx(0.525)
    assert plan.rate(4) == pytest.approx(0.05)


def fresh_model(words: PreTrainedTokenizerFast) -> PreTrainedModel:
    torch.manual_seed(3)
    return build_model(TINY, words.eos_token_id)


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
