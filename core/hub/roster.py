"""Index of the living items and notes of all authors, and a fair draw from the items; no I/O here.

Items are held by number: a store keeps the bytes of item n, the roster says which n are alive.
Notes are held whole, since they are small and need not outlive the process. Appending, expiring
and evicting cost O(1) per item or note, a draw of k items O(k).
"""

import math
from collections import Counter, OrderedDict, deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from random import Random
from typing import Generic, TypeVar

from core.hub.store import SOMEWHERE, HubNote, StoreLimits, StoreStats
from core.hub.turns import shuffled, turns
from core.rollouts.types import PeerId
from core.wire.codec import AUTHOR_NOTES, AUTHOR_SLOTS

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Item:
    """A living item of a store."""

    number: int  # grows with every item
    swarm: str
    author: PeerId
    received: float  # seconds; grows with the number
    size: int  # bytes of the envelope
    place: str = SOMEWHERE  # where it was left from


@dataclass(slots=True)
class _Dense(Generic[T]):
    """A set whose members stand in a list, so that a draw can index them."""

    members: list[T] = field(default_factory=list)
    _index: dict[T, int] = field(default_factory=dict)

    def add(self, member: T) -> None:
        if member not in self._index:
            self._index[member] = len(self.members)
            self.members.append(member)

    def remove(self, member: T) -> None:
        index, last = self._index.pop(member), self.members.pop()
        if last != member:  # the last one moves into the gap
            self.members[index] = last
            self._index[last] = index


@dataclass(slots=True)
class _Meadow:
    """The authors of one swarm by place; no place is without authors, no author without items."""

    authors: Counter[PeerId] = field(default_factory=Counter)  # in how many places each is
    places: _Dense[str] = field(default_factory=_Dense)
    residents: dict[str, _Dense[PeerId]] = field(default_factory=dict)  # by place
    shelves: dict[tuple[str, PeerId], deque[int]] = field(default_factory=dict)
    """Numbers of the items that an author left at a place, oldest first."""

    def add(self, item: Item) -> deque[int]:
        """Put the item on its shelf; the shelf."""
        place, author = item.place, item.author
        if (place, author) not in self.shelves:
            self.shelves[place, author] = deque()
            self.authors[author] += 1
            self.residents.setdefault(place, _Dense()).add(author)
            self.places.add(place)
        shelf = self.shelves[place, author]
        shelf.append(item.number)
        return shelf

    def remove_oldest(self, place: str, author: PeerId) -> None:
        shelf = self.shelves[place, author]
        shelf.popleft()
        if shelf:
            return
        del self.shelves[place, author]
        self.authors[author] -= 1
        if not self.authors[author]:
            del self.authors[author]
        self.residents[place].remove(author)
        if not self.residents[place].members:
            del self.residents[place]
            self.places.remove(place)


@dataclass(frozen=True, slots=True)
class _Letter:
    """A note and where it lies."""

    swarm: str
    note: HubNote
    received: float


class _Inboxes:
    """The notes of all swarms; ``letters`` are oldest first, as is each inbox."""

    def __init__(self) -> None:
        self.letters: OrderedDict[tuple[str, PeerId, PeerId], _Letter] = OrderedDict()
        self.bytes = 0
        self._senders: dict[tuple[str, PeerId], OrderedDict[PeerId, None]] = {}

    def add(self, letter: _Letter) -> None:
        swarm, note = letter.swarm, letter.note
        if (swarm, note.author, note.sender) in self.letters:
            self._remove(swarm, note.author, note.sender)
        senders = self._senders.setdefault((swarm, note.author), OrderedDict())
        senders[note.sender] = None
        self.letters[swarm, note.author, note.sender] = letter
        self.bytes += len(note.data)
        if len(senders) > AUTHOR_NOTES:
            self._remove(swarm, note.author, next(iter(senders)))

    def read(self, swarm: str, author: PeerId) -> tuple[bytes, ...]:
        senders = self._senders.get((swarm, author), ())
        return tuple(self.letters[swarm, author, sender].note.data for sender in senders)

    def oldest(self) -> float:
        """When the oldest came; never, if there is none."""
        return next(iter(self.letters.values())).received if self.letters else math.inf

    def remove_oldest(self) -> None:
        self._remove(*next(iter(self.letters)))

    def _remove(self, swarm: str, author: PeerId, sender: PeerId) -> None:
        self.bytes -= len(self.letters.pop((swarm, author, sender)).note.data)
        senders = self._senders[swarm, author]
        del senders[sender]
        if not senders:
            del self._senders[swarm, author]


