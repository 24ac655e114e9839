"""Steps of one shape for a graphics card, which replays them as a graph of kernels.

A starter is so small that a card waits for its launches: of spark 2,700 kernels a step, which keep
an H200 busy for 21 ms and took 110 ms to launch (28 November 2026). Here documents stand in rows
behind each other and see themselves only, so that every step has one shape, is recorded once, and
is replayed from then on (PyTorch's notes on CUDA graphs).
"""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional
from torch.optim import Optimizer
from transformers import PreTrainedModel

from core.lab.batches import DocumentBatch
from core.sampling.steps import Step, record_on_cuda

PackedRows = np.ndarray[tuple[int, int, int], np.dtype[np.int32]]
"""[what, row, token]: ids, the number of the document in its row (0: none), and whether the token
that follows is a target."""
ROW = 512  # tokens; of 40,000 documents the longest has 370
EAGER_STEPS = 3  # before one is recorded


def packed(part: Iterable[DocumentBatch], rows: int, width: int = ROW) -> Iterator[PackedRows]:
    """All documents once, in order, in steps of so many ``rows``; the last step may be short.

    What is longer than a row is left out.
    """
    step = np.zeros((3, rows, width), dtype=np.int32)
    row = place = number = 0
    for document in (document for batch in part for document in batch.documents()):
        length = len(document.ids)
        if length > width:
            continue
        if place + length > width:
            row, place, number = row + 1, 0, 0
        if row == rows:
            yield step
            step, row = np.zeros_like(step), 0
        number += 1
        end = place + length
        step[0, row, place:end] = document.ids
        step[1, row, place:end] = number
        step[2, row, place + document.prompt_length - 1 : end - 1] = 1
        place = end
    if step[1].any():
        yield step


class PackedStep:
    """One step of ``optimisers`` on packed rows; a card replays it from the fourth on.

    There their rates have to be tensors, and their counts of steps on the device, for a graph to
    read what changes between steps. The attention of ``model`` has to be PyTorch's own (sdpa),
    which takes a mask of booleans.
    """

    def __init__(
        self,
        model: PreTrainedModel,
        optimisers: Sequence[Optimizer],
        rows: int,
        width: int = ROW,
    ) -> None:
        self._model, self._optimisers, self.rows = model, optimisers, rows
        self._packed = torch.zeros((3, rows, width), dtype=torch.int32, device=model.device)
        self._causal = torch.ones((width, width), dtype=torch.bool, device=model.device).tril()
        self._loss = torch.zeros((), device=model.device)
        self._eager_left = EAGER_STEPS
        self._replay: Step | None = None

    def take(self, rows: PackedRows) -> Tensor:
        """Train on ``rows``; the mean loss of their answers' tokens, on the device."""
        self._packed.copy_(torch.from_numpy(rows), non_blocking=True)
        if self._model.device.type == "cuda":
            self._take_on_card()
        else:
            self._compute()
        return self._loss.clone()

    def _take_on_card(self) -> None:
        if self._eager_left:
            self._eager_left -= 1
            with torch.cuda.device(self._model.device):
                self._compute_aside()
        else:
            self._replay = self._replay or record_on_cuda(self._model.device, self._compute)
            self._replay()

    def _compute_aside(self) -> None:
        """What a graph will hold has to be warmed up on a stream of its own."""
        aside = torch.cuda.Stream()
        aside.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(aside):
            self._compute()
        torch.cuda.current_stream().wait_stream(aside)

    def _compute(self) -> None:
        ids, document, is_target = self._packed
        ids = ids.long()
        mask = self._causal & (document[:, :, None] == document[:, None, :])
        in_bf16 = self._model.device.type == "cuda"
        with torch.autocast(self._model.device.type, dtype=torch.bfloat16, enabled=in_bf16):
            inner = self._model.base_model
            states = inner(input_ids=ids, attention_mask=mask[:, None], use_cache=False)
            logits = self._model.get_output_embeddings()(states.last_hidden_state[:, :-1])
        losses = functional.cross_entropy(
            logits.float().flatten(0, 1), ids[:, 1:].flatten(), reduction="none"
        )
        counts = is_target[:, :-1].flatten()
        loss = (losses * counts).sum() / counts.sum()
        for optimiser in self._optimisers:
            optimiser.zero_grad()  # to none: a graph adds to what is there when it is recorded
        torch.autograd.backward(loss)
        torch.nn.utils.clip_grad_norm_(self._model.parameters(), 1.0)
        for optimiser in self._optimisers:
            optimiser.step()
        self._loss.copy_(loss.detach())
