"""Statistics of a hub's swarms for a person: who is there, how busy, how well they do.

Kept in memory by each process, bounded, and nothing but an impression: scores are what nodes say
of themselves. Private swarms are counted, never named.

Names of swarms and keys of authors are free, addresses are not. So swarms are ordered, and kept
where there are too many, by their *standing*: every place has one vote, which its living authors
share, and each of them divides its part among the swarms that it is in. Whoever has ``p`` places
thus brings at most ``p / s`` swarms to a standing of ``s``, however many they make up.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from math import fsum
from statistics import median
from typing import Final

from core.rollouts.types import PeerId
from core.storage.bounded import BoundedDict
from core.wire.codec import ITEM_LIFE_S
from core.wire.secrecy import is_private

MOST_SWARMS: Final = 256
SWARMS_LEFT: Final = MOST_SWARMS * 3 // 4
"""Beyond ``MOST_SWARMS`` so many stay: to compare all of them is too much for every new name."""

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
    score: float | None  # median over places of what nodes say of their last round; None: nobody


@dataclass(frozen=True, slots=True)
class View:
    """The swarms at a hub, as its page shows them."""

    swarms: tuple[SwarmView, ...]  # open ones, those of the highest standing first
    private: int  # others; no more are counted than there are places with nodes of theirs


@dataclass(frozen=True, slots=True)
class Word:
    """The number of groups that a node left at once, with its score."""

    groups: int  # left
    score: float | None  # of its last round, between 0 and 1; None: it does not say


@dataclass(frozen=True, slots=True)
class _Node:
    heard: float
    score: float | None
    place: str  # where it was first heard, until it was silent


@dataclass(slots=True)
class _Swarm:
    authors: BoundedDict[PeerId, _Node] = field(default_factory=lambda: BoundedDict(MOST_AUTHORS))
    bins: deque[tuple[float, int]] = field(default_factory=deque)  # (begin, groups)
    since: float = 0.0  # when it was first heard of

    def hear(self, author: PeerId, place: str, word: Word, now: float) -> None:
        self.forget(now)
        known = self.authors.get(author)
        self.authors[author] = _Node(now, word.score, known.place if known else place)
        begin, groups = now - now % _BIN_S, word.groups
        if self.bins and self.bins[-1][0] == begin:
            groups += self.bins.pop()[1]
        self.bins.append((begin, groups))

    def forget(self, now: float) -> None:
        self.authors.drop_while(lambda node: node.heard < now - ITEM_LIFE_S)
        while self.bins and self.bins[0][0] <= now - BUSY_S:
            self.bins.popleft()

    def view(self, name: str, now: float) -> SwarmView:
        seconds = max(60.0, min(BUSY_S, now - self.since))
        rate = sum(groups for _, groups in self.bins) * 60 / seconds
        return SwarmView(name, len(self.authors), rate, self._score())

    def _score(self) -> float | None:
        said = defaultdict[str, list[float]](list)
        for node in self.authors.values():
            if node.score is not None:
                said[node.place].append(node.score)
        return median(map(median, said.values())) if said else None


class Census:
    """Counts the authors and groups of each swarm that were accepted lately."""

    def __init__(self, clock: Callable[[], float]) -> None:
        """``clock`` is in seconds and never goes back."""
        self._clock = clock
        self._swarms: dict[str, _Swarm] = {}

    def hear(self, swarm: str, author: PeerId, place: str, word: Word) -> None:
        """``author`` left groups in ``swarm``, from a ``place`` (see ``core.net.limits``)."""
        now = self._clock()
        if swarm not in self._swarms:
            if len(self._swarms) >= MOST_SWARMS:
                kept = self._ranked(now)[:SWARMS_LEFT]
                self._swarms = {name: self._swarms[name] for name in kept}
            self._swarms[swarm] = _Swarm(since=now)
        self._swarms[swarm].hear(author, place, word, now)

    def names(self) -> list[str]:
        """All swarms on the wire, private ones too, those of the highest standing at the end."""
        return self._ranked(self._clock())[::-1]

    def visitors(self) -> int:
        """Number of nodes that left something in the last minutes, those of private swarms, too."""
        self._forget(self._clock())
        return len({author for swarm in self._swarms.values() for author in swarm.authors})

    def view(self) -> View:
        """The state of all swarms now."""
        now = self._clock()
        ranked = [name for name in self._ranked(now) if self._swarms[name].authors]
        private = [name for name in ranked if is_private(name)]
        nodes = (node for name in private for node in self._swarms[name].authors.values())
        return View(
            tuple(self._swarms[name].view(name, now) for name in ranked if not is_private(name)),
            min(len(private), len({node.place for node in nodes})),
        )

    def _ranked(self, now: float) -> list[str]:
        """All by falling standing, then by their authors; of equals the oldest comes first."""
        self._forget(now)
        swarms_of = Counter(
            (node.place, author)
            for swarm in self._swarms.values()
            for author, node in swarm.authors.items()
        )
        authors_at = Counter(place for place, _ in swarms_of)

        def standing(swarm: _Swarm) -> float:
            parts = (
                1 / (authors_at[node.place] * swarms_of[node.place, author])
                for author, node in swarm.authors.items()
            )
            return round(fsum(parts), 9)  # so that equals are equal

        worth = {name: (standing(one), len(one.authors)) for name, one in self._swarms.items()}
        return sorted(worth, key=worth.__getitem__, reverse=True)  # stable in reverse, too

    def _forget(self, now: float) -> None:
        for swarm in self._swarms.values():
            swarm.forget(now)
