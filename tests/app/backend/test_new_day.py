"""Today is not yesterday, also for who left the window open."""

from datetime import date, datetime, timedelta, timezone

import pytest

from app.backend.new_day import LONGEST_S, NewDay, local_now, wait_s
from tests.hand_alarm import HandAlarm

ZONE = timezone(timedelta(hours=2))
EVENING = datetime(2026, 11, 21, 23, 50, tzinfo=ZONE)


class Calendar:
    """A clock on the wall, and how often it was told that a day is over."""

    def __init__(self, now: datetime = EVENING) -> None:
        self.now = now
        self.told = 0
        self.alarm = HandAlarm()
        self.day = NewDay(self._tell, self.alarm, lambda: self.now)

    def _tell(self) -> None:
        self.told += 1


def test_midnight_is_waited_for() -> None:
    """The day that is shown is over then, and not before; the next midnight comes, too."""
    calendar = Calendar()
    calendar.day.note(date(2026, 11, 21))
    calendar.day.watch()
    assert (calendar.told, calendar.alarm.seconds) == (0, 601.0)
    calendar.now += timedelta(seconds=601)
    calendar.alarm.ring()
    assert (calendar.told, calendar.alarm.seconds) == (1, LONGEST_S)
    calendar.day.note(date(2026, 11, 22))
    calendar.now += timedelta(hours=1)
    calendar.alarm.ring()
    assert calendar.told == 1


def test_what_is_told_of_now_is_over_at_midnight() -> None:
    """Whoever draws from the clock itself need not name the date."""
    calendar = Calendar()
    calendar.day.note()
    calendar.day.watch()
    assert calendar.told == 0
    calendar.now += timedelta(seconds=601)
    calendar.alarm.ring()
    assert calendar.told == 1


def test_another_time_zone_may_have_another_date() -> None:
    """Whichever way somebody travelled."""
    calendar = Calendar()
    calendar.day.note(date(2026, 11, 21))
    calendar.now = EVENING.astimezone(timezone(timedelta(hours=9)))
    calendar.day.watch()
    assert calendar.told == 1
    calendar.day.note(date(2026, 11, 22))
    calendar.now = EVENING.astimezone(timezone(timedelta(hours=-8)))
    calendar.day.watch()
    assert calendar.told == 2


def test_before_anything_is_shown_nothing_is_over() -> None:
    """The first figures are asked for by others."""
    calendar = Calendar()
    calendar.day.watch()
    assert calendar.told == 0


def test_who_rests_looks_no_more() -> None:
    """An unseen page costs nothing."""
    calendar = Calendar()
    calendar.day.watch()
    calendar.day.rest()
    assert calendar.alarm.seconds is None


@pytest.mark.parametrize(("hour", "seconds"), [(0, LONGEST_S), (23, LONGEST_S)])
def test_it_never_waits_for_long(hour: int, seconds: float) -> None:
    """Of the hours that a computer sleeps its timers know nothing."""
    assert wait_s(EVENING.replace(hour=hour, minute=0)) == seconds


def test_the_clock_knows_its_time_zone() -> None:
    """Or its midnight would be another one's."""
    assert local_now().tzinfo is not None
