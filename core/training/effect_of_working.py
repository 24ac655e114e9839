"""How much more answers earn that show their work, and how often the own ones do.

The Mantel-Haenszel estimate of a common difference (Greenland and Robins, Biometrics 41, 1985):
every group with answers of both kinds tells the difference of their mean rewards, with the weight
n_w n_b / n, n_w answers being worked and n_b bare, so that how easy a question is does not blur it.
Groups that are flat say nothing of that. Older groups count less. A node's own tries are the only
ones that nobody else chose. They are few at first, so the median over those whom groups came from
stands in for them: each has one say, however much it sends, and fewer than half of them cannot move
it beyond what the others say.

Working pays in some kinds of puzzles and not in others: what own tries say of one counts there
before what they say of all. How often a kind is worked out is told by own tries at it, since
whoever sends a group chooses how many of its answers are, and other kinds tell nothing of one that
has no steps. Before the first own try at a kind there is only the group: its strata are held
against what it is itself in the mean, which says hardly anything of whether to work.
"""

from collections.abc import Iterable, Sequence
from math import inf
from statistics import fmean, median
from typing import Final, TypeVar

import msgspec
from msgspec.structs import replace

from core.rollouts.answers import final_answer, shows_work
from core.rollouts.types import ScoredGroup, TaskId, site_of

KEPT: Final = 0.98
"""How much of what was seen before still counts after one more round."""

PRIOR: Final = 4.0
"""What a prior weighs, as if groups of that weight had said it: the median of others beside own
groups of all kinds, and what these say beside those of one."""

LEAST: Final = 1.0
"""Weight from which on an origin has a say: about two groups of which one answer in eight is
worked."""

FORGOTTEN: Final = 0.1
"""Weight below which nothing is left of an origin."""

FEWEST: Final = 5
"""Origins that make a median: two who lie are not the middle of five."""

MOST: Final = 64
"""Origins that are remembered, those heard of last."""

MOST_TASKS: Final = 256
"""Kinds of puzzles that are remembered, those tried last: all that are built in, and many decks."""

KEPT_ANSWERS: Final = 0.9
"""How much of the own answers to a kind still counts after one more own group of it."""

PRIOR_ANSWERS: Final = 1.0
"""What the share in the group at hand weighs beside own answers to its kind, in answers: little,
since whoever sent the group chose it."""

LONGER: Final = 6
"""Characters by which a wrong answer may be longer than a right one and still be an answer alone.

Of the steps that starters write, one in a hundred is no longer than that, without an answer; of
their wrong answers without steps one in sixteen is longer.
"""


_Name = TypeVar("_Name")
_Kept = TypeVar("_Kept")

Sums = tuple[float, float]
"""Of groups with answers of both kinds: weighted differences of mean rewards, and weights."""


class OwnAnswers(msgspec.Struct, frozen=True, array_like=True):
    """Sums over own groups of one kind of puzzle."""

    effect: Sums = (0.0, 0.0)
    shown: float = 0.0  # answers that show their work
    count: float = 0.0  # answers


class WorkingSeen(msgspec.Struct, frozen=True):
    """All sums, which are kept with a checkpoint; those that grew last come last."""

    others: dict[str, Sums] = {}  # by origin
    own: dict[TaskId, OwnAnswers] = {}

    def sound(self) -> "WorkingSeen":
        """Without what counting cannot have led to."""
        others = {name: sums for name, sums in self.others.items() if _is_sound(sums)}
        own = {
            task: one
            for task, one in self.own.items()
            if _is_sound(one.effect) and 0 <= one.shown <= one.count
        }
        return WorkingSeen(others, own)


def worked(scored: ScoredGroup) -> list[bool]:
    """Which completions of ``scored`` show their work, or may have been at it.

    The latter are failures that were cut off, or whose final answer is much longer than a right one
    in the group, as steps are without what they lead to: nobody passes them off as a wrong answer
    by leaving that out, nor a right answer off as steps by saying that it was cut off.
    """
    texts = [one.text.strip() for one in scored.group.completions]
    right = [t for t, reward in zip(texts, scored.rewards, strict=True) if reward > 0]
    most = LONGER + max((len(final_answer(text)) for text in right), default=inf)
    return [
        shows_work(text) or (reward == 0 and (not one.ended or len(final_answer(text)) > most))
        for text, reward, one in zip(texts, scored.rewards, scored.group.completions, strict=True)
    ]


