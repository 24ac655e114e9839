"""A starter small enough for a test, and what it reads."""

from dataclasses import replace
from random import Random

import torch
from transformers import PreTrainedModel, PreTrainedTokenizerFast

from core.lab.batches import DocumentBatch, batches, tokenise
from core.lab.corpus import Document
from core.lab.starters import StarterShape, build_model, starter, train_tokenizer

TINY = replace(starter("spark"), shape=StarterShape(300, 32, 2, 2, 2, 64), tokens_per_step=256)
PAPERS = [Document(f"{a} + {b} =", str(a + b)) for a in range(10) for b in range(10)] * 24


def tokenizer() -> PreTrainedTokenizerFast:
    """Its vocabulary."""
    return train_tokenizer(TINY, [f"{d.prompt}\n{d.answer}" for d in PAPERS])


def read_by(words: PreTrainedTokenizerFast, documents: list[Document]) -> list[DocumentBatch]:
    """``documents`` in the batches in which they are read."""
    return list(batches(tokenise(words, documents), words.pad_token_id, Random(3), 64))


def fresh_model(words: PreTrainedTokenizerFast) -> PreTrainedModel:
    """The same random weights each time."""
    torch.manual_seed(3)
    return build_model(TINY, words.eos_token_id)
