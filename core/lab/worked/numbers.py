"""Worked answers about whole numbers: divisors, factors, bits and bases.

Every function takes the prompt and the right answer, and returns the lines between. Where several
ways lead to the answer, it takes the one with the fewest tokens.
"""

import re
from itertools import accumulate
from math import gcd
from operator import mul

from core.lab.worked.lines import TEN, common_primes, product

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_NAMED_BASES = {"binary": 2, "hexadecimal": 16}
_CONVERSION = re.compile(r"convert the (\S+) number (\S+) to (\S+)")


def greatest_common_divisor(prompt: str, _: str) -> str:
    """Primes that divide both, what they leave, their product so far: "2:12/18=2,2:6/9=4,3:2/3=12".

    A third of the tokens of Euclid's algorithm, which was no better than answering directly.
    """
    one, other = _numbers(prompt.partition(":")[2])
    return _divisor(one, other)


def _divisor(one: int, other: int) -> str:
    found = common_primes(one, other)
    products = accumulate((prime for prime, _, _ in found), mul)
    lines = [
        f"{prime}:{left}/{right}={product}"
        for (prime, left, right), product in zip(found, products, strict=True)
    ]
    return ",".join(lines) or f"1:{one}/{other}=1"


def least_common_multiple(prompt: str, _: str) -> str:
    """The divisor, then the smaller number without it, times the larger one."""
    smaller, larger = sorted(_numbers(prompt.partition(":")[2]))
    rest = smaller // gcd(smaller, larger)
    return ";".join([_divisor(smaller, larger), *product(larger, rest)])


def simplified_fraction(prompt: str, _: str) -> str:
    """What is left after each prime that divides both: "3:335/385,5:67/77" for 1005/1155.

    A fraction in lowest terms has one line, too: "1:3/4".
    """
    top, bottom = _numbers(prompt)
    lines = [f"{prime}:{left}/{right}" for prime, left, right in common_primes(top, bottom)]
    return ",".join(lines) or f"1:{top}/{bottom}"


def prime_factors(_: str, answer: str) -> str:
    """What is left after each factor: "268/2=134,134/2=67"; of a prime, itself: "7/1=7"."""
    *factors, rest = map(int, answer.split(" \u00d7 "))
    lines: list[str] = []
    for factor in reversed(factors):
        lines.append(f"{rest * factor}/{factor}={rest}")
        rest *= factor
    return ",".join(reversed(lines)) or f"{rest}/1={rest}"


def ones_in_binary(prompt: str, _: str) -> str:
    """Halves, each with the odd ones counted so far: "12:0,6:0,3:1,1:2"."""
    number = _numbers(prompt)[-1]
    halves = [number >> shift for shift in range(number.bit_length())]
    counts = accumulate(half % 2 for half in halves)
    return ",".join(f"{half}:{count}" for half, count in zip(halves, counts, strict=True))


def other_base(prompt: str, _: str) -> str:
    """Digits with the value so far, then quotients with their remainders, last digit first.

    Base 8 to base 5 of 206: "2:2,0:16,6:134;26r4,5r1,1r0,0r1". Of base 10 only one half is needed.
    """
    found = _CONVERSION.search(prompt)
    if found is None:
        raise ValueError(prompt)
    source, target = _base(found[1]), _base(found[3])
    value = int(found[2], source)
    halves = [] if source == TEN else [_read(found[2], source)]
    if target != TEN:
        halves.append(_write(value, target))
    return ";".join(halves)


def _read(digits: str, base: int) -> str:
    values = accumulate((_DIGITS.index(d) for d in digits), lambda value, d: value * base + d)
    return ",".join(f"{digit}:{value}" for digit, value in zip(digits, values, strict=True))


def _write(value: int, base: int) -> str:
    lines: list[str] = []
    while value:
        value, digit = divmod(value, base)
        lines.append(f"{value}r{_DIGITS[digit]}")
    return ",".join(lines)


def _base(name: str) -> int:
    return _NAMED_BASES.get(name) or int(name.removeprefix("base-"))


def _numbers(text: str) -> list[int]:
    return [int(number) for number in re.findall("[0-9]+", text)]
