"""Which groups one update learns from: faithful SAPO (arXiv 2509.08721, section 3).

The paper's order matters: groups without advantage are dropped *first*, and J groups are drawn
uniformly from what is left of the swarm's, so that the share of others in an update does not
shrink when most of what they send is too easy or too hard. Pure: the same arguments, the same mix.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from random import Random
from statistics import pvariance

from core.rollouts.types import Mix, PeerId, ScoredGroup, TaskId


def teaches(group: ScoredGroup) -> bool:
    """Whether an update may learn from ``group``: not flat, and no question of the exam."""
    return not group.is_flat and not group.question.is_held_out


def draw(
    own: Iterable[ScoredGroup],
    shared: Iterable[ScoredGroup],
    swarm_groups: int,
    rng: Random,
    *,
    guided: bool = False,
) -> Mix:
    """Mix all own groups that teach with up to ``swarm_groups`` (J) of those ``shared``.

    Fewer than J where fewer teach; never filled up with own groups, as in the paper. ``guided``
    takes those that tell most instead of drawing by lot.
    """
    useful = [group for group in shared if teaches(group)]
    if guided:
        rng.shuffle(useful)  # a lot decides between equals
        drawn = _telling_most(useful, swarm_groups)
    else:
        drawn = rng.sample(useful, min(swarm_groups, len(useful)))
    return Mix(local=tuple(group for group in own if teaches(group)), swarm=tuple(drawn))


def _telling_most(groups: Sequence[ScoredGroup], count: int) -> list[ScoredGroup]:
    """Choose ``count`` groups one by one: balanced rewards, and tasks and authors not yet there.

    The variance of a group's rewards is what its advantages carry; a second group of the same task
    tells less than the first of another.
    """
    left = [(pvariance(group.rewards), group) for group in groups]
    chosen = list[ScoredGroup]()
    tasks, authors = Counter[TaskId](), Counter[PeerId]()

    def tells(one: tuple[float, ScoredGroup]) -> float:
        variance, scored = one
        alike = (1 + tasks[scored.question.key.task]) * (1 + authors[scored.group.author])
        return variance / alike

    while left and len(chosen) < count:
        best = max(left, key=tells)
        left.remove(best)
        _, scored = best
        chosen.append(scored)
        tasks[scored.question.key.task] += 1
        authors[scored.group.author] += 1
    return chosen
