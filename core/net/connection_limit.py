"""Limits of connections and requests: so much in all, so many of one site.

A few addresses could otherwise fill the house with visitors who never finish a sentence, and keep
everybody else outside for as long as they like. So, where there is no room, whoever came first of
the site that takes most of it has to leave, unless the newcomer's own site takes as much.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass(eq=False, slots=True)
class ConnectionSlot:
    """The share of a limit that one connection or request takes."""

    site: str
    weight: int
    leave: Callable[[], None] | None = None  # sends the visitor away; None: not at this moment


class ConnectionLimit:
    """Counts connections by site, and makes room at the cost of the site that has most."""

    def __init__(self, room: int, most_per_site: int) -> None:
        """``room`` is in the unit of the weights; ``most_per_site`` is a number of visitors."""
        self._free = room
        self._most_per_site = most_per_site
        self._rows: dict[
            str, dict[ConnectionSlot, None]
        ] = {}  # by site; of each the first comer first

    def __len__(self) -> int:
        return sum(map(len, self._rows.values()))

    @contextmanager
    def take(
        self, site: str, weight: int = 1, leave: Callable[[], None] | None = None
    ) -> Iterator[ConnectionSlot | None]:
        """Take a slot until the block ends; None, and none is taken, where there is no room."""
        seat = ConnectionSlot(site, weight, leave)
        if not self._may_sit(seat):
            yield None
            return
        self._rows.setdefault(site, {})[seat] = None
        self._free -= weight
        try:
            yield seat
        finally:
            self._release(seat)

    def resize(self, seat: ConnectionSlot, weight: int) -> bool:
        """Give ``slot`` another weight; False, and no change, without room or once it is lost."""
        if seat not in self._rows.get(seat.site, ()):  # its visitor was done before it could leave
            return False
        extra = weight - seat.weight
        if not self._make_room(extra, self._weight(seat.site)):
            return False
        self._free -= extra
        seat.weight = weight
        return True

    def _may_sit(self, seat: ConnectionSlot) -> bool:
        if len(self._rows.get(seat.site, ())) >= self._most_per_site:
            return False
        return self._make_room(seat.weight, self._weight(seat.site))

    def _make_room(self, amount: int, own: int) -> bool:
        """Free so much for a site that takes ``own``, if need be at the cost of others."""
        while self._free < amount:
            victim = self._first_of_the_largest(above=own + amount if own else 0)
            if victim is None or victim.leave is None:
                return False
            self._release(victim)
            victim.leave()
        return True

    def _first_of_the_largest(self, above: int) -> ConnectionSlot | None:
        """The first slot to be freed of the site that takes the most, if more than ``above``."""
        most, found = above, None
        for site, row in self._rows.items():
            weight = self._weight(site)
            if weight > most:
                first = next((seat for seat in row if seat.leave is not None), None)
                most, found = (weight, first) if first is not None else (most, found)
        return found

    def _weight(self, site: str) -> int:
        return sum(seat.weight for seat in self._rows.get(site, ()))

    def _release(self, seat: ConnectionSlot) -> None:
        """Free what ``seat`` takes, if it still does."""
        row = self._rows.get(seat.site, {})
        if seat in row:
            del row[seat]
            self._free += seat.weight
            if not row:
                del self._rows[seat.site]
