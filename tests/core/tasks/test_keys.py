"""Keys stand in the form that their prompts ask for."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.tasks.keys import key_of


def power(base: float, exponent: int) -> str:
    facts = {"base": base, "exponent": exponent}
    return key_of("power_function", {"answer": "not looked at", "metadata": facts})


@pytest.mark.parametrize(
    ("dataset", "answer", "key"),
    [
        ("lcm", "12", "12"),
        ("decimal_chain_sum", "1.2E+3", "1200"),
        ("decimal_arithmetic", "3.50", "3.50"),
        (
            "knights_knaves",
            "Mia is a knight, and Leo is a knave.",
            "Mia is a knight, and Leo is a knave",
        ),
        ("knights_knaves", "Mia is a knight", "Mia is a knight"),
    ],
)
def test_only_the_form_changes(dataset: str, answer: str, key: str) -> None:
    """No powers of ten, no full stop; other keys stay as they are."""
    assert key_of(dataset, {"answer": answer, "metadata": {}}) == key


@pytest.mark.parametrize(
    ("base", "exponent", "key"),
    [
        (688.8437, -6, "9.36e-18"),
        (2.0, 10, "1.02e+3"),
        (9.999, 1, "1.00e+1"),
        (1.005, 1, "1.01e+0"),
        (5.0, 0, "1.00e+0"),
    ],
)
def test_powers_have_three_figures(base: float, exponent: int, key: str) -> None:
    """Rounded half up from the exact power of what is shown, as the prompt's example is written."""
    assert power(base, exponent) == key


@given(st.integers(10_000, 9_999_999), st.integers(-8, 8))
def test_powers_are_near_what_they_stand_for(ten_thousandths: int, exponent: int) -> None:
    """Half a unit of the third figure is all that rounding takes."""
    base = ten_thousandths / 10_000
    exact = Decimal(repr(base)) ** exponent
    assert abs(Decimal(power(base, exponent)) / exact - 1) <= Decimal("0.005")
