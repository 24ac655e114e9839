"""What a hub can say of its swarms to a person: who is there, how busy, how well they do.

Kept in memory by each process, bounded, and nothing but an impression: scores are what nodes say
of themselves. Private swarms are counted, never named.
"""

from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from statistics import median
from typing import Final

from core.rollouts.types import PeerId
from core.wire.codec import ITEM_LIFE_S
from core.wire.secrecy import is_private

MOST_SWARMS: Final = 256
MOST_AUTHORS: Final = 20_000  # of one swarm
BUSY_S: Final = 300.0
"""Seconds over which groups per minute are counted."""

_BIN_S: Final = 10.0


@dataclass(frozen=True, slots=True)
class SwarmView:
    """One swarm, as its hub sees it."""

    name: str
    nodes: int  # that left something in the last minutes
    groups_per_minute: float
    score: float | None  # median of what nodes say of their last round; None: nobody said


@dataclass(frozen=True, slots=True)
class View:
    """All swarms at a hub."""

    swarms: tuple[SwarmView, ...]  # open ones, the largest first
    private: int  # how many others


@dataclass(slots=True)
class _Swarm:
    authors: OrderedDict[PeerId, tuple[float, float | None]] = field(default_factory=OrderedDict)
    bins: deque[tuple[float, int]] = field(default_factory=deque)  # (begin, groups)
    since: float = 0.0  # when it was first heard of

    def hear(self, author: PeerId, groups: int, score: float | None, now: float) -> None:
        self.authors[author] = (now, score)
        self.authors.move_to_end(author)
        if len(self.authors) > MOST_AUTHORS:
            self.authors.popitem(last=False)
        begin = now - now % _BIN_S
        if self.bins and self.bins[-1][0] == begin:
            groups += self.bins.pop()[1]
        self.bins.append((begin, groups))
        self.forget(now)

    def forget(self, now: float) -> None:
        while self.authors and next(iter(self.authors.values()))[0] < now - ITEM_LIFE_S:
            self.authors.popitem(last=False)
        while self.bins and self.bins[0][0] <= now - BUSY_S:
            self.bins.popleft()

    def view(self, name: str, now: float) -> SwarmView:
        scores = [score for _, score in self.authors.values() if score is not None]
        seconds = max(60.0, min(BUSY_S, now - self.since))
        rate = sum(groups for _, groups in self.bins) * 60 / seconds
        return SwarmView(name, len(self.authors), rate, median(scores) if scores else None)


class Census:
    """Counts what was accepted."""

    def __init__(self, clock: Callable[[], float]) -> None:
        """``clock`` is in seconds and never goes back."""
        self._clock = clock
        self._swarms: OrderedDict[str, _Swarm] = OrderedDict()

    def hear(self, swarm: str, author: PeerId, groups: int, score: float | None) -> None:
        """``author`` left so many groups, and says that its last round scored so much."""
        entry = self._swarms.setdefault(swarm, _Swarm(since=self._clock()))
        self._swarms.move_to_end(swarm)
        if len(self._swarms) > MOST_SWARMS:
            self._swarms.popitem(last=False)
        entry.hear(author, groups, score, self._clock())

    def names(self) -> list[str]:
        """All swarms on the wire, private ones too, those heard last at the end."""
        return list(self._swarms)

    def visitors(self) -> int:
        """How many nodes left something in the last minutes, those of private swarms, too."""
        now = self._clock()
        for swarm in self._swarms.values():
            swarm.forget(now)
        return sum(len(swarm.authors) for swarm in self._swarms.values())

    def view(self) -> View:
        """The state of all swarms now."""
        now = self._clock()
        for swarm in self._swarms.values():
            swarm.forget(now)
        alive = [swarm.view(name, now) for name, swarm in self._swarms.items() if swarm.authors]
        open_ones = [one for one in alive if not is_private(one.name)]
        open_ones.sort(key=lambda one: (-one.nodes, one.name))
        return View(tuple(open_ones), len(alive) - len(open_ones))
