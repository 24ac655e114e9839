"""What a draw from Redis takes of what its shards have at hand: pure choices, and no I/O."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice
from random import Random

from core.hub.turns import shuffled, turns, wanted_first


@dataclass(frozen=True, slots=True)
class AuthorItems:
    """The items of one author at one place."""

    whose: bytes  # SWARM/PLACE/AUTHOR
    tails: Sequence[bytes]  # see ``core.hub.redis_scripts``


def cell_of(tail: bytes) -> bytes:
    """The label of an item's cell in hex digits; empty where its name tells none."""
    _, *cell, _ = tail.split(b"/")
    return cell[0] if cell else b""


def draw_shards(counts: Sequence[int], k: int, rng: Random) -> list[int]:
    """The shards of ``k`` random places and one to spare, given how many places each has.

    Empty if there are no more than ``k``, so that all are needed.
    """
    total = sum(counts)
    if total <= k:
        return []
    ends = list(accumulate(counts))
    return [bisect_right(ends, place) for place in rng.sample(range(total), k + 1)]


def draw_items(
    by_place: Sequence[Sequence[AuthorItems]],
    k: int,
    rng: Random,
    cells: frozenset[bytes] = frozenset(),
) -> list[bytes]:
    """Names of ``k`` items, taken in turns: see ``Store.draw``; ``cells`` are in hex digits."""

    def of_author(own: AuthorItems) -> Iterator[bytes]:
        tails = (
            wanted_first(own.tails, lambda tail: cell_of(tail) in cells, rng)
            if cells
            else shuffled(own.tails, rng)
        )
        return (b"%s/%s" % (own.whose, tail) for tail in tails)

    def of_place(given: Sequence[AuthorItems]) -> Iterator[bytes]:
        return turns(given, of_author, rng)

    return list(islice(turns(by_place, of_place, rng), k))
