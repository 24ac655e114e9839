"""The store of a hub, as a Protocol.

A store is asked about bytes and authors only: whatever comes in was checked, whatever goes out is
checked again by whoever receives it. Items live ``ITEM_LIFE_S`` seconds and each author has
``AUTHOR_SLOTS`` of them at each place; both stand in ``core.wire.codec``. Notes to authors are
courtesy: they may be lost at any time, and nothing rests on them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from core.hub.decks import SOMEWHERE, DeckLimits, DeckStore
from core.rollouts.types import PeerId
from core.wire.codec import AUTHOR_NOTES
from core.wire.envelope import Envelope

ITEM_OVERHEAD = 1 << 11
"""Bytes that an item counts beside its own where places are compared: its part of the number of
items that a store keeps, or many tiny ones would weigh nothing."""


@dataclass(frozen=True, slots=True)
class StoreLimits:
    """Sizes of a store; beyond them the oldest of the place goes that takes the most.

    So who leaves much displaces what it left itself, in whichever swarms. All notes together count
    as what one place takes, of which none is theirs.
    """

    bytes: int = 1 << 30  # of envelopes and notes
    items: int = 500_000
    authors: int = 200_000  # whose sequences are remembered
    decks: DeckLimits = field(default_factory=DeckLimits)


@dataclass(frozen=True, slots=True)
class Sample:
    """The items that a draw returned, and the number of authors there are."""

    envelopes: tuple[bytes, ...]  # distinct
    places: tuple[str, ...]  # that each was left from
    peers: int
    """Authors alive in the swarm, the excluded one not counted. Perhaps each once a place, and the
    excluded one then at all of its places but one."""


@dataclass(frozen=True, slots=True)
class StoreStats:
    """Totals of a store over all swarms."""

    authors: int  # with a living item, each once a swarm; perhaps once a place
    items: int
    bytes: int  # of envelopes and notes


@dataclass(frozen=True, slots=True)
class HubNote:
    """A few bytes for an author, such as who learnt from what; a store does not read them."""

    author: PeerId  # to whom
    sender: PeerId
    data: bytes


def newest(notes: Sequence[HubNote]) -> list[HubNote]:
    """The ones of ``notes`` that an inbox would keep, in their order.

    Of one sender to one author the last one stays, and of one author the last ``AUTHOR_NOTES``.
    """
    inboxes: dict[PeerId, dict[PeerId, int]] = {}  # place of each sender's last note
    for place in reversed(range(len(notes))):
        inbox = inboxes.setdefault(notes[place].author, {})
        if len(inbox) < AUTHOR_NOTES:
            inbox.setdefault(notes[place].sender, place)
    places = sorted(place for inbox in inboxes.values() for place in inbox.values())
    return [notes[place] for place in places]


class Store(Protocol):
    """Keeps the newest envelopes of each swarm for a few minutes and hands out random ones."""

    @property
    def decks(self) -> DeckStore:
        """The decks of its swarms, which are none of the figures below."""

    async def append(self, envelopes: Sequence[Envelope], place: str = SOMEWHERE) -> list[bool]:
        """Keep the envelopes, in order; True for each that is new.

        New means that its sequence was not taken before, nor is below the ``AUTHOR_SLOTS`` highest
        that were, of its author in its swarm. What was answered True survives the end of the
        process, if the store is one that lasts, and is answered False for at least
        ``REPLAY_MEMORY_S`` from then on.

        ``place``, in hex digits, is where they were left from. An envelope belongs to the place
        that brought it first, so whoever sends somebody's envelopes from elsewhere is drawn for
        them at that place and takes nothing away but those.

        Raises:
            SwarmError: nothing was kept; or, if the store is behind a network that failed in
                between, some was, or was lost, and is answered False when it is sent again.
        """

    async def draw(self, swarm: str, k: int, exclude: PeerId) -> Sample:
        """Up to ``k`` distinct items of authors other than ``exclude``, in random order.

        Uniform over places, then over the authors of a place, then over an author's living items,
        so that nobody is louder by sending more, or under more names. A place comes twice only
        when every other one that has more has come once, and so on; so does an author among those
        of its place. Where every author has a place of its own, that is uniform over authors. Who
        left something at two places has a turn at each.

        Raises:
            SwarmError: the store cannot be read.
        """

    async def leave(self, swarm: str, notes: Sequence[HubNote]) -> None:
        """Keep notes for their authors, for ``ITEM_LIFE_S``.

        The newest ``AUTHOR_NOTES`` of each author stay, and of one sender to one author only the
        newest. Who has no living item and whose sequences are forgotten gets none, so that
        nobody fills the store with notes to nobody.

        Raises:
            SwarmError: perhaps none was kept.
        """

    async def collect(self, swarm: str, author: PeerId) -> tuple[bytes, ...]:
        """The living notes for ``author``, oldest first.

        Asking does not remove them, because anybody may ask.

        Raises:
            SwarmError: the store cannot be read.
        """

    async def stats(self) -> StoreStats:
        """Totals of what is alive."""

    async def aclose(self) -> None:
        """Let go of files and threads."""
