"""Steps of one shape, as a graphics card takes them."""

import math

import numpy as np
import torch
from transformers import PreTrainedModel

from core.lab.batches import target_places
from core.lab.packing import PackedStep, packed
from core.lab.pretrain import ReadingPlan, Training, optimisers
from tests.core.lab.tiny_starter import PAPERS, TINY, fresh_model, read_by, tokenizer
from tests.stand_in_device import counting, stand_in


def test_every_document_stands_in_a_row_once() -> None:
    """In the order of the batches, numbered within its row, with the same targets."""
    words = tokenizer()
    part = read_by(words, PAPERS[:200])
    steps = list(packed(part, rows=2, width=32))
    assert len(steps) > 2
    ids, numbers, targets = (np.concatenate([step[what] for step in steps]) for what in range(3))
    told = [
        tuple(row[which == number])
        for row, which in zip(ids, numbers, strict=True)
        for number in range(1, which.max() + 1)
    ]
    assert told == [tuple(document.ids) for batch in part for document in batch.documents()]
    wanted = [t for batch in part for t in batch.ids.flatten()[target_places(batch) + 1]]
    assert ids[:, 1:][targets[:, :-1] == 1].tolist() == wanted


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
    (rows,) = packed(part, rows=8, width=64)
    loss = PackedStep(model, optimisers(model, TINY), 8, 64).take(rows)
    assert abs(float(loss) - apart.progress.loss) < 1e-3
    begun = flat(fresh_model(words))
    moved, wanted = (flat(one) - begun for one in (model, apart.model))
    assert torch.cosine_similarity(moved, wanted, dim=0) > 0.99


def test_a_device_is_waited_for_once_a_part() -> None:
    """When its loss is told: a step that asked for anything could not be recorded. It learns."""
    words = tokenizer()
    training = Training(fresh_model(words), TINY, ReadingPlan(1, 1), str(stand_in()))
    with counting() as waits:
        training.read(read_by(words, PAPERS[:600]))
    assert waits.count == 1
    assert training.progress.loss < math.log(TINY.shape.vocabulary) - 0.3


def flat(model: PreTrainedModel) -> torch.Tensor:
    return torch.cat([one.detach().flatten() for one in model.parameters()])
