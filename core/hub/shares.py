"""What each place takes of a full store, so that whoever fills it makes room at its own cost."""

from collections import deque
from collections.abc import Container
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from typing import Final

_SPARE: Final = 64
"""Entries that are kept although they are out of date, beside one for each that is not."""


@dataclass(slots=True)
class _Share:
    """What a place takes; no place is without items."""

    bytes: int = 0
    numbers: deque[int] = field(default_factory=deque)  # oldest first; some are gone already


class Shares:
    """The shares of all places, and which is the largest; a change costs O(log n) of n places."""

    def __init__(self, alive: Container[int]) -> None:
        """``alive`` has the numbers of all items that there are."""
        self._alive = alive
        self._by_place: dict[str, _Share] = {}
        self._largest_first: list[tuple[int, int, str]] = []  # a heap with an entry a change

    def add(self, place: str, number: int, size: int) -> None:
        """Count the newest item, which takes ``size`` bytes."""
        share = self._by_place.setdefault(place, _Share())
        share.bytes += size
        share.numbers.append(number)
        self._enter(place)

    def remove(self, place: str, size: int) -> None:
        """Count off an item of ``size`` bytes that is alive no more."""
        share = self._by_place[place]
        share.bytes -= size
        while share.numbers and share.numbers[0] not in self._alive:
            share.numbers.popleft()
        if share.numbers:
            self._enter(place)
        else:
            del self._by_place[place]

    def largest(self) -> tuple[int, int]:
        """Bytes of the largest share, and the number of its oldest item; 0 and 0 without any.

        Of equal shares it is the one with the oldest item.
        """
        while self._largest_first:
            entry = self._largest_first[0]
            place = entry[2]
            if place in self._by_place and entry == self._entry(place):
                return -entry[0], entry[1]
            heappop(self._largest_first)  # it changed since
        return 0, 0

    def _enter(self, place: str) -> None:
        heappush(self._largest_first, self._entry(place))
        if len(self._largest_first) > 2 * len(self._by_place) + _SPARE:
            self._largest_first = [self._entry(one) for one in self._by_place]
            heapify(self._largest_first)

    def _entry(self, place: str) -> tuple[int, int, str]:
        share = self._by_place[place]
        return -share.bytes, share.numbers[0], place
