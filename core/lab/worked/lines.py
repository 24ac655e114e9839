"""The lines of worked answers: one small operation each, in tokens that can be copied.

A tiny model reads digits one by one, so a line may ask for no more than it can see at once: one
quotient, one digit of a factor, one remainder. Nothing stands between digits but one sign, since
every space costs a token.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate, zip_longest
from math import gcd

TEN = 10


def common_primes(one: int, other: int) -> list[tuple[int, int, int]]:
    """Each prime that divides both, least first, with what it leaves of them; both positive."""
    divisor, prime = gcd(one, other), 2
    lines: list[tuple[int, int, int]] = []
    while divisor > 1:
        while divisor % prime == 0:
            one, other, divisor = one // prime, other // prime, divisor // prime
            lines.append((prime, one, other))
        prime += 1
    return lines


def product(one: int, other: int) -> list[str]:
    """The lines of a multiplication, digit by digit of ``other`` from its units; none negative.

    What each line adds is the line before without its last digit, which falls down into the
    result: 92 times 82 is "92*2=4:18=184", "92*8=16:73=736+18=14:5:7=754", and 754 before the 4
    that fell down.
    """
    lines: list[str] = []
    carried = 0
    for place, digit in enumerate(reversed(str(other))):
        part = one * int(digit)
        line = f"{one}*{digit}={_multiplied(one, int(digit))}{part}"
        lines.append(line + (plus(part, carried) if place else ""))
        carried = (part + carried) // TEN
    return lines


def running_total(terms: Sequence[int], write: Callable[[int], str] = str) -> str:
    """The first term, and then every other one with the total that it makes: "3+4=7-9=-2".

    In the order of the prompt, so that what is copied next stands behind what was copied last.
    """
    totals = accumulate(terms)
    return write(terms[0]) + "".join(
        plus(total, term, write) for total, term in zip(totals, terms[1:], strict=False)
    )


def plus(one: int, other: int, write: Callable[[int], str] = str) -> str:
    """What is written behind ``one`` to add ``other``: behind 75, "+66=11:14=141".

    First the columns from the units, each with what the one before carried, so that no step asks
    for more than two digits; then the sum. Where the signs differ, the columns are of the larger
    number less the smaller, and a "b" stands behind one that borrowed: "18-63=5b:4=-45". Numbers
    of one digit need no columns.
    """
    sign = "-" if other < 0 else "+"
    return f"{sign}{write(abs(other))}={_added(one, other)}{write(one + other)}"


def _added(one: int, other: int) -> str:
    less, more = sorted((abs(one), abs(other)))
    turn = 1 if (one < 0) == (other < 0) else -1
    digits = zip_longest(reversed(str(more)), reversed(str(less)), fillvalue="0")
    return _columns(int(a) + turn * int(b) for a, b in digits) if more >= TEN else ""


def _multiplied(one: int, digit: int) -> str:
    return _columns(int(a) * digit for a in reversed(str(one))) if one >= TEN and digit > 1 else ""


def _columns(values: Iterable[int]) -> str:
    """``values`` from the units on, each with what the one before it carried or borrowed."""
    columns: list[str] = []
    carried = 0
    for value in values:
        carried, digit = divmod(value + carried, TEN)
        columns.append(f"{digit}b" if carried < 0 else f"{carried or ''}{digit}")
    return ":".join(columns) + "="
