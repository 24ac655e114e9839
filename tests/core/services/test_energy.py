"""Electricity that practising takes, from sums of the ledger."""

from datetime import date, timedelta

from core.api.contribution import Day
from core.sensors.linux_battery import Power
from core.services.energy import DESKTOP_W, LAPTOP_W, energy_shown, joules_of, watts_a_core

TODAY = date(2026, 11, 21)
MAINS = Power(on_battery=False, percent=None)
LAPTOP = Power(on_battery=True, percent=50.0, watts=14.0, hours=2.5)


def day(ago: int, *, unmeasured_s: float = 0.0, joules: float = 0.0, unmetered: int = 0) -> Day:
    return Day(
        day=TODAY - timedelta(days=ago),
        rounds=10,
        joules=joules,
        unmeasured_s=unmeasured_s,
        unmetered=unmetered,
    )


def test_a_laptop_is_told_by_its_battery() -> None:
    """Its cores are rated at fewer watts."""
    assert watts_a_core(MAINS) == DESKTOP_W
    assert watts_a_core(LAPTOP) == LAPTOP_W


def test_what_was_measured_counts_as_such_and_the_rest_is_estimated() -> None:
    """In one sum; where no round was counted, nothing is said."""
    assert joules_of(day(0, joules=100.0, unmeasured_s=10.0), 12.0) == 220.0
    assert joules_of(day(0, unmetered=10), 12.0) is None


def test_a_day_is_the_mean_of_the_last_ones() -> None:
    """Today is not over and does not count, nor does a day of which nothing is known."""
    days = [day(n, unmeasured_s=1_000.0 * n) for n in range(9, 0, -1)]
    shown = energy_shown([day(30, unmetered=10), *days, day(0, unmeasured_s=5.0)], TODAY, MAINS)
    assert shown is not None
    assert (shown.is_today, shown.estimated_s) == (False, 4_000.0)
    assert shown.day_joules == 4_000.0 * DESKTOP_W


def test_on_the_first_day_it_is_told_so_far() -> None:
    """With what the battery says now."""
    shown = energy_shown([day(0, joules=90.0)], TODAY, LAPTOP)
    assert shown is not None
    assert (shown.is_today, shown.day_joules, shown.estimated_s) == (True, 90.0, 0.0)
    assert (shown.draw_w, shown.battery_h) == (14.0, 2.5)


def test_without_a_round_that_was_counted_nothing_is_said() -> None:
    """As after an update, before the next round."""
    assert energy_shown([], TODAY, MAINS) is None
    assert energy_shown([day(0, unmetered=10)], TODAY, MAINS) is None
