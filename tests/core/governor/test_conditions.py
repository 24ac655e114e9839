"""The clocks, and names as they are compared."""

import time
from collections.abc import Iterator
from datetime import datetime

import pytest

from core.governor.conditions import DAY_S, WEEK_S, this_moment


def test_a_moment_is_the_same_on_all_clocks() -> None:
    """The second of the week agrees with the wall's clock at that unix time."""
    moment = this_moment()
    local = datetime.fromtimestamp(moment.unix).astimezone()
    assert 0 <= moment.week_s < WEEK_S
    assert int(moment.week_s // DAY_S) == local.weekday()
    assert int(moment.week_s % DAY_S // 3_600) == local.hour
    assert moment.week_s % 1 == pytest.approx(moment.unix % 1, abs=1e-3)


@pytest.fixture
def zone(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """Whose ``TZ`` may be set; the zone before it counts again afterwards."""
    if not hasattr(time, "tzset"):
        pytest.skip("there the system is asked each time")
    yield monkeypatch
    monkeypatch.undo()
    time.tzset()


def test_the_zone_is_that_of_now(zone: pytest.MonkeyPatch) -> None:
    """A laptop that travels keeps the hours of where it is, not of where it started."""
    zone.setenv("TZ", "HOME0")
    before = this_moment()
    zone.setenv("TZ", "AWAY-5")  # five hours ahead
    after = this_moment()
    passed = after.unix - before.unix
    ahead = (after.week_s - before.week_s - passed) % WEEK_S
    assert ahead / 3_600 == pytest.approx(5)
