"""Limits of connections and requests: so much in all, so many of one site.

A few addresses could otherwise hold every slot with connections that never finish a request, and
keep everybody else out for as long as they like. So, where there is no room, the first slot of the
site that takes most is freed, unless the newcomer's own site takes as much.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass(eq=False, slots=True)
class ConnectionSlot:
    """The share of a limit that one connection or request takes."""

    site: str
    weight: int
    evict: Callable[[], None] | None = None  # ends the connection; None: not at this moment


class ConnectionLimit:
    """Counts connections by site, and makes room at the cost of the site that has most."""

    def __init__(self, room: int, most_per_site: int) -> None:
        """``room`` is in the unit of the weights; ``most_per_site`` is a number of slots."""
        self._free = room
        self._most_per_site = most_per_site
        self._by_site: dict[str, dict[ConnectionSlot, None]] = {}  # of each the first comer first

    def __len__(self) -> int:
        return sum(map(len, self._by_site.values()))

    @contextmanager
    def take(
        self, site: str, weight: int = 1, evict: Callable[[], None] | None = None
    ) -> Iterator[ConnectionSlot | None]:
        """Take a slot until the block ends; None, and none is taken, where there is no room."""
        slot = ConnectionSlot(site, weight, evict)
        if not self._fits(slot):
            yield None
            return
        self._by_site.setdefault(site, {})[slot] = None
        self._free -= weight
        try:
            yield slot
        finally:
            self._release(slot)

    def resize(self, slot: ConnectionSlot, weight: int) -> bool:
        """Give ``slot`` another weight; False, and no change, without room or once it is lost."""
        if slot not in self._by_site.get(slot.site, ()):  # it was released before it was evicted
            return False
        extra = weight - slot.weight
        if not self._make_room(extra, self._weight(slot.site)):
            return False
        self._free -= extra
        slot.weight = weight
        return True

    def _fits(self, slot: ConnectionSlot) -> bool:
        if len(self._by_site.get(slot.site, ())) >= self._most_per_site:
            return False
        return self._make_room(slot.weight, self._weight(slot.site))

    def _make_room(self, amount: int, own: int) -> bool:
        """Free so much for a site that takes ``own``, if need be at the cost of others."""
        while self._free < amount:
            victim = self._first_of_the_largest(above=own + amount if own else 0)
            if victim is None or victim.evict is None:
                return False
            self._release(victim)
            victim.evict()
        return True

    def _first_of_the_largest(self, above: int) -> ConnectionSlot | None:
        """The first slot to be freed of the site that takes the most, if more than ``above``."""
        most, found = above, None
        for site, slots in self._by_site.items():
            weight = self._weight(site)
            if weight > most:
                first = next((slot for slot in slots if slot.evict is not None), None)
                most, found = (weight, first) if first is not None else (most, found)
        return found

    def _weight(self, site: str) -> int:
        return sum(slot.weight for slot in self._by_site.get(site, ()))

    def _release(self, slot: ConnectionSlot) -> None:
        """Free what ``slot`` takes, if it still does."""
        slots = self._by_site.get(slot.site, {})
        if slot in slots:
            del slots[slot]
            self._free += slot.weight
            if not slots:
                del self._by_site[slot.site]
