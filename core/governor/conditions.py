"""The governor's input: the time, what the sensors say, and the rules. No I/O but the clock.

Whatever is unknown is None, and never a reason to pause.
"""

import time
from dataclasses import dataclass
from datetime import datetime

from core.local_time import follow_time_zone
from core.settings import RulesSettings

DAY_S = 86_400
WEEK_S = 7 * DAY_S


@dataclass(frozen=True, slots=True)
class Moment:
    """One moment on the three clocks that matter."""

    clock: float  # seconds, only ever forward: how long something lasted
    unix: float  # seconds: when something ends, told to people
    week_s: float  # seconds since Monday 0:00 by the clock on the wall: the schedule


@dataclass(frozen=True, slots=True)
class Conditions:
    """Readings of this machine's sensors."""

    on_battery: bool | None = None
    battery_percent: float | None = None  # what is left
    idle_s: float | None = None  # since a person last touched the machine
    busy: float | None = None  # share of all cores that others use, in [0, 1]
    card_busy: float | None = None  # share of the graphics card that others use, in [0, 1]
    memory_free: int | None = None  # bytes
    disk_free: int | None = None  # bytes, where the home is
    full_screen: bool | None = None  # something fills the screen
    programs: frozenset[str] | None = None  # that run, by their ``plain_name``
    heat_c: float | None = None  # of the processor
    throttled: bool | None = None  # the system slows the processor down, because of heat


@dataclass(frozen=True, slots=True)
class Situation:
    """All that one decision is made from."""

    moment: Moment
    conditions: Conditions
    rules: RulesSettings


def this_moment() -> Moment:
    """The present moment by the system's clocks."""
    follow_time_zone()
    unix = time.time()
    # The wall's clock is what a schedule means, whatever zone and season it is.
    local = datetime.fromtimestamp(unix).astimezone()
    since_midnight = 3_600 * local.hour + 60 * local.minute + local.second
    since_monday = DAY_S * local.weekday() + since_midnight + local.microsecond / 1_000_000
    return Moment(time.monotonic(), unix, since_monday)
