"""Index of the living items and notes of all authors, and a fair draw from the items; no I/O here.

Items are held by number: a store keeps the bytes of item n, the roster says which n are alive.
Notes are held whole, since they are small and need not outlive the process. A draw of k items
costs O(k); an item that comes or goes costs O(log n) of the places there are, a note O(1).
"""

import math
from collections import Counter, OrderedDict, deque
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import islice, takewhile
from random import Random
from typing import Generic, TypeVar

from core.hub.decks import SOMEWHERE
from core.hub.shares import Shares
from core.hub.store import ITEM_OVERHEAD, HubNote, StoreLimits, StoreStats
from core.hub.turns import shuffled, turns
from core.rollouts.types import PeerId
from core.wire.codec import AUTHOR_NOTES, AUTHOR_SLOTS, ITEM_LIFE_S

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
class _IndexedSet(Generic[T]):
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
class _SwarmItems:
    """The authors of one swarm by place; no place is without authors, no author without items."""

    authors: Counter[PeerId] = field(default_factory=Counter)  # in how many places each is
    places: _IndexedSet[str] = field(default_factory=_IndexedSet)
    residents: dict[str, _IndexedSet[PeerId]] = field(default_factory=dict)  # by place
    numbers: dict[tuple[str, PeerId], deque[int]] = field(default_factory=dict)
    """Numbers of the items that an author left at a place, oldest first."""

    def add(self, item: Item) -> deque[int]:
        """Add the item; the numbers of all that its author left at its place, oldest first."""
        place, author = item.place, item.author
        if (place, author) not in self.numbers:
            self.numbers[place, author] = deque()
            self.authors[author] += 1
            self.residents.setdefault(place, _IndexedSet()).add(author)
            self.places.add(place)
        numbers_here = self.numbers[place, author]
        numbers_here.append(item.number)
        return numbers_here

    def remove_oldest(self, place: str, author: PeerId) -> None:
        numbers_here = self.numbers[place, author]
        numbers_here.popleft()
        if numbers_here:
            return
        del self.numbers[place, author]
        self.authors[author] -= 1
        if not self.authors[author]:
            del self.authors[author]
        self.residents[place].remove(author)
        if not self.residents[place].members:
            del self.residents[place]
            self.places.remove(place)


@dataclass(frozen=True, slots=True)
class _KeptNote:
    """A note, its swarm, and when it came."""

    swarm: str
    note: HubNote
    received: float


K = TypeVar("K")
R = TypeVar("R", Item, _KeptNote)


class _Inboxes:
    """The notes of all swarms; ``notes`` are oldest first, as is each inbox."""

    def __init__(self) -> None:
        self.notes: OrderedDict[tuple[str, PeerId, PeerId], _KeptNote] = OrderedDict()
        self.bytes = 0
        self._senders: dict[tuple[str, PeerId], OrderedDict[PeerId, None]] = {}

    def add(self, kept: _KeptNote) -> None:
        swarm, note = kept.swarm, kept.note
        if (swarm, note.author, note.sender) in self.notes:
            self._remove(swarm, note.author, note.sender)
        senders = self._senders.setdefault((swarm, note.author), OrderedDict())
        senders[note.sender] = None
        self.notes[swarm, note.author, note.sender] = kept
        self.bytes += len(note.data)
        if len(senders) > AUTHOR_NOTES:
            self._remove(swarm, note.author, next(iter(senders)))

    def read(self, swarm: str, author: PeerId) -> tuple[bytes, ...]:
        senders = self._senders.get((swarm, author), ())
        return tuple(self.notes[swarm, author, sender].note.data for sender in senders)

    def oldest(self) -> float:
        """When the oldest came; never, if there is none."""
        return next(iter(self.notes.values())).received if self.notes else math.inf

    def remove_oldest(self) -> None:
        self._remove(*next(iter(self.notes)))

    def _remove(self, swarm: str, author: PeerId, sender: PeerId) -> None:
        self.bytes -= len(self.notes.pop((swarm, author, sender)).note.data)
        senders = self._senders[swarm, author]
        del senders[sender]
        if not senders:
            del self._senders[swarm, author]


def _turn_back(kept: OrderedDict[K, R], now: float) -> None:
    """Let nothing in ``kept``, oldest first, be later than what comes ``now``.

    Where the clock was set back all that followed would wait for what came before that to die.
    """
    for key in [*takewhile(lambda key: kept[key].received > now, reversed(kept))]:
        kept[key] = replace(kept[key], received=now)


