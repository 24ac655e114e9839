"""Bound on what one group of others may weigh in an update, whatever is in it.

The weight of a group is the sum over the terms of its loss of |advantage|: as no term's own weight
exceeds 1 (``core.training.loss``, 4 aside, which is for own groups), it bounds how far the group
can move the scores. It grows with length, so that without a bound one long text of a stranger would
outweigh a round of short answers. Credits (``core.rollouts.recipes.Recipe``) come on top of it:
they are of one token each, and say what own tries do. How many groups one author or one place of
the network may give to an update is bounded before, in ``core.rollouts.mixing``.
"""

from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean, median_low
from typing import Final

from core.training.batch import TrainingGroup

MOST_TIMES: Final = 2.0
"""A group of others weighs at most so many times what an own one does in the mean."""


def weight(group: TrainingGroup) -> float:
    """Sum of |advantage| over all terms of its loss."""
    pairs = zip(group.completions, group.advantages, strict=True)
    return sum(abs(a) * (1 if group.by_sequence else len(ids)) for ids, a in pairs)


def bound_weights(
    own: Sequence[TrainingGroup], others: Sequence[TrainingGroup]
) -> list[TrainingGroup]:
    """``others``, the advantages of those that weigh too much scaled down until they do not.

    Measured by the mean own group whose answers differ; where there is none, by the lower median of
    the others, which no half of them can raise. A deck's own lessons are neither.
    """
    if not others:
        return []
    differing = [one for one in own if min(one.advantages) < 0 < max(one.advantages)]
    measure = fmean(map(weight, differing)) if differing else median_low(map(weight, others))
    return [_scaled(group, MOST_TIMES * measure / weight(group)) for group in others]


def _scaled(group: TrainingGroup, factor: float) -> TrainingGroup:
    if factor >= 1:
        return group
    return replace(group, advantages=tuple(factor * one for one in group.advantages))
