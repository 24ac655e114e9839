"""Numbers as people write them, and values of expressions likewise."""

import re
from typing import Final

from core.decks.expressions import NoValueError, Value

WHOLE: Final = r"[+-]?(?:[0-9]{1,64}|[1-9][0-9]{0,2}(?:,[0-9]{3}){1,20})"
INTEGER: Final = re.compile(WHOLE, re.ASCII)
"""A whole number, with commas between thousands or without."""

_BELOW_ZERO: Final = re.compile(r"\u2212[0-9][0-9.,]*(?: ?/ ?[0-9]+)?", re.ASCII)


def with_plain_minus(text: str) -> str:
    """``text``, with a hyphen as the sign where it is a number with the minus of typographers."""
    return "-" + text[1:] if _BELOW_ZERO.fullmatch(text) else text


def spell(value: Value, *, as_fraction: bool = False) -> str:
    """``value`` as a person writes it: 3, 0.75, or 1/3 where no decimal ends; ``as_fraction``: 3/4.

    Raises:
        NoValueError: it is neither a number nor a text.
    """
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        raise NoValueError("neither a number nor a text")
    if value.denominator == 1:
        return str(value.numerator)
    places = _decimal_places(value.denominator)
    if as_fraction or places is None:
        return f"{value.numerator}/{value.denominator}"
    digits = str(abs(value.numerator) * 10**places // value.denominator).rjust(places + 1, "0")
    return f"{'-' * (value < 0)}{digits[:-places]}.{digits[-places:]}"


def _decimal_places(denominator: int) -> int | None:
    """How many a fraction in lowest terms needs; None where no number of them is enough."""
    counts = []
    for prime in (2, 5):
        count = 0
        while denominator % prime == 0:
            denominator //= prime
            count += 1
        counts.append(count)
    return max(counts) if denominator == 1 else None
