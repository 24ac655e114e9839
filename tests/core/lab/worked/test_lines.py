"""The lines that worked answers are made of."""

import re
from math import gcd, prod

from hypothesis import given
from hypothesis import strategies as st

from core.lab.worked.lines import common_primes, product, running_total

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
    assert int(text.rpartition("=")[2]) == sum(terms)
    added = re.findall(r"=-?[0-9]+([-+][0-9]+)|^-?[0-9]+([-+][0-9]+)", text)
    assert [int(one or other) for one, other in added] == terms[1:]