class EffectOfWorking:
    """What is known of it, from the groups that were seen."""

    def __init__(self, seen: WorkingSeen | None = None) -> None:
        sound = (seen or WorkingSeen()).sound()
        self._others = sound.others
        self._own = sound.own

    @property
    def seen(self) -> WorkingSeen:
        """What to keep, and to begin with again."""
        return WorkingSeen(dict(self._others), dict(self._own))

    def observe_own(self, groups: Iterable[ScoredGroup]) -> None:
        """Learn from all of this node's own tries of a round; what was seen before counts less."""
        faded = {origin: _faded(sums) for origin, sums in self._others.items()}
        self._others = {origin: sums for origin, sums in faded.items() if sums[1] >= FORGOTTEN}
        self._own = {t: replace(one, effect=_faded(one.effect)) for t, one in self._own.items()}
        for group in groups:
            task = group.question.key.task
            before = self._own.pop(task, OwnAnswers())
            shown = worked(group)
            self._own[task] = OwnAnswers(
                _sum(before.effect, _effect_in(group, shown)),
                KEPT_ANSWERS * before.shown + sum(shown),
                KEPT_ANSWERS * before.count + len(shown),
            )
        _forget(self._own, MOST_TASKS)

    def observe_others(self, groups: Iterable[ScoredGroup]) -> None:
        """Learn from groups of others, each from where it came."""
        for group in groups:
            told = _effect_in(group, worked(group))
            if told[1]:
                origin = site_of(group.group)
                self._others[origin] = _sum(self._others.pop(origin, (0.0, 0.0)), told)
        _forget(self._others, MOST)

    def expected(self, task: TaskId, least_said: float = -1.0) -> float:
        """Reward of working less that of answering at once, in [-1, 1]; 0 while it is unknown.

        What most others say counts for no less than ``least_said``.
        """
        said = [gain / weight for gain, weight in self._others.values() if weight >= LEAST]
        prior = max(least_said, median(said)) if len(said) >= FEWEST else 0.0
        for sums in (self._effect_of_all, self._of(task).effect):
            prior = (sums[0] + PRIOR * prior) / (sums[1] + PRIOR)
        return prior

    def share(self, task: TaskId, in_group: float) -> float:
        """Expected share of own answers to ``task`` that show their work, in [0, 1].

        Before any was seen, that in the group which is to be learnt from.
        """
        own = self._of(task)
        return (own.shown + PRIOR_ANSWERS * in_group) / (own.count + PRIOR_ANSWERS)

    def has_tried(self, task: TaskId) -> bool:
        """Whether own answers to ``task`` were seen."""
        return self._of(task).count > 0

    def _of(self, task: TaskId) -> OwnAnswers:
        return self._own.get(task, OwnAnswers())

    @property
    def _effect_of_all(self) -> Sums:
        gain, weight = (sum(one.effect[n] for one in self._own.values()) for n in (0, 1))
        return gain, weight


def _effect_in(scored: ScoredGroup, at_work: Sequence[bool]) -> Sums:
    """What ``scored`` tells: the weighted difference, and the weight; 0 where it tells nothing."""
    if scored.is_flat:
        return 0.0, 0.0
    pairs = list(zip(scored.rewards, at_work, strict=True))
    with_work = [reward for reward, shown in pairs if shown]
    without = [reward for reward, shown in pairs if not shown]
    if not (with_work and without):
        return 0.0, 0.0
    weight = len(with_work) * len(without) / len(pairs)
    return weight * (fmean(with_work) - fmean(without)), weight


def _sum(one: Sums, other: Sums) -> Sums:
    return one[0] + other[0], one[1] + other[1]


def _faded(sums: Sums) -> Sums:
    return KEPT * sums[0], KEPT * sums[1]


def _is_sound(sums: Sums) -> bool:
    return abs(sums[0]) <= sums[1]


def _forget(sums: dict[_Name, _Kept], most: int) -> None:
    """Drop all but the ``most`` that grew last."""
    for name in list(sums)[:-most]:
        del sums[name]
