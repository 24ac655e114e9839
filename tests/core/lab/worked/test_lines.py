"""The lines that worked answers are made of."""

import re
from math import gcd, prod

from hypothesis import given
from hypothesis import strategies as st

from core.lab.worked.lines import TEN, common_primes, plus, product, running_total

positive = st.integers(1, 2_000)


@given(positive, positive)
def test_common_primes_leave_nothing_in_common(one: int, other: int) -> None:
    """Their product is the divisor, and every line is the one before it divided by a prime."""
    lines = common_primes(one, other)
    assert prod(prime for prime, _, _ in lines) == gcd(one, other)
    before = (one, other)
    for prime, left, right in lines:
        assert all(prime % factor for factor in range(2, prime))
        assert (left * prime, right * prime) == before
        before = (left, right)
    assert gcd(*before) == 1


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_the_result_falls_down_digit_by_digit(one: int, other: int) -> None:
    """The last line's total, then the last digits of the lines before it, are the product."""
    totals = [line.rpartition("=")[2] for line in product(one, other)]
    written = totals[-1] + "".join(total[-1] for total in reversed(totals[:-1]))
    assert int(written) == prod((one, other))


@given(st.lists(st.integers(-999, 999), min_size=1, max_size=6))
def test_the_last_total_is_the_sum(terms: list[int]) -> None:
    """And the terms stand in their order, each behind its sign."""
    text = running_total(terms)
    assert int(re.split("=", text)[-1]) == sum(terms)
    added = re.findall(r"(?<=[0-9])[-+][0-9]+(?==)", text)
    assert [int(term) for term in added] == terms[1:]


@given(st.integers(-9_999, 9_999), st.integers(-9_999, 9_999))
def test_columns_make_the_sum(one: int, other: int) -> None:
    """The last column, then the last digits of those before it; none asks for more than digits."""
    _, *columns, total = re.split("[=:]", plus(one, other))
    assert int(total) == one + other
    if not columns:
        assert max(abs(one), abs(other)) < TEN
        return
    assert len(columns) == len(str(max(abs(one), abs(other))))
    digits = [column.rstrip("b") for column in columns]
    written = digits[-1] + "".join(digit[-1] for digit in reversed(digits[:-1]))
    assert int(written) == abs(one + other)
    assert max(map(int, digits)) < 2 * TEN


@given(st.integers(-9_999, 9_999), st.integers(-9_999, 9_999))
def test_each_column_carries_into_the_next(one: int, other: int) -> None:
    """A "b" stands where a difference borrowed, and a ten in front where a sum carries."""
    _, *columns, _ = re.split("[=:]", plus(one, other))
    less, more = sorted((abs(one), abs(other)))
    turn = 1 if (one < 0) == (other < 0) else -1
    carried = 0
    for place, column in enumerate(columns):
        value = more // TEN**place % TEN + turn * (less // TEN**place % TEN) + carried
        borrows = column.endswith("b")
        assert value == int(column.rstrip("b")) - TEN * borrows
        carried = -1 if borrows else value // TEN
