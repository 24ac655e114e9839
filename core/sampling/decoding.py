"""The decoding loop: prompts in, drawn tokens out.

A prompt is read once for its whole group. All rows of all groups then take each step together, and
rows that have ended leave the batch once that saves more than closing the gaps costs.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor

from core.sampling.drawing import Choose
from core.sampling.lean_model import LeanModel

WORTH_LEAVING: Final = 1 / 8
"""Share of a batch that must have ended before the gaps are closed: that copies the cache."""


@dataclass(frozen=True, slots=True)
class SampledRows:
    """What was drawn; past the first end-of-sequence token a row means nothing."""

    ids: Tensor  # [row, step]
    logprobs: Tensor  # float32 [row, step]


def decode(
    model: LeanModel, prompts: Sequence[Sequence[int]], noise: Tensor, eos_id: int, choose: Choose
) -> SampledRows:
    """Complete every prompt; call it in inference mode.

    Args:
        model: what to draw from.
        prompts: token ids, none empty.
        noise: uniform float64 [prompt, member, step], on the processor; says how many members a
            group has and how many tokens a completion may have, and decides each of them.
        eos_id: the token that ends a completion.
        choose: ``draw`` or ``argmax``.

    Returns:
        The tokens of row ``prompt * members + member``, on the model's device.
    """
    _, members, budget = noise.shape
    noise = noise.flatten(0, 1)  # of the rows that are still in the batch
    ids = torch.full(noise.shape, eos_id, device=model.device)
    logprobs = torch.zeros(noise.shape, device=model.device)
    states, cache = model.read(*_joined(prompts, model.device), members, budget)
    rows = torch.arange(len(noise), device=model.device)  # where in the result each row goes
    going = torch.ones_like(rows, dtype=torch.bool)
    for step in range(budget):
        token, logprob = choose(model.logits(states), noise[:, step])
        ids[rows, step], logprobs[rows, step] = token, logprob
        going &= token != eos_id
        left = int(going.sum())
        if step + 1 == budget or left == 0:
            break
        if left <= len(rows) * (1 - WORTH_LEAVING):
            chosen = going.nonzero().squeeze(1)
            rows, token, going = rows[chosen], token[chosen], going[chosen]
            noise = noise[chosen.cpu()]
            cache.keep(chosen)
        states = model.step(token, cache)
    return SampledRows(ids, logprobs)


def _joined(prompts: Sequence[Sequence[int]], device: torch.device) -> tuple[Tensor, Tensor]:
    """Prompts one after another: ids [token] and lengths [prompt]."""
    ids = [i for prompt in prompts for i in prompt]
    lengths = [len(prompt) for prompt in prompts]
    return torch.tensor(ids, device=device), torch.tensor(lengths, device=device)
