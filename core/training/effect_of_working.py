"""How much more answers earn that show their work, and how often the own ones do.

The Mantel-Haenszel estimate of a common difference (Greenland and Robins, Biometrics 41, 1985):
every group with answers of both kinds tells the difference of their mean rewards, with the weight
n_w n_b / n, n_w answers being worked and n_b bare, so that how easy a question is does not blur it.
Groups that are flat are not asked, here or where the estimate is used. Older groups count less. A
node's own tries are the only ones that nobody else chose. They are few at first, so the median over
those whom groups came from stands in for them: each has one say, however much it sends, and fewer
than half of them cannot move it beyond what the others say.

How often a node works out a kind of puzzle is told by its own tries alone.
"""

from collections.abc import Iterable
from statistics import fmean, median
from typing import Final

from core.rollouts.answers import final_answer, shows_work
from core.rollouts.types import ScoredGroup, site_of

KEPT: Final = 0.98
"""How much of what was seen before still counts after one more update."""

PRIOR: Final = 4.0
"""What the median of others weighs, as if own groups of that weight had said it."""

LEAST: Final = 1.0
"""Weight from which on an origin has a say: about two groups of which one answer in eight is
worked."""

FORGOTTEN: Final = 0.1
"""Weight below which nothing is left of an origin, nor of the own tries."""

FEWEST: Final = 5
"""Origins that make a median: two who lie are not the middle of five."""

MOST: Final = 64
"""Origins that are remembered, those heard of last."""

OWN: Final = ""
"""The name of the own sums among them."""

KEPT_ANSWERS: Final = 0.9
"""How much of the own answers to a kind still counts after one more own group of it."""

PRIOR_ANSWERS: Final = 5.0
"""Answers to a kind that count as given before any was."""

PRIOR_WORKED: Final = 0.5
"""How many of these are worked: one in ten, as with the starters."""

LONGER: Final = 6
"""Characters by which a wrong answer may be longer than a right one and still be an answer alone.

Of the steps that starters write, one in a hundred is no longer than that, without an answer; of
their wrong answers without steps one in sixteen is longer.
"""

Sums = dict[str, tuple[float, float]]
"""Origin, or ``OWN`` -> sums of weighted differences, and of weights; or kind of puzzle -> own
answers that show their work, and all. All decayed."""


def worked(scored: ScoredGroup) -> list[bool]:
    """Which completions of ``scored``, not flat, show their work, or may have been at it.

    Those are what was cut off, and what is much longer than a right answer and has none: nobody
    passes steps off as a wrong answer by leaving out what they lead to.
    """
    texts = [one.text.strip() for one in scored.group.completions]
    best = max(scored.rewards)
    right = (t for t, reward in zip(texts, scored.rewards, strict=True) if reward == best)
    most = LONGER + max(len(final_answer(text)) for text in right)
    return [
        shows_work(text) or not one.ended or len(final_answer(text)) > most
        for text, one in zip(texts, scored.group.completions, strict=True)
    ]


class EffectOfWorking:
    """Sums over groups with both kinds of answers, and over own answers by kind of puzzle."""

    def __init__(self, sums: Sums | None = None, answers: Sums | None = None) -> None:
        self._sums = dict(sums or {})  # in the order in which they were heard of
        self._answers = dict(answers or {})

    @property
    def sums(self) -> Sums:
        """What to keep of the effect, and to begin with again."""
        return dict(self._sums)

    @property
    def answers(self) -> Sums:
        """What to keep of the own answers, and to begin with again."""
        return dict(self._answers)

    def observe_own(self, groups: Iterable[ScoredGroup]) -> None:
        """Learn from this node's own tries of one update; all that was seen before counts less."""
        faded = {name: (KEPT * gain, KEPT * total) for name, (gain, total) in self._sums.items()}
        self._sums = {name: sums for name, sums in faded.items() if sums[1] >= FORGOTTEN}
        for group in groups:
            self._add(OWN, group)
            self._count(group)

    def observe_others(self, groups: Iterable[ScoredGroup]) -> None:
        """Learn from groups of others, each from where it came."""
        for group in groups:
            self._add(site_of(group.group), group)

    @property
    def expected(self) -> float:
        """Reward of working less that of answering at once, in [-1, 1]; 0 while it is unknown."""
        said = [
            gain / weight
            for name, (gain, weight) in self._sums.items()
            if name != OWN and weight >= LEAST
        ]
        prior = median(said) if len(said) >= FEWEST else 0.0
        gain, weight = self._sums.get(OWN, (0.0, 0.0))
        return (gain + PRIOR * prior) / (weight + PRIOR)

    def share(self, kind: str) -> float:
        """Expected share of own answers to puzzles of ``kind`` that show their work, in (0, 1)."""
        shown, count = self._answers.get(kind, (0.0, 0.0))
        return (shown + PRIOR_WORKED) / (count + PRIOR_ANSWERS)

    def _count(self, scored: ScoredGroup) -> None:
        shown = worked(scored)
        kind = scored.question.key.task
        before, count = self._answers.get(kind, (0.0, 0.0))
        counted = KEPT_ANSWERS * before + sum(shown), KEPT_ANSWERS * count + len(shown)
        self._answers[kind] = counted

    def _add(self, origin: str, scored: ScoredGroup) -> None:
        pairs = list(zip(scored.rewards, worked(scored), strict=True))
        with_work = [reward for reward, shown in pairs if shown]
        without = [reward for reward, shown in pairs if not shown]
        if not (with_work and without):
            return
        weight = len(with_work) * len(without) / len(pairs)
        gain, total = self._sums.pop(origin, (0.0, 0.0))
        more = weight * (fmean(with_work) - fmean(without))
        self._sums[origin] = gain + more, total + weight
        heard = [name for name in self._sums if name != OWN]
        for name in heard[:-MOST]:
            del self._sums[name]


UNKNOWN: Final = EffectOfWorking()
"""Before anything was seen; not to be added to."""
