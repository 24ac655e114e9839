"""Which groups one update learns from: faithful SAPO (arXiv 2509.08721, section 3).

The paper's order matters: groups without advantage are dropped *first*, and J groups are drawn
uniformly from what is left of the swarm's, so that the share of others in an update does not
shrink when most of what they send is too easy or too hard. Pure: the same arguments, the same mix.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random
from statistics import pvariance

from core.rollouts.round_size import FEWEST
from core.rollouts.types import Mix, PeerId, ScoredGroup, TaskId, site_of


def has_signal(group: ScoredGroup) -> bool:
    """Whether an update may learn from ``group``: not flat, and no question of the exam."""
    return not group.is_flat and not group.question.is_held_out


TELLING = 0.05
"""Least advantage for which it is worth to learn from answers that all earned the same."""


def may_surprise(group: ScoredGroup) -> bool:
    """Whether answers to the question of ``group`` tell something if all earn the same.

    Right and wrong alike, whichever they were: if only what was unlikely counted, all that a cell
    teaches would be that it is harder, or easier, than it is.
    """
    prior = group.prior
    if prior is None or group.question.is_held_out:
        return False
    rarer = min(prior.mean, 1 - prior.mean)
    believed = prior.concentration / (prior.concentration + len(group.rewards))
    return believed * rarer >= TELLING


@dataclass(frozen=True, slots=True)
class Choice:
    """Number and selection of the groups of others that an update takes."""

    groups: int  # at most
    most_per_site: int  # of one site, see ``site_of``
    by_variance: bool = False  # those that tell most, instead of a draw by lot
    filled_to: int = 0  # groups of an update, as far as flat own ones may fill it up


def waiting(shared: Iterable[ScoredGroup], choice: Choice) -> int:
    """How many of the groups ``shared`` an update could take by ``choice``."""
    return len(_first(filter(has_signal, shared), choice))


def own_tries(most: int, expected: int) -> int:
    """How many of ``most`` questions a node tries where ``expected`` groups of others teach it.

    One less for each, at least half and at least ``FEWEST``: what nobody tries nobody can learn
    from, and a node knows by its own tries alone what it can do.
    """
    return max(most - expected, min(most, max(FEWEST, math.ceil(most / 2))))


def draw(
    own: Iterable[ScoredGroup], shared: Iterable[ScoredGroup], choice: Choice, rng: Random
) -> Mix:
    """Mix all own groups that teach with as many of those ``shared`` as ``choice`` says.

    Fewer where fewer teach, or where too few sites shared them. In the paper nothing fills them up;
    here flat own groups may (``may_surprise``), the first ones, whatever they earned.
    """
    own = list(own)
    useful = list(filter(has_signal, shared))
    rng.shuffle(useful)  # by lot; for a guided choice, a lot decides between equals
    drawn = _telling_most(useful, choice) if choice.by_variance else _first(useful, choice)
    telling = [one for one in own if has_signal(one)]
    room = max(0, choice.filled_to - len(drawn) - len(telling))
    flat = [one for one in own if one.is_flat and may_surprise(one)]
    return Mix(local=(*telling, *flat[:room]), swarm=tuple(drawn))


def _first(groups: Iterable[ScoredGroup], choice: Choice) -> list[ScoredGroup]:
    """The first groups, as far as ``choice`` has room for them and for their sites."""
    sites = Counter[str]()
    chosen = list[ScoredGroup]()
    for scored in groups:
        site = site_of(scored.group)
        if len(chosen) < choice.groups and sites[site] < choice.most_per_site:
            chosen.append(scored)
            sites[site] += 1
    return chosen


def _telling_most(groups: Sequence[ScoredGroup], choice: Choice) -> list[ScoredGroup]:
    """Choose groups one by one: balanced rewards, and tasks, authors and sites not yet there.

    The variance of a group's rewards is what its advantages carry; a second group of the same task
    tells less than the first of another.
    """
    left = [(pvariance(group.rewards), group) for group in groups]
    chosen = list[ScoredGroup]()
    tasks, authors, sites = Counter[TaskId](), Counter[PeerId](), Counter[str]()

    def tells(one: tuple[float, ScoredGroup]) -> float:
        variance, scored = one
        whence = max(authors[scored.group.author], sites[site_of(scored.group)])
        return variance / ((1 + tasks[scored.question.key.task]) * (1 + whence))

    while left and len(chosen) < choice.groups:
        best = max(left, key=tells)
        left.remove(best)
        _, scored = best
        site = site_of(scored.group)
        chosen.append(scored)
        tasks[scored.question.key.task] += 1
        authors[scored.group.author] += 1
        sites[site] += 1
        if sites[site] >= choice.most_per_site:
            left = [one for one in left if site_of(one[1].group) != site]
    return chosen
