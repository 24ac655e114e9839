"""What a starter reads, in batches: puzzles with right answers, in tokens."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

import numpy as np
from transformers import PreTrainedTokenizerFast

from core.lab.corpus import Document

PAGE = 8_192  # documents that are sorted by length together
BATCH = 512  # tokens that go through a processor at once, padding counted
"""Documents of one length are mostly of one kind, so a step of few batches would learn two or three
kinds and disturb the others. Eight batches a step reach in 0.6 million tokens nearly the loss that
two reach in a million, and cost a fifth of the speed."""


@dataclass(frozen=True, slots=True)
class TokenizedDocument:
    """One document in tokens."""

    ids: np.ndarray[tuple[int], np.dtype[np.uint16]]  # prompt, completion, end
    prompt_length: int


@dataclass(frozen=True, slots=True)
class DocumentBatch:
    """Documents of similar length side by side, padded on the right."""

    ids: np.ndarray[tuple[int, int], np.dtype[np.uint16]]  # [row, token]
    prompts: np.ndarray[tuple[int], np.dtype[np.int64]]  # [row], tokens of the prompt
    lengths: np.ndarray[tuple[int], np.dtype[np.int64]]  # [row], tokens in all, without padding

    @property
    def tokens(self) -> int:
        """Without padding."""
        return int(self.lengths.sum())

    @property
    def answered(self) -> int:
        """Tokens of answers, their ends among them."""
        return int((self.lengths - self.prompts).sum())

    def documents(self) -> Iterator[TokenizedDocument]:
        """The documents one by one, without padding."""
        for row, prompt, length in zip(self.ids, self.prompts, self.lengths, strict=True):
            yield TokenizedDocument(row[:length], int(prompt))


def tokenise(
    tokenizer: PreTrainedTokenizerFast, documents: Sequence[Document]
) -> list[TokenizedDocument]:
    """Encode documents as the policy will: prompt and completion apart, then the end token."""
    prompts = tokenizer([d.prompt.strip() + "\n" for d in documents], add_special_tokens=False)
    answers = tokenizer([d.answer for d in documents], add_special_tokens=False)
    end = tokenizer.eos_token_id
    return [
        TokenizedDocument(np.array([*prompt, *answer, end], dtype=np.uint16), len(prompt))
        for prompt, answer in zip(prompts["input_ids"], answers["input_ids"], strict=True)
    ]


def batches(
    samples: Sequence[TokenizedDocument], pad_id: int, rng: Random, tokens: int = BATCH
) -> Iterator[DocumentBatch]:
    """All documents once, those of similar length side by side so that little is padded.

    Documents stay in their page of the corpus; within it batches come in random order, since
    neighbours of one length are of one task. ``tokens`` bounds a batch, padding counted, unless
    one document alone is longer.
    """
    for start in range(0, len(samples), PAGE):
        page = sorted(samples[start : start + PAGE], key=lambda sample: len(sample.ids))
        rows = list(_fill(page, tokens))
        rng.shuffle(rows)
        for row in rows:
            yield collate(row, pad_id)


def _fill(samples: Sequence[TokenizedDocument], tokens: int) -> Iterator[list[TokenizedDocument]]:
    row: list[TokenizedDocument] = []
    for sample in samples:  # in ascending length, so the newest is the longest
        if row and len(sample.ids) * (len(row) + 1) > tokens:
            yield row
            row = []
        row.append(sample)
    yield row


def collate(samples: Sequence[TokenizedDocument], pad_id: int) -> DocumentBatch:
    """Pad ``samples`` on the right; causal attention keeps the padding out of sight."""
    lengths = np.array([len(sample.ids) for sample in samples])
    ids = np.full((len(samples), lengths.max()), pad_id, dtype=np.uint16)
    ids[np.arange(ids.shape[1]) < lengths[:, None]] = np.concatenate([s.ids for s in samples])
    return DocumentBatch(ids, np.array([s.prompt_length for s in samples]), lengths)


def target_places(batch: DocumentBatch) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Places in the flat ``batch.ids`` behind which a token of an answer or its end comes."""
    following = np.arange(1, batch.ids.shape[1] + 1)
    is_answer = (following >= batch.prompts[:, None]) & (following < batch.lengths[:, None])
    return np.flatnonzero(is_answer)
