"""Training from nothing, on a model small enough for a test."""

import math
from dataclasses import replace
from pathlib import Path
from random import Random

import torch
from transformers import PreTrainedModel, PreTrainedTokenizerFast

from core.lab.corpus import Document
from core.lab.pretrain import IGNORED, Training, batches, collate, tokenise
from core.lab.starters import StarterShape, build_model, starter, train_tokenizer

TINY = replace(starter("spark"), shape=StarterShape(300, 32, 2, 2, 2, 64), tokens_per_batch=64)
PAPERS = [Document(f"{a} + {b} =", str(a + b)) for a in range(10) for b in range(10)] * 24


def tokenizer() -> PreTrainedTokenizerFast:
    return train_tokenizer(TINY, [f"{d.prompt}\n{d.answer}" for d in PAPERS])


def test_only_answers_and_their_end_are_predicted() -> None:
    """Every target is the next token of an answer; the last one is the end of it."""
    words = tokenizer()
    samples = tokenise(words, [Document("1 + 2 =", "3"), Document("10 + 20 =", "30")])
    batch = collate(samples, words.pad_token_id)
    for row, text in enumerate(("3", "30")):
        targets = [t for t in batch.targets[row].tolist() if t != IGNORED]
        assert words.decode(targets[:-1]) == text
        assert targets[-1] == words.eos_token_id


def test_targets_are_the_tokens_that_follow() -> None:
    """The target at a place is the id at the next one."""
    words = tokenizer()
    batch = collate(tokenise(words, PAPERS[:8]), words.pad_token_id)
    told = batch.targets[:, :-1] != IGNORED
    assert torch.equal(batch.targets[:, :-1][told], batch.ids[:, 1:][told])


def test_every_document_is_read_once() -> None:
    """No token is lost or doubled by the grouping, and no batch is too large."""
    words = tokenizer()
    samples = tokenise(words, PAPERS)
    read = list(batches(samples, words.pad_token_id, Random(1), 64))
    assert sum(batch.tokens for batch in read) == sum(len(s.ids) for s in samples)
    assert all(batch.ids.numel() <= 64 for batch in read)


def fresh_model(words: PreTrainedTokenizerFast) -> PreTrainedModel:
    torch.manual_seed(3)
    return build_model(TINY, words.eos_token_id)


def test_training_learns_and_the_same_seed_learns_the_same() -> None:
    """The loss falls to half of a blind guess, and two trainings of one seed agree to the bit."""
    words = tokenizer()
    samples = tokenise(words, PAPERS)
    first, second = fresh_model(words), fresh_model(words)
    for model in (first, second):
        training = Training(model, TINY, 1)
        training.read(samples, 3)
        assert (training.progress.part, training.progress.parts) == (1, 1)
        assert training.progress.tokens == sum(len(sample.ids) for sample in samples)
        assert training.progress.loss < math.log(TINY.shape.vocabulary) / 2
    assert alike(first, second)


def test_a_training_goes_on_where_it_was_kept(tmp_path: Path) -> None:
    """In another process, to the bit: weights, momenta and rates."""
    words = tokenizer()
    halves = tokenise(words, PAPERS[:400]), tokenise(words, PAPERS[400:800])
    whole = Training(fresh_model(words), TINY, 2)
    for half in halves:
        whole.read(half, 3)
    first = Training(fresh_model(words), TINY, 2)
    first.read(halves[0], 3)
    first.save(tmp_path / "state")
    torch.manual_seed(99)
    model = build_model(TINY, words.eos_token_id)
    second = Training(model, TINY, 2)
    second.restore(tmp_path / "state")
    second.read(halves[1], 3)
    assert alike(model, whole.model)
    assert second.progress.tokens == whole.progress.tokens


def alike(one: PreTrainedModel, other: PreTrainedModel) -> bool:
    pairs = zip(one.parameters(), other.parameters(), strict=True)
    return all(torch.equal(a, b) for a, b in pairs)
