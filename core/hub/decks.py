"""The decks that a hub keeps for its swarms, as a Protocol, and how many those may be.

A hub reads none of them. What comes in was checked to belong to its name; it stays for as long as
anybody of the swarm asks for it now and then.
"""

from dataclasses import dataclass
from typing import Final, Protocol

SOMEWHERE: Final = "0"
"""The place of what comes from nowhere in particular, be it a deck or an envelope."""


@dataclass(frozen=True, slots=True)
class DeckLimits:
    """Sizes of what is kept; a full swarm is told so, a full hub makes room: see ``put``."""

    swarm_bytes: int = 1 << 25
    swarm_decks: int = 16
    bytes: int = 10**9
    decks: int = 4_096


class DeckStore(Protocol):
    """Keeps bytes by swarm and name, for ``DECK_LIFE_S`` since they were last put or asked for."""

    async def put(self, swarm: str, name: str, data: bytes, place: str = SOMEWHERE) -> bool:
        """Keep ``data``, instead of what had this name; False, and no change, in a full swarm.

        ``place``, in hex digits, is where it was left from. A deck belongs to the place that
        brought it first. Where the hub is full, room is made by the place that takes the most:
        what was asked for longest ago of its decks goes, of whichever swarm. A deck counts there
        by its bytes and its part of how many a hub keeps.

        Raises:
            SwarmError: it cannot be kept.
        """

    async def get(self, swarm: str, name: str) -> bytes | None:
        """What is kept; None if nothing is. It lives on.

        Raises:
            SwarmError: the store cannot be read.
        """

    async def touch(self, swarm: str, name: str) -> bool:
        """Whether something is kept; it lives on.

        Raises:
            SwarmError: the store cannot be read.
        """
