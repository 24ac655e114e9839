"""Who is around: pure bookkeeping of the authors whose rollouts arrive."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from core.rollouts.types import PeerId

FORGET_AFTER_S = 300.0
MOST = 1_000
"""Beyond this many authors the ones heard of longest ago are forgotten, without ceremony."""


@dataclass(frozen=True, slots=True)
class Change:
    """Who is new and who fell silent."""

    joined: tuple[PeerId, ...]
    left: tuple[PeerId, ...]


@dataclass(slots=True)
class Presence:
    """Authors heard of lately."""

    _last_seen: dict[PeerId, float] = field(default_factory=dict)  # last time, monotonic seconds

    def update(self, authors: Iterable[PeerId], now: float) -> Change:
        """Note that rollouts of ``authors`` arrived at ``now``."""
        present = list(dict.fromkeys(authors))
        joined = tuple(author for author in present if author not in self._last_seen)
        for author in present:
            self._last_seen.pop(author, None)
            self._last_seen[author] = now
        left = tuple(a for a, at in self._last_seen.items() if now - at > FORGET_AFTER_S)
        for author in left:
            del self._last_seen[author]
        while len(self._last_seen) > MOST:
            del self._last_seen[next(iter(self._last_seen))]
        return Change(joined, left)
