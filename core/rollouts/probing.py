"""Which of the questions that were tried a few times are worth trying on; pure.

A group whose answers are all right or all wrong teaches nothing, and costs as much as one that
does. After ``PROBE`` answers a question that was solved every time is stopped, and one that seems
hopeless gives its place to another.

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

PROBE: Final = 3
"""Answers before a question is gone on with or given up."""

SPARE: Final = 0.5
"""Questions probed beyond those that a round needs, as a share of these."""

PRIOR: Final = 4.0
"""Tries that a cell's share counts for at most: its questions are not all equally hard."""


def is_probed(group_size: int, *, is_small: bool) -> bool:
    """Whether a model that ``is_small`` tries its questions in two steps, or all at once."""
    return is_small and group_size > PROBE


def chance_to_teach(rewards: Sequence[float], cell: tuple[float, float], left: int) -> float:
    """How likely a group is not flat after ``left`` more answers, by its first ``rewards``.

    ``cell``: right answers and tries at its kind and level. A question's share is taken to be
    distributed as Beta, around that of its cell.
    """
    if min(rewards) < max(rewards):
        return 1.0
    right, tries = cell
    weight = min(1.0, PRIOR / tries) if tries else 0.0
    same, other = 0.5 + weight * right, 0.5 + weight * (tries - right)
    if max(rewards) == 0:
        same, other = other, same
    same += len(rewards)
    return 1.0 - prod((same + n) / (same + other + n) for n in range(left))


def most_promising(chances: Sequence[float], count: int) -> list[int]:
    """The indices of the ``count`` highest, ascending; of equals the first."""
    ranked = sorted(range(len(chances)), key=lambda n: -chances[n])
    return sorted(ranked[:count])
