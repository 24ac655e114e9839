"""What practising costs, in words."""

import pytest
from msgspec.structs import replace

from app.pages.contribution.energy_words import energy_words, kilowatt_hours
from core.api.contribution import EnergyShown
from tests.app.pages.contribution.samples import ENERGY, MONTH, OLD

KWH = 3_600_000


@pytest.mark.parametrize(
    ("kwh", "words"),
    [
        (0.0, "less than 0.001 kWh"),
        (0.0123, "0.012 kWh"),
        (0.234, "0.23 kWh"),
        (3.21, "3.2 kWh"),
        (12.3, "12 kWh"),
        (1_234.0, "1,234 kWh"),
    ],
)
def test_energy_has_the_digits_that_say_something(kwh: float, words: str) -> None:
    """Two of them, and no row of zeros."""
    assert kilowatt_hours(kwh * KWH) == words


def said(energy: EnergyShown, unmetered: int = 0) -> tuple[str, str, str]:
    totals = replace(MONTH.totals, unmetered=unmetered)
    words = energy_words(replace(MONTH, energy=energy, totals=totals))
    assert words is not None
    return words.headline, words.source, words.now


def test_a_day_is_compared_with_a_lamp() -> None:
    """A figure that people know, beside one that few do; what is an estimate says so."""
    headline, source, now = said(ENERGY)
    assert headline == "0.045 kWh on a day with practice: what a 10-watt lamp takes in 4.5 hours."
    assert source.startswith("An estimate: 6 hours of one processor core a day, at 7.5 watts")
    assert now == ""


def test_the_first_day_is_not_over() -> None:
    """And what the processor counted is no estimate."""
    headline, source, _ = said(replace(ENERGY, is_today=True, estimated_s=0.0))
    assert headline.startswith("0.045 kWh today so far:")
    assert source == "Counted by the processor itself; Waggle's share of it."


def test_what_is_missing_is_told() -> None:
    """Rounds of which nothing is known."""
    assert said(ENERGY, unmetered=1_234)[1].endswith("are not in it: 1,234.")


@pytest.mark.parametrize(
    ("watts", "hours", "words"),
    [
        (
            14.0,
            2.5,
            "Right now the whole computer draws 14 watts: the battery lasts 2.5 hours more.",
        ),
        (14.0, None, "Right now the whole computer draws 14 watts."),
        (None, 0.5, "The battery lasts 30 minutes more at the present pace."),
    ],
)
def test_on_battery_it_says_how_long_that_lasts(
    watts: float | None, hours: float | None, words: str
) -> None:
    """As far as the system tells."""
    assert said(replace(ENERGY, draw_w=watts, battery_h=hours))[2] == words


def test_where_nothing_is_known_nothing_is_said() -> None:
    """As of rounds before an update."""
    assert energy_words(OLD) is None
