"""Documents in tokens and in batches."""

from random import Random

from core.lab.batches import batches, collate, target_places, tokenise
from core.lab.corpus import Document
from tests.core.lab.tiny_starter import PAPERS, tokenizer


def test_only_answers_and_their_end_are_predicted() -> None:
    """Every target is the next token of an answer; the last one is the end of it."""
    words = tokenizer()
    samples = tokenise(words, [Document("1 + 2 =", "3"), Document("10 + 20 =", "30")])
    batch = collate(samples, words.pad_token_id)
    targets = batch.ids.flatten()[target_places(batch) + 1]
    end = words.eos_token
    assert words.decode(targets) == f"3{end}30{end}"
    assert len(targets) == batch.answered


def test_every_document_is_read_once() -> None:
    """No token is lost or doubled by the grouping, and no batch is too large."""
    words = tokenizer()
    samples = tokenise(words, PAPERS)
    read = list(batches(samples, words.pad_token_id, Random(1), 64))
    assert all(batch.ids.size <= 64 for batch in read)
    told = [(tuple(one.ids), one.prompt_length) for batch in read for one in batch.documents()]
    assert sorted(told) == sorted((tuple(one.ids), one.prompt_length) for one in samples)
