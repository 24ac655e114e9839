"""How much more answers earn that show their work, learnt from groups in which some do.

The Mantel-Haenszel estimate of a common difference (Greenland and Robins, Biometrics 41, 1985):
every group with answers of both kinds tells the difference of their mean rewards, with the weight
n_w n_b / n, n_w answers being worked and n_b bare. Questions that are easy either way do not blur
it, and older groups count less. A node's own tries are the only ones that nobody else chose. They
are few at first, so the median over those whom groups came from stands in for them: each has one
say, however much it sends, and no half of them can move it beyond what the others say.
"""

from collections.abc import Iterable
from statistics import fmean, median
from typing import Final

from core.rollouts.answers import shows_work
from core.rollouts.types import Completion, ScoredGroup, site_of

KEPT: Final = 0.98
"""How much of what was seen before still counts after one more group of the same origin."""

PRIOR: Final = 4.0
"""What the median of others weighs, as if own groups of that weight had said it."""

LEAST: Final = 1.0
"""Weight from which on an origin has a say: about two groups of which one answer in eight is
worked."""

FEWEST: Final = 3
"""Origins that make a median; of two, each could be the liar."""

MOST: Final = 64
"""Origins that are remembered, those heard of last."""

OWN: Final = ""
"""The name of the own sums among them."""

Sums = dict[str, tuple[float, float]]
"""Origin, or ``OWN`` -> sums of weighted differences, and of weights; both decayed."""


def is_worked(completion: Completion) -> bool:
    """Whether ``completion`` shows its work, or was cut off and may have been at it."""
    return shows_work(completion.text) or not completion.ended


class EffectOfWorking:
    """Sums over groups with both kinds of answers."""

    def __init__(self, sums: Sums | None = None) -> None:
        self._sums = dict(sums or {})  # in the order in which they were heard of

    @property
    def sums(self) -> Sums:
        """What to keep, and to begin with again."""
        return dict(self._sums)

    def observe_own(self, groups: Iterable[ScoredGroup]) -> None:
        """Learn from groups of this node's own tries."""
        for group in groups:
            self._add(OWN, group)

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

    def _add(self, origin: str, scored: ScoredGroup) -> None:
        pairs = list(zip(scored.rewards, map(is_worked, scored.group.completions), strict=True))
        worked = [reward for reward, shown in pairs if shown]
        bare = [reward for reward, shown in pairs if not shown]
        if not (worked and bare):
            return
        weight = len(worked) * len(bare) / len(pairs)
        gain, total = self._sums.pop(origin, (0.0, 0.0))
        more = weight * (fmean(worked) - fmean(bare))
        self._sums[origin] = KEPT * gain + more, KEPT * total + weight
        heard = [name for name in self._sums if name != OWN]
        for name in heard[:-MOST]:
            del self._sums[name]