class Roster:
    """The living items and notes of all swarms."""

    def __init__(self, limits: StoreLimits, rng: Random) -> None:
        self._limits = limits
        self._rng = rng
        self._items: OrderedDict[int, Item] = OrderedDict()  # oldest first; a dict finds it in O(n)
        self._meadows: dict[str, _Meadow] = {}
        self._inboxes = _Inboxes()
        self._bytes = 0  # of items

    def add(self, item: Item) -> list[int]:
        """Take in the newest item; the numbers of those that had to make room for it."""
        shelf = self._meadows.setdefault(item.swarm, _Meadow()).add(item)
        self._items[item.number] = item
        self._bytes += item.size
        removed = []
        if len(shelf) > AUTHOR_SLOTS:
            removed.append(self._remove(self._items[shelf[0]]))
        return removed + self._make_room()

    def leave(self, swarm: str, note: HubNote, received: float) -> list[int]:
        """Put the newest note into its author's inbox; the numbers of items that made room."""
        self._inboxes.add(_Letter(swarm, note, received))
        return self._make_room()

    def collect(self, swarm: str, author: PeerId) -> tuple[bytes, ...]:
        """The notes in the author's inbox, oldest first."""
        return self._inboxes.read(swarm, author)

    def has(self, swarm: str, author: PeerId) -> bool:
        """Whether the author has a living item in ``swarm``."""
        return swarm in self._meadows and author in self._meadows[swarm].authors

    def expire(self, before: float) -> list[int]:
        """Remove what was received before that time; the numbers of the items removed."""
        removed = []
        while self._inboxes.oldest() < before:
            self._inboxes.remove_oldest()
        while self._items and self._oldest().received < before:
            removed.append(self._remove(self._oldest()))
        return removed

    def draw(self, swarm: str, k: int, exclude: PeerId) -> list[tuple[int, str]]:
        """Numbers of up to ``k`` distinct items, as ``Store.draw`` promises, each with its place.

        No rejection is needed, except of the one author: all lists are dense.
        """
        meadow = self._meadows.get(swarm)
        if meadow is None:
            return []
        rng = self._rng

        def of_place(place: str) -> Iterator[tuple[int, str]]:
            def of_author(author: PeerId) -> Iterator[tuple[int, str]]:
                shelf = () if author == exclude else meadow.shelves[place, author]
                return ((number, place) for number in shuffled(shelf, rng))

            return turns(meadow.residents[place].members, of_author, rng)

        return list(islice(turns(meadow.places.members, of_place, rng), k))

    def peers(self, swarm: str, exclude: PeerId) -> int:
        """Authors with living items in ``swarm``, ``exclude`` not counted."""
        meadow = self._meadows.get(swarm)
        return len(meadow.authors) - (exclude in meadow.authors) if meadow else 0

    def stats(self) -> StoreStats:
        """Totals over all swarms."""
        authors = sum(len(meadow.authors) for meadow in self._meadows.values())
        return StoreStats(authors, len(self._items), self._bytes + self._inboxes.bytes)

    def _make_room(self) -> list[int]:
        """Remove the oldest until the limits hold; the numbers of the items among it."""
        removed = []
        while len(self._items) > self._limits.items:
            removed.append(self._remove(self._oldest()))
        while self._bytes + self._inboxes.bytes > self._limits.bytes:
            if self._items and self._oldest().received <= self._inboxes.oldest():
                removed.append(self._remove(self._oldest()))
            else:
                self._inboxes.remove_oldest()
        return removed

    def _oldest(self) -> Item:
        return self._items[next(iter(self._items))]

    def _remove(self, item: Item) -> int:
        """Remove an author's oldest item."""
        meadow = self._meadows[item.swarm]
        meadow.remove_oldest(item.place, item.author)
        if not meadow.authors:
            del self._meadows[item.swarm]
        del self._items[item.number]
        self._bytes -= item.size
        return item.number
