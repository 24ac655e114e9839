"""The lines that worked answers are made of."""

import re
from math import gcd, prod

from hypothesis import given
from hypothesis import strategies as st

from core.lab.worked.lines import euclid, product, signed_sum

positive = st.integers(1, 10**6)


@given(positive, positive)
def test_euclid_finds_the_divisor_and_ends_with_nothing_left(one: int, other: int) -> None:
    """The divisor is the library's, each line is a subtraction, and the last leaves nothing."""
    lines, divisor = euclid(one, other)
    assert divisor == gcd(one, other)
    for line in lines:
        left, _, rest = line.partition("=")
        larger, _, taken = left.partition("-")
        assert int(larger) - int(taken) == int(rest)
    assert lines[-1].endswith("=0")


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_the_result_falls_down_digit_by_digit(one: int, other: int) -> None:
    """The last line's total, then the last digits of the lines before it, are the product."""
    totals = [line.rpartition("=")[2] for line in product(one, other)]
    written = totals[-1] + "".join(total[-1] for total in reversed(totals[:-1]))
    assert int(written) == prod((one, other))


@given(st.lists(st.integers(-999, 999), min_size=1, max_size=6))
def test_no_total_on_the_way_is_negative(terms: list[int]) -> None:
    """The last number is the sum without its sign, and no number before it has one."""
    text = signed_sum(terms, str)
    assert int(re.findall("[0-9]+", text)[-1]) == abs(sum(terms))
    assert ";-" not in text
    assert "=-" not in text
