"""Choosing the next token: from the scores of a whole batch, without a full sum over them in order.

The inverse of the distribution function needs running sums over the vocabulary. Running over a
hundred thousand tokens one after another is what makes sampling slow, so the vocabulary is cut
into blocks: sum the blocks, find the one in which the draw falls, and run through that one alone.
"""

from collections.abc import Callable
from typing import Final

import torch
from torch import Tensor
from torch.nn import functional

from core.errors import ModelError
from core.i18n import together, translatable
from core.paths import HOW_TO_START_OVER

Choose = Callable[[Tensor, Tensor], tuple[Tensor, Tensor]]
"""(logits [row, vocabulary], noise [row]) -> (token [row], log-probability [row])."""

BLOCK: Final = 128
"""Tokens in a block: about the root of a large vocabulary, so both searches are short."""

STRIPE: Final = 16_384
"""Tokens looked at together (a multiple of ``BLOCK``): few enough to stay in a core's cache."""

NARROW: Final = 2_048
"""Up to so many tokens one search over all of them takes less time than two short ones."""

_BELOW_ONE: Final = 1 - 2**-53


def draw(logits: Tensor, noise: Tensor) -> tuple[Tensor, Tensor]:
    """Draw from the softmax at temperature 1: the inverse of its distribution function at noise.

    A token whose probability is zero is never drawn. Sums run in float64, since in float32 the
    tail of a large vocabulary would be lost; within a block of the first sum float32 is enough.
    Apple's graphics cores have no float64, so there the processor draws; it shares their memory.

    Args:
        logits: [row, vocabulary] of any floating type and layout; none all -inf.
        noise: float64 [row], uniform in [0, 1), where ``noise_home`` says.

    Returns:
        Tokens [row], and their log-probabilities as float32 [row], exact to 1e-6; both where
        ``logits`` are. Where those are no numbers the log-probability is none, and the token any:
        to ask here would make the host wait in every step; ``no_numbers`` is to be raised.
    """
    if logits.device.type == "mps":
        token, logprob = draw(logits.cpu(), noise)
        return token.to(logits.device), logprob.to(logits.device)
    if logits.shape[1] <= NARROW:
        scores = logits.float()
        top = scores.amax(-1, keepdim=True)
        upto = (scores - top).exp_().double().cumsum(-1)
        total = upto[:, -1:]
        token = within = _first_above(upto, noise[:, None] * total)
    else:
        top = torch.stack([part.float().amax(-1) for part in logits.split(STRIPE, -1)], -1)
        top = top.amax(-1, keepdim=True)
        sums = _block_sums(logits, top)
        upto = sums.cumsum(-1)
        total = upto[:, -1:]
        at = noise[:, None] * total
        block = _first_above(upto, at)
        rest = at - (upto.gather(1, block) - sums.gather(1, block))
        tokens = block * BLOCK + torch.arange(BLOCK, device=logits.device)
        scores = logits.gather(1, tokens.clamp(max=logits.shape[1] - 1)).float()
        inside = (scores - top).exp_().double()
        inside *= tokens < logits.shape[1]
        within = _first_above(inside.cumsum(-1), rest)
        token = (block * BLOCK + within).clamp_(max=logits.shape[1] - 1)
    logprob = scores.gather(1, within) - top - total.log().float()
    return token.squeeze(1), logprob.squeeze(1)


def noise_home(device: torch.device) -> torch.device:
    """Where noise has to be for ``draw`` to draw on ``device``."""
    return torch.device("cpu") if device.type == "mps" else device


def no_numbers() -> ModelError:
    """What to raise where a log-probability that was drawn is no number."""
    return ModelError(
        together(
            translatable(
                "The model's scores are no numbers any more: it has learnt something too wild "
                "for the precision it runs in."
            ),
            HOW_TO_START_OVER,
        )
    )


def argmax(logits: Tensor, noise: Tensor) -> tuple[Tensor, Tensor]:
    """Take the likeliest token, the first of equals; the log-probability is at temperature 1.

    Arguments and results are those of ``draw``; the noise changes nothing.
    """
    if logits.device.type == "mps":
        chosen, score = argmax(logits.cpu(), noise)
        return chosen.to(logits.device), score.to(logits.device)
    top, token = logits.float().max(-1)
    return token, -_block_sums(logits, top[:, None]).sum(-1).log().float()


def _block_sums(logits: Tensor, top: Tensor) -> Tensor:
    """Sum exp(logits - top) over blocks: [row, token] -> float64 [row, block]."""
    sums = []
    for part in logits.split(STRIPE, -1):
        # Laid out row by row, whatever the layout was: sums over short strides are a tenth as fast.
        wide = part.to(torch.float32, memory_format=torch.contiguous_format)
        weights = (wide - top).exp_()
        missing = -weights.shape[1] % BLOCK
        if missing:
            weights = functional.pad(weights, (0, missing))
        sums.append(weights.view(len(weights), -1, BLOCK).sum(-1))
    return torch.cat(sums, -1).double()


def _first_above(upto: Tensor, at: Tensor) -> Tensor:
    """Index [row, 1] of the first running sum above ``at`` [row, 1].

    Rounding may lift ``at`` to the last sum or beyond it. Held just below, it finds the last that
    adds anything, and not a weightless one after it.
    """
    at = at.clamp(min=0).minimum(upto[:, -1:] * _BELOW_ONE)
    # Among sums that are no numbers it would end behind the last, which brings down a card.
    return torch.searchsorted(upto, at, right=True).clamp_(max=upto.shape[1] - 1)
