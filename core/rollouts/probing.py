"""Which of the questions that were tried a few times are worth trying on; pure.

A group whose answers are all right or all wrong teaches nothing, and costs as much as one that
does. After ``PROBE`` answers a question that was solved every time is stopped, one that seems
hopeless gives its place to another, and where others seem hopeless as well it is given up.

Large models are left alone: for every token they read all of their weights, in however many answers
at once, so that drawing in two steps takes them nearly twice as long.

Groups are chosen by their outcome then, as in DAPO's dynamic sampling (arXiv 2503.14476, section
3.2), and an update still points where it should: of a group with so many right answers, the right
ones are drawn as the policy draws right ones, and the wrong ones likewise. So what a question adds
keeps its direction on average, and only its weight changes: less certain ones weigh more. (Partial
rewards turn the direction a little, in simulations to a cosine of 0.999.)
"""

from collections.abc import Sequence
from math import prod
from typing import Final

from core.rollouts.prior import BetaPrior
from core.rollouts.round_size import FEWEST

PROBE: Final = 3
"""Answers before a question is gone on with or given up."""

SPARE: Final = 0.5
"""Questions probed beyond those that a round needs, as a share of these."""

WORTH: Final = 0.3
"""Chance to teach below which the answers that are left are not drawn, but for the best few."""


def is_large_enough(group_size: int) -> bool:
    """Whether enough of so many answers would be left for a second step.

    With few it takes longer than all at once, and hardly any group is gone on with that is not
    mixed already.
    """
    return group_size >= 2 * PROBE


def is_probed(group_size: int, *, is_small: bool) -> bool:
    """Whether a model that ``is_small`` tries its questions in two steps, or all at once."""
    return is_small and is_large_enough(group_size)


def chance_to_teach(rewards: Sequence[float], prior: BetaPrior, left: int) -> float:
    """How likely a group is not flat after ``left`` more answers, by its first ``rewards``.

    ``prior``: of the share of right answers to its question.
    """
    if min(rewards) < max(rewards):
        return 1.0
    same, other = prior.concentration * prior.mean, prior.concentration * (1 - prior.mean)
    if max(rewards) == 0:
        same, other = other, same
    same += len(rewards)
    return 1.0 - prod((same + n) / (same + other + n) for n in range(left))


def most_promising(chances: Sequence[float], count: int) -> list[int]:
    """The indices of the ``count`` highest, ascending; of equals the first, and none in vain."""
    ranked = sorted(range(len(chances)), key=lambda n: -chances[n])
    worth = sum(chance >= WORTH for chance in chances)
    return sorted(ranked[: min(count, max(worth, FEWEST))])
