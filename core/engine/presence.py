"""Presence of other nodes: pure bookkeeping of the authors whose rollouts arrive."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from core.rollouts.types import PeerId
from core.storage.bounded import BoundedDict

FORGET_AFTER_S = 300.0
MOST = 1_000
"""Beyond this many authors the ones heard of longest ago are forgotten, without ceremony."""


@dataclass(frozen=True, slots=True)
class Change:
    """Authors who are new, and those who fell silent."""

    joined: tuple[PeerId, ...]
    left: tuple[PeerId, ...]


@dataclass(slots=True)
class Presence:
    """The authors heard of in the last ``FORGET_AFTER_S`` seconds."""

    _last_seen: BoundedDict[PeerId, float] = field(default_factory=lambda: BoundedDict(MOST))
    """When each was heard of last, in monotonic seconds."""

    def update(self, authors: Iterable[PeerId], now: float) -> Change:
        """Note that rollouts of ``authors`` arrived at ``now``."""
        present = dict.fromkeys(authors)
        joined = tuple(author for author in present if author not in self._last_seen)
        silent = (a for a, at in self._last_seen.items() if now - at > FORGET_AFTER_S)
        left = tuple(author for author in silent if author not in present)
        for author in left:
            del self._last_seen[author]
        for author in present:
            self._last_seen[author] = now
        return Change(joined, left)
