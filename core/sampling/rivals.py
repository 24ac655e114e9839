"""Whether another sampler is faster after all, judged by the calls of real rounds; no I/O.

A calibration rests on seconds of probes, perhaps beside other work, and was wrong by a factor of
two once in four. So now and then a call goes to the runner-up, and its tokens a second are compared
with the leader's right before and right after, which a busy spell slows as well: it won if it was
faster than both, lost if slower, and in between, as where a spell begins or ends, nothing is known.
Who wins often enough leads; then, or when it lost, the next rival's turn comes.

The test is the two-sided sign test at 5 %, draws left out, looked at after every comparison: six of
six, eight of nine, ten of twelve. Looking so often, it takes one of two equally fast samplers for
the faster in a few of a hundred cases, and then nothing is lost. What it costs is bounded: one call
in ``PERIOD``, ``MOST`` calls for each of two rivals at most, six where a rival always loses; none
that the calibration found ``FAR`` times slower is tried.
"""

import math
from collections import defaultdict, deque
from statistics import median
from typing import Final

from msgspec.structs import replace

from core.sampling.calibration import Verdict

PERIOD: Final = 8
"""One call in so many goes to a rival, until the difference is certain."""

BESIDE: Final = 2
"""Calls of the leader before a rival's call, and after it, that it is compared with."""

FAR: Final = 3.0
"""A rival whose calibration took so many times longer is not worth a call."""

MOST: Final = 16
"""Comparisons with one rival; where they leave it open, the difference does not matter."""

UNLIKELY: Final = 0.05
"""Probability of such an outcome between equals from which on a difference is certain."""


def rivals_of(verdict: Verdict) -> tuple[str, ...]:
    """Samplers that are still to be tried against the chosen one, the most promising first."""
    if verdict.rivals is not None:
        return verdict.rivals
    most = FAR * verdict.seconds.get(verdict.chosen, 0.0)
    others = sorted(verdict.seconds.items(), key=lambda item: item[1])
    return tuple(name for name, took in others if name != verdict.chosen and took <= most)


def is_certain(won: int, lost: int) -> bool:
    """Whether so lopsided an outcome is unlikely between equals, by the two-sided sign test."""
    played = won + lost
    tail: int = sum(math.comb(played, more) for more in range(max(won, lost), played + 1))
    return 2 * tail <= UNLIKELY * 2.0**played


def compared(verdict: Verdict, *, won: bool | None) -> Verdict:
    """What a comparison with the first rival makes of ``verdict``; ``won`` is None for a draw."""
    first, *rest = rivals_of(verdict)
    now = replace(
        verdict,
        rivals=(first, *rest),
        won=verdict.won + (won is True),
        lost=verdict.lost + (won is False),
        drawn=verdict.drawn + (won is None),
    )
    if is_certain(now.won, now.lost):
        return _over(now, first if now.won > now.lost else now.chosen)
    return _over(now, now.chosen) if now.won + now.lost + now.drawn >= MOST else now


def _over(verdict: Verdict, chosen: str) -> Verdict:
    """``verdict`` with the next rival, and no comparison yet."""
    rest = rivals_of(verdict)[1:]
    return replace(verdict, chosen=chosen, rivals=rest, won=0, lost=0, drawn=0)


class Rivalry:
    """Decides call by call which sampler answers, and learns from how long it took.

    Calls of different kinds (numbers of completions: a probe, the rest) are not compared; the kind
    that takes the most time decides.
    """

    def __init__(self, verdict: Verdict) -> None:
        self.verdict = verdict
        self._spent: defaultdict[int, float] = defaultdict(float)  # seconds by kind
        self._paces: deque[float] = deque(maxlen=2 * BESIDE)  # of the leader, the newest last
        self._kind: int | None = None  # of which they are
        self._since = 0  # calls of that kind since a rival's
        self._trial: float | None = None  # pace of a rival that waits to be compared
        self._absent: set[str] = set()  # rivals that cannot be used in this run

    def turn(self, kind: int) -> str:
        """The name of the sampler that answers next."""
        rivals = rivals_of(self.verdict)
        is_ready = len(self._paces) >= BESIDE and self._since >= PERIOD - 1
        if rivals and rivals[0] not in self._absent and kind == self._kind and is_ready:
            return rivals[0]
        return self.verdict.chosen

    def note(self, name: str, kind: int, tokens: int, seconds: float) -> bool:
        """``name`` drew ``tokens`` in a call; whether that changed the verdict."""
        self._spent[kind] += seconds
        main = max(self._spent, key=self._spent.__getitem__)
        if main != self._kind:
            self._begin_anew(main)
        if kind != main or tokens <= 0 or seconds <= 0:
            return False
        if name != self.verdict.chosen:
            self._trial, self._since = tokens / seconds, 0
            return False
        self._paces.append(tokens / seconds)
        self._since += 1
        if self._trial is None or self._since < BESIDE:
            return False
        before, self.verdict = self.verdict, compared(self.verdict, won=self._outcome(self._trial))
        self._trial = None
        if self.verdict.chosen != before.chosen:
            self._begin_anew(main)
        return True

    def without(self, name: str) -> None:
        """``name`` cannot be used now: in this run others are tried, in a later one it is, too."""
        self._absent.add(name)
        self._trial = None
        first, *rest = rivals_of(self.verdict)
        if first == name and rest:
            rivals = (*rest, name)
            self.verdict = replace(self.verdict, rivals=rivals, won=0, lost=0, drawn=0)

    def _outcome(self, pace: float) -> bool | None:
        """Whether a rival of that pace was faster than the leader; None where that is not clear."""
        around = list(self._paces)
        before, after = median(around[:-BESIDE]), median(around[-BESIDE:])
        if min(before, after) <= pace <= max(before, after):
            return None
        return pace > before

    def _begin_anew(self, kind: int) -> None:
        self._kind, self._since, self._trial = kind, 0, None
        self._paces.clear()