class Roster:
    """The living items and notes of all swarms."""

    def __init__(self, limits: StoreLimits, rng: Random) -> None:
        self._limits = limits
        self._rng = rng
        self._items: OrderedDict[int, Item] = OrderedDict()  # oldest first; a dict finds it in O(n)
        self._swarms: dict[str, _SwarmItems] = {}
        self._shares = Shares(self._items)
        self._inboxes = _Inboxes()
        self._bytes = 0  # of items

    def add(self, item: Item) -> list[int]:
        """Take in the newest item; the numbers of those that had to make room for it."""
        _turn_back(self._items, item.received)
        numbers_here = self._swarms.setdefault(item.swarm, _SwarmItems()).add(item)
        self._items[item.number] = item
        self._bytes += item.size
        self._shares.add(item.place, item.number, item.size + ITEM_OVERHEAD)
        removed = []
        if len(numbers_here) > AUTHOR_SLOTS:
            removed.append(self._remove(self._items[numbers_here[0]]))
        return removed + self._make_room()

    def leave(self, swarm: str, note: HubNote, received: float) -> list[int]:
        """Put the newest note into its author's inbox; the numbers of items that made room."""
        _turn_back(self._inboxes.notes, received)
        self._inboxes.add(_KeptNote(swarm, note, received))
        return self._make_room()

    def collect(self, swarm: str, author: PeerId) -> tuple[bytes, ...]:
        """The notes in the author's inbox, oldest first."""
        return self._inboxes.read(swarm, author)

    def has(self, swarm: str, author: PeerId) -> bool:
        """Whether the author has a living item in ``swarm``."""
        return swarm in self._swarms and author in self._swarms[swarm].authors

    def expire(self, now: float) -> list[int]:
        """Remove what lives no longer; the numbers of the items removed."""
        _turn_back(self._items, now)  # nothing else may come for long after a clock was set back
        _turn_back(self._inboxes.notes, now)
        before, removed = now - ITEM_LIFE_S, []
        while self._inboxes.oldest() < before:
            self._inboxes.remove_oldest()
        while self._items and self._oldest().received < before:
            removed.append(self._remove(self._oldest()))
        return removed

    def draw(self, swarm: str, k: int, exclude: PeerId) -> list[tuple[int, str]]:
        """Numbers of up to ``k`` distinct items, as ``Store.draw`` promises, each with its place.

        No rejection is needed, except of the one author: all lists are dense.
        """
        swarm_items = self._swarms.get(swarm)
        if swarm_items is None:
            return []
        rng = self._rng

        def of_place(place: str) -> Iterator[tuple[int, str]]:
            def of_author(author: PeerId) -> Iterator[tuple[int, str]]:
                numbers_here = () if author == exclude else swarm_items.numbers[place, author]
                return ((number, place) for number in shuffled(numbers_here, rng))

            return turns(swarm_items.residents[place].members, of_author, rng)

        return list(islice(turns(swarm_items.places.members, of_place, rng), k))

    def peers(self, swarm: str, exclude: PeerId) -> int:
        """Authors with living items in ``swarm``, ``exclude`` not counted."""
        swarm_items = self._swarms.get(swarm)
        return len(swarm_items.authors) - (exclude in swarm_items.authors) if swarm_items else 0

    def stats(self) -> StoreStats:
        """Totals over all swarms."""
        authors = sum(len(swarm_items.authors) for swarm_items in self._swarms.values())
        return StoreStats(authors, len(self._items), self._bytes + self._inboxes.bytes)

    def _make_room(self) -> list[int]:
        """Remove the oldest of what takes most until the limits hold; the numbers of the items.

        Whoever fills the store would else push out what others left, and not its own.
        """
        removed = []
        while len(self._items) > self._limits.items:
            _, number = self._shares.largest()
            removed.append(self._remove(self._items[number]))
        while self._bytes + self._inboxes.bytes > self._limits.bytes:
            most, number = self._shares.largest()
            if most > self._inboxes.bytes:
                removed.append(self._remove(self._items[number]))
            else:
                self._inboxes.remove_oldest()
        return removed

    def _oldest(self) -> Item:
        return self._items[next(iter(self._items))]

    def _remove(self, item: Item) -> int:
        """Remove an author's oldest item."""
        swarm_items = self._swarms[item.swarm]
        swarm_items.remove_oldest(item.place, item.author)
        if not swarm_items.authors:
            del self._swarms[item.swarm]
        del self._items[item.number]
        self._bytes -= item.size
        self._shares.remove(item.place, item.size + ITEM_OVERHEAD)
        return item.number
