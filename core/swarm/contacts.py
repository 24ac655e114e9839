"""Whom this node met itself, and where: the ground of every figure about others that is shown.

Hubs may claim any number of others, and anybody may send receipts under any number of keys. What
a person is told counts only those who were met: an envelope of theirs came, or they asked this
node directly. It is bounded, so that neither a hub nor a place that makes up keys pushes out those
who were met in other ways:

====================================  ==========  ==================
limit                                 value       constant
====================================  ==========  ==================
others remembered of one origin       1,024       MOST_CONTACTS
origins, the latest stay              32          MOST_ORIGINS
others of one place                   64          MOST_AT_PLACE
====================================  ==========  ==================

An origin is a hub, or all whom this node met directly.
"""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median_low
from typing import Final

from core.rollouts.types import PeerId
from core.storage.bounded import BoundedDict
from core.wire.codec import ITEM_LIFE_S

MOST_CONTACTS: Final = 1_024
MOST_ORIGINS: Final = 32
MOST_AT_PLACE: Final = 64

DIRECT: Final = ""
"""The origin of those who were met without a hub."""


@dataclass(frozen=True, slots=True)
class ContactPoint:
    """The hub, and the place of the network, at which another node was met."""

    origin: str  # address of a hub, or DIRECT
    place: str  # see ``core.net.limits.place_of``; at a hub, its label or nothing


@dataclass(frozen=True, slots=True)
class _Contact:
    at: ContactPoint  # where it was met first
    seen_at: float  # last time, in seconds of the clock


class Contacts:
    """Others who were met, those heard last at the end."""

    def __init__(self, clock: Callable[[], float]) -> None:
        """``clock`` is in seconds and never goes back."""
        self._clock = clock
        self._origins = BoundedDict[str, BoundedDict[PeerId, _Contact]](MOST_ORIGINS)

    def note(self, peer: PeerId, at: ContactPoint) -> None:
        """``peer`` was met; unless its place is full, of others who were not silent for long."""
        met = self._origins.get(at.origin, BoundedDict[PeerId, _Contact](MOST_CONTACTS))
        self._origins[at.origin] = met
        if peer not in met and not self._make_room(met, at):
            return
        known = met.get(peer)
        met[peer] = _Contact(known.at if known else at, self._clock())

    def find(self, peer: PeerId) -> ContactPoint | None:
        """Where ``peer`` was met; None if it was not."""
        found = (met[peer].at for met in self._origins.values() if peer in met)
        return next(found, None)

    def alive(self, claims: Sequence[int]) -> int:
        """The number of other nodes told to a person, where hubs claim that so many are alive.

        Whatever is claimed, no more than were met in the last ``ITEM_LIFE_S``; and no more than
        the lower median of the claims, as some who were met may have left. In a large swarm that
        is less than there are: it grows with those who are drawn.
        """
        since = self._clock() - ITEM_LIFE_S
        met = {
            peer
            for origin in self._origins.values()
            for peer, contact in origin.items()
            if contact.seen_at > since
        }
        return min(len(met), median_low(claims or [0]))

    def _make_room(self, met: OrderedDict[PeerId, _Contact], at: ContactPoint) -> bool:
        """Whether one more of that place fits; who was silent for longest makes room."""
        there = [peer for peer, contact in met.items() if contact.at == at]
        if len(there) < MOST_AT_PLACE:
            return True
        if met[there[0]].seen_at > self._clock() - ITEM_LIFE_S:
            return False
        del met[there[0]]
        return True
