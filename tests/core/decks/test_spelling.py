"""Values as people write them."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.decks.expressions import NoValueError, Value
from core.decks.spelling import spell


@pytest.mark.parametrize(
    ("value", "plain", "as_fraction"),
    [
        (Fraction(3), "3", "3"),
        (Fraction(-3, 4), "-0.75", "-3/4"),
        (Fraction(1, 3), "1/3", "1/3"),
        (Fraction(1, 1000), "0.001", "1/1000"),
        (Fraction(25, 2), "12.5", "25/2"),
        ("Ada", "Ada", "Ada"),
    ],
)
def test_values_are_spelled_as_people_do(value: Value, plain: str, as_fraction: str) -> None:
    """A decimal where one ends, or else a fraction in lowest terms."""
    assert (spell(value), spell(value, as_fraction=True)) == (plain, as_fraction)


@given(st.fractions(max_denominator=10**6))
def test_what_is_spelled_is_the_value(value: Fraction) -> None:
    """No digit is lost."""
    assert Fraction(spell(value)) == value


def test_truths_are_not_spelled() -> None:
    """A condition in a blank makes no puzzle."""
    with pytest.raises(NoValueError):
        spell(value=True)
