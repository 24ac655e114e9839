"""Notices that a new day has begun by the calendar of this computer."""

from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from typing import Final

from app.backend.timer import QtTimer, Timer
from core.local_time import follow_time_zone

LONGEST_S: Final = 900.0
"""Between two looks: a computer that slept, or crossed time zones, has counted wrong."""
_PAST_S: Final = 1.0  # so that a clock which counts a little faster is not asked twice


def local_now() -> datetime:
    """By the clock and the calendar of this computer."""
    follow_time_zone()
    return datetime.now().astimezone()


def wait_s(now: datetime) -> float:
    """Seconds from ``now`` until the date has to be looked at again: midnight at the latest."""
    midnight = datetime.combine(now.date() + timedelta(days=1), time(), now.tzinfo)
    return min(LONGEST_S, (midnight - now).total_seconds() + _PAST_S)


class NewDay:
    """While it watches, does ``act`` whenever a date that was shown as today's is over."""

    def __init__(
        self,
        act: Callable[[], None],
        alarm: Timer | None = None,
        now: Callable[[], datetime] = local_now,
    ) -> None:
        self._act = act
        self._alarm = alarm or QtTimer()
        self._now = now
        self._shown: date | None = None

    def note(self, shown: date | None = None) -> None:
        """From now on ``shown``, or the date that it is now, is called today."""
        self._shown = shown or self._now().date()

    def watch(self) -> None:
        """Look at the date, and go on doing so."""
        now = self._now()
        self._alarm.set(wait_s(now), self.watch)
        if self._shown is not None and self._shown != now.date():
            self._act()

    def rest(self) -> None:
        """Look no more."""
        self._alarm.clear()
