"""Steps of one shape, as a graphics card takes them."""

import numpy as np
import torch
from transformers import PreTrainedModel

from core.lab.batches import foretelling
from core.lab.muon import Float32Muon
from core.lab.packing import PackedStep, packed
from core.lab.pretrain import ReadingPlan, Training
from tests.core.lab.tiny_starter import PAPERS, TINY, fresh_model, read_by, tokenizer


def test_every_document_stands_in_a_row_once() -> None:
    """In the order of the batches, numbered within its row, with the same tokens foretold."""
    words = tokenizer()
    part = read_by(words, PAPERS[:200])
    steps = list(packed(part, rows=2, width=32))
    assert len(steps) > 2
    ids, numbers, foretold = (np.concatenate([step[what] for step in steps]) for what in range(3))
    told = [
        tuple(row[which == number])
        for row, which in zip(ids, numbers, strict=True)
        for number in range(1, which.max() + 1)
    ]
    assert told == [tuple(document.ids) for batch in part for document in batch.documents()]
    wanted = [t for batch in part for t in batch.ids.flatten()[foretelling(batch) + 1]]
    assert ids[:, 1:][foretold[:, :-1] == 1].tolist() == wanted


def test_what_is_longer_than_a_row_is_left_out() -> None:
    """The others are read."""
    part = read_by(tokenizer(), PAPERS[:100])
    lengths = [len(document.ids) for batch in part for document in batch.documents()]
    assert min(lengths) < max(lengths)
    (step,) = packed(part, rows=100, width=max(lengths) - 1)
    assert (step[1] > 0).sum() == sum(length for length in lengths if length < max(lengths))


def test_rows_are_learnt_from_as_batches_are() -> None:
    """One step on the same documents moves the weights alike, and tells one loss."""
    words = tokenizer()
    part = read_by(words, PAPERS[:8])
    assert len(part) == 1
    apart = Training(fresh_model(words), TINY, ReadingPlan(1, 1))
    apart.read(part)
    model = fresh_model(words)
    names = dict(model.named_parameters())
    inner = [one for name, one in names.items() if one.dim() == 2 and "embed" not in name]
    rest = [one for name, one in names.items() if one.dim() != 2 or "embed" in name]
    optimisers = [
        Float32Muon(inner, TINY.matrix_rate, 0.01),
        torch.optim.AdamW(rest, TINY.rate, (0.9, 0.95), weight_decay=0.0),
    ]
    (rows,) = packed(part, rows=8, width=64)
    loss = PackedStep(model, optimisers, 8, 64).take(rows)
    assert abs(float(loss) - apart.progress.loss) < 1e-3
    begun = flat(fresh_model(words))
    moved, wanted = (flat(one) - begun for one in (model, apart.model))
    assert torch.cosine_similarity(moved, wanted, dim=0) > 0.99


def flat(model: PreTrainedModel) -> torch.Tensor:
    return torch.cat([one.detach().flatten() for one in model.parameters()])
