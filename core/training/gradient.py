"""The gradient of a whole update, in passes that fit into the memory there is."""

import logging
from collections.abc import Sequence
from typing import Final, Literal

import torch
from torch import Tensor

from core.models.memory.budget import (
    Budget,
    SharedBudget,
    free_leftovers,
    require_memory,
    return_freed_memory,
    unless_short,
)
from core.models.memory.fit import most_scores
from core.models.memory.shortage import memory_short
from core.models.policy.policy import Policy
from core.training.batch import TrainingGroup, micro_batches, pack
from core.training.body import TrainingBody
from core.training.loss import batch_loss, counted_terms
from core.training.pass_memory import pass_bytes

LOSS_SCALE: Final = 4096.0
"""Lifts gradients into the range of float16, where every update starts with it.

bfloat16 and float32 need none.
"""

_SCALE_STEP: Final = 8.0  # by which the scale is lowered where gradients overflow

_log = logging.getLogger(__name__)


def accumulate_gradient(
    policy: Policy, groups: Sequence[TrainingGroup], budget: SharedBudget, tried: int | None = None
) -> None:
    """Put the gradient of an update on ``groups`` into the adapter's factors.

    ``tried``: see ``loss.counted_terms``.

    Where memory runs out, ``budget`` is stepped down and everything done again: an update is
    whole or not at all.

    Raises:
        MemoryShortError: it ran out with nothing left to give up.
    """
    terms = counted_terms(groups, tried)
    while not unless_short(lambda: _run(policy, groups, budget.current, terms)):
        # Only now: what the failed pass held is free once its frames are gone.
        forget_gradients(policy)
        free_leftovers(policy.device)
        if not budget.shrink_update():
            raise memory_short(policy.spec)
        _log.warning("Memory ran out in an update; trying again with %s.", budget.current)


def _run(
    policy: Policy, groups: Sequence[TrainingGroup], budget: Budget, terms: int
) -> Literal[True]:
    scale = LOSS_SCALE if policy.dtype == torch.float16 else 1.0
    _backward(policy, groups, budget, scale, terms)
    while scale > 1 and not _is_finite(policy):
        scale = max(1.0, scale / _SCALE_STEP)
        _log.warning("Gradients overflowed in float16; trying again with the scale %g.", scale)
        _backward(policy, groups, budget, scale, terms)
    if scale > 1:
        torch._foreach_div_(gradients(policy), scale)
    return True


def _backward(
    policy: Policy, groups: Sequence[TrainingGroup], budget: Budget, scale: float, terms: int
) -> None:
    """Put ``scale`` times the gradient into the factors; nothing waits for a card here."""
    forget_gradients(policy)
    body = TrainingBody(policy, checkpointing=budget.checkpointing)
    slots = budget.training_slots
    for batch in micro_batches(groups, slots, most_scores(policy.spec, slots)):
        require_memory(policy.device, pass_bytes(policy, batch, budget))
        (scale * batch_loss(body, pack(batch, policy.device), terms)).backward()
        if not policy.spec.is_small and policy.device.type == "cpu":
            return_freed_memory()  # a hundredth of the time, a third of the memory


def gradients(policy: Policy) -> list[Tensor]:
    """What ``accumulate_gradient`` left in the adapter's factors."""
    found = (factor.grad for factor in policy.adapter().values())
    return [gradient for gradient in found if gradient is not None]


def _is_finite(policy: Policy) -> bool:
    return bool(torch.nn.utils.get_total_norm(gradients(policy)).isfinite())


def forget_gradients(policy: Policy) -> None:
    """Free what ``accumulate_gradient`` left."""
    for factor in policy.adapter().values():
        factor.grad = None
