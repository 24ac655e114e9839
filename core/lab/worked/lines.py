"""The lines of worked answers: one small operation each, in tokens that can be copied.

A tiny model reads digits one by one, so a line may ask for no more than it can see at once: one
quotient, one digit of a factor, one remainder. Nothing stands between digits but one sign, since
every space costs a token.
"""

from collections.abc import Callable, Sequence
from itertools import accumulate
from math import gcd


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
    result: 92 times 82 is "92*2=184", "92*8=736+18=754", and 754 before the 4 that fell down.
    """
    lines: list[str] = []
    carried = 0
    for place, digit in enumerate(reversed(str(other))):
        part = one * int(digit)
        whole = part + carried
        lines.append(f"{one}*{digit}={part}" + (f"+{carried}={whole}" if place else ""))
        carried = whole // 10
    return lines


def running_total(terms: Sequence[int], write: Callable[[int], str] = str) -> str:
    """The first term, and then every other one with the total that it makes: "3+4=7-9=-2".

    In the order of the prompt, so that what is copied next stands behind what was copied last.
    """
    totals = accumulate(terms)
    return write(next(totals)) + "".join(
        f"{'-' if term < 0 else '+'}{write(abs(term))}={write(total)}"
        for term, total in zip(terms[1:], totals, strict=True)
    )
