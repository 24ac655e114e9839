"""The time zone, while a program runs."""

import time

import pytest

from core.local_time import follow_time_zone
from tests.posix import time_zone


def test_local_times_are_those_of_the_zone_of_now(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not of the one where the program was started."""
    with time_zone("HOME0"):
        monkeypatch.setenv("TZ", "AWAY-5")
        follow_time_zone()
        assert time.localtime(0).tm_hour == 5
        monkeypatch.undo()
