"""Limits of connections and requests: so much in all, so many of one site and of its holder.

A few addresses could otherwise hold every slot with connections that never finish a request, and
keep everybody else out for as long as they like. So, where there is no room, the first slot is
freed of the site that takes most among those of the holder (``core.net.limits.holder_of``) that
takes most, unless the newcomer's own takes as much.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from core.net.limits import holder_of
from core.wire.codec import NETWORK_SITES


@dataclass(eq=False, slots=True)
class ConnectionSlot:
    """The share of a limit that one connection or request takes."""

    site: str
    weight: int
    evict: Callable[[], None] | None = None  # ends the connection; None: not at this moment


_Slots = dict[ConnectionSlot, None]  # the first comer first


class ConnectionLimit:
    """Counts connections by site, and makes room at the cost of whoever has most."""

    def __init__(self, room: int, most_per_site: int) -> None:
        """``room`` is in the unit of the weights; ``most_per_site`` is a number of slots."""
        self._free = room
        self._most_per_site = most_per_site
        self._by_holder: dict[str, dict[str, _Slots]] = {}  # and by site
        self._of_sites = Counter[str]()  # their weight
        self._of_holders = Counter[str]()

    def __len__(self) -> int:
        return sum(map(_count, self._by_holder.values()))

    @contextmanager
    def take(
        self, site: str, weight: int = 1, evict: Callable[[], None] | None = None
    ) -> Iterator[ConnectionSlot | None]:
        """Take a slot until the block ends; None, and none is taken, where there is no room."""
        slot = ConnectionSlot(site, weight, evict)
        if not self._fits(slot):
            yield None
            return
        self._by_holder.setdefault(holder_of(site), {}).setdefault(site, {})[slot] = None
        self._charge(slot, weight)
        try:
            yield slot
        finally:
            self._release(slot)

    def resize(self, slot: ConnectionSlot, weight: int) -> bool:
        """Give ``slot`` another weight; False, and no change, without room or once it is lost."""
        if slot not in self._beside(slot).get(slot.site, ()):  # released before it was evicted
            return False
        extra = weight - slot.weight
        if not self._make_room(extra, slot):
            return False
        self._charge(slot, extra)
        slot.weight = weight
        return True

    def _beside(self, slot: ConnectionSlot) -> dict[str, _Slots]:
        """What the holder of its site takes, by site."""
        return self._by_holder.get(holder_of(slot.site), {})

    def _charge(self, slot: ConnectionSlot, amount: int) -> None:
        self._free -= amount
        self._of_sites[slot.site] += amount
        self._of_holders[holder_of(slot.site)] += amount

    def _fits(self, slot: ConnectionSlot) -> bool:
        beside = self._beside(slot)
        if len(beside.get(slot.site, ())) >= self._most_per_site:
            return False
        if _count(beside) >= NETWORK_SITES * self._most_per_site:
            return False
        return self._make_room(slot.weight, slot)

    def _make_room(self, amount: int, wanting: ConnectionSlot) -> bool:
        """Free so much for ``wanting``, if need be at the cost of others."""
        while self._free < amount:
            victim = self._first_of_the_largest(amount, wanting)
            if victim is None or victim.evict is None:
                return False
            self._release(victim)
            victim.evict()
        return True

    def _first_of_the_largest(self, amount: int, wanting: ConnectionSlot) -> ConnectionSlot | None:
        """The first slot to be freed of whoever takes the most, if ``wanting`` takes less."""
        own_holder = holder_of(wanting.site)
        least = _more_than(self._of_holders[own_holder], amount)
        least_beside = _more_than(self._of_sites[wanting.site], amount)
        most, found = (0, 0), None
        for holder, sites in self._by_holder.items():
            total = self._of_holders[holder]
            if total < most[0] or (total < least and holder != own_holder):
                continue
            for site, slots in sites.items():
                weight = self._of_sites[site]
                if (total, weight) <= most or (weight < least_beside and holder == own_holder):
                    continue
                first = next((slot for slot in slots if slot.evict is not None), None)
                if first is not None:
                    most, found = (total, weight), first
        return found

    def _release(self, slot: ConnectionSlot) -> None:
        """Free what ``slot`` takes, if it still does."""
        holder, beside = holder_of(slot.site), self._beside(slot)
        slots = beside.get(slot.site, {})
        if slot not in slots:
            return
        del slots[slot]
        self._charge(slot, -slot.weight)
        if not slots:
            del beside[slot.site], self._of_sites[slot.site]
        if not beside:
            del self._by_holder[holder], self._of_holders[holder]


def _count(sites: dict[str, _Slots]) -> int:
    return sum(map(len, sites.values()))


def _more_than(own: int, amount: int) -> int:
    """What others must take to make room for who takes ``own``; whoever has nothing goes first."""
    return own + amount + 1 if own else 0
