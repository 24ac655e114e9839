"""Taking turns: a fair order of what many have to give, found no further than it is asked for."""

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")
U = TypeVar("U")


def shuffled(members: Sequence[T], rng: Random) -> Iterator[T]:
    """All members in random order; taking k of them costs O(k), however many there are."""
    moved: dict[int, int] = {}  # Fisher and Yates, of the places that were touched alone
    for nth in range(len(members)):
        at = rng.randrange(nth, len(members))
        yield members[moved.get(at, at)]
        moved[at] = moved.get(nth, nth)


def turns(members: Sequence[T], give: Callable[[T], Iterator[U]], rng: Random) -> Iterator[U]:
    """One of each member in random order, then a second one of each that has it, and so on.

    Wherever it is cut short, the order within the last round was random as well.
    """
    going: list[Iterator[U]] = []
    for member in shuffled(members, rng):
        given = give(member)
        yield from _next_of(given, going)
    while going:
        order, going = list(shuffled(going, rng)), []
        for given in order:
            yield from _next_of(given, going)


def _next_of(given: Iterator[U], going: list[Iterator[U]]) -> Iterator[U]:
    """The next one, if there is one; then ``given`` may have more."""
    for one in given:
        going.append(given)
        yield one
        return
