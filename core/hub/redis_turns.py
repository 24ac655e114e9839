"""What a draw from Redis takes of what its shards have at hand: pure choices, and no I/O."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice
from random import Random

from core.hub.turns import shuffled, turns


@dataclass(frozen=True, slots=True)
class AuthorItems:
    """The items of one author at one place."""

    whose: bytes  # SWARM/PLACE/AUTHOR
    tails: Sequence[bytes]  # see ``core.hub.redis_scripts``


def draw_shards(counts: Sequence[int], k: int, rng: Random) -> list[int]:
    """The shards of ``k`` random places and one to spare, given how many places each has.

    Empty if there are no more than ``k``, so that all are needed.
    """
    total = sum(counts)
    if total <= k:
        return []
    ends = list(accumulate(counts))
    return [bisect_right(ends, place) for place in rng.sample(range(total), k + 1)]


def draw_items(by_place: Sequence[Sequence[AuthorItems]], k: int, rng: Random) -> list[bytes]:
    """Names of ``k`` items, taken in turns: see ``Store.draw``."""

    def of_author(own: AuthorItems) -> Iterator[bytes]:
        return (b"%s/%s" % (own.whose, tail) for tail in shuffled(own.tails, rng))

    def of_place(given: Sequence[AuthorItems]) -> Iterator[bytes]:
        return turns(given, of_author, rng)

    return list(islice(turns(by_place, of_place, rng), k))
