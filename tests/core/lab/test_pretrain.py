"""Training from nothing, on a model small enough for a test."""

import math
from dataclasses import replace
from random import Random

import torch
from transformers import PreTrainedModel, PreTrainedTokenizerFast

from core.lab.corpus import Document
from core.lab.pretrain import IGNORED, Tick, batches, collate, tokenise, train
from core.lab.starters import StarterShape, build_model, starter, train_tokenizer

TINY = replace(
    starter("spark"),
    shape=StarterShape(300, 32, 2, 2, 2, 64),
    tokens_per_batch=64,
)
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
    ticks: list[Tick] = []
    first, second = fresh_model(words), fresh_model(words)
    train(first, TINY, samples, 3, ticks.append)
    train(second, TINY, samples, 3, lambda _: None)
    assert ticks[-1].step == ticks[-1].steps
    assert ticks[-1].loss < math.log(TINY.shape.vocabulary) / 2
    pairs = zip(first.parameters(), second.parameters(), strict=True)
    assert all(torch.equal(a, b) for a, b in pairs)
