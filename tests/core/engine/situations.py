"""Moments and situations for the governor's tests."""

from core.governor.conditions import WEEK_S, Conditions, Moment, Situation
from core.settings import RulesSettings

START_UNIX = 1_800_000_000.0
FINE = Conditions(
    on_battery=False,
    battery_percent=80.0,
    idle_s=10_000.0,
    busy=0.0,
    memory_free=1 << 40,
    disk_free=1 << 40,
    full_screen=False,
    programs=frozenset({"bash"}),
    heat_c=40.0,
    throttled=False,
)
ON_BATTERY = Conditions(on_battery=True, battery_percent=80.0)


def at(seconds: float) -> Moment:
    """So many seconds after a Monday 0:00."""
    return Moment(1_000.0 + seconds, START_UNIX + seconds, seconds % WEEK_S)


def situation(
    seconds: float, conditions: Conditions = FINE, rules: RulesSettings | None = None
) -> Situation:
    return Situation(at(seconds), conditions, rules or RulesSettings())
