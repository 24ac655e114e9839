"""Pauses that end by themselves."""

from collections.abc import Iterator
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from app.widgets.snooze_menu import fill_snoozes, seconds_till_tomorrow
from core.api.events import Snooze
from core.api.pipe import decode_command, encode
from tests.posix import time_zone


def test_every_span_is_offered(qtbot: QtBot) -> None:
    """Half an hour, an hour, and until the next morning."""
    menu = QMenu()
    qtbot.addWidget(menu)
    told: list[int] = []
    fill_snoozes(menu, told.append)
    for action in menu.actions():
        action.trigger()
    assert told[:2] == [1_800, 3_600]
    assert 1 <= told[2] <= 86_400 + 3_600  # a day may have 25 hours


@pytest.mark.parametrize(
    ("now", "hours"),
    [
        (datetime(2026, 3, 2, 20), 10),  # noqa: DTZ001 - the wall's clock
        (datetime(2026, 3, 2, 2), 4),  # noqa: DTZ001 - the same
        (datetime(2026, 12, 31, 6), 24),  # noqa: DTZ001 - the same
    ],
)
def test_tomorrow_begins_in_the_morning(now: datetime, hours: int) -> None:
    """Whoever is up late means the day that comes after sleep."""
    assert seconds_till_tomorrow(now) == hours * 3_600


@pytest.fixture
def berlin() -> Iterator[None]:
    """A computer whose clock changes twice a year."""
    with time_zone("Europe/Berlin"):
        yield


@pytest.mark.usefixtures("berlin")
@pytest.mark.parametrize(
    ("evening", "hours"),
    [
        (datetime(2026, 3, 28, 22), 7),  # noqa: DTZ001 - the wall's clock
        (datetime(2026, 10, 24, 22), 9),  # noqa: DTZ001 - the same
        (datetime(2026, 11, 24, 22), 8),  # noqa: DTZ001 - the same
    ],
)
def test_it_ends_in_the_morning_of_a_night_in_which_clocks_change(
    evening: datetime, hours: int
) -> None:
    """At six by the clock on the wall; said with the evening's own distance from Greenwich."""
    assert seconds_till_tomorrow(evening) == hours * 3_600
    assert seconds_till_tomorrow(evening.astimezone()) == hours * 3_600


@given(st.datetimes(datetime(1971, 1, 1), datetime(2100, 1, 1)))  # noqa: DTZ001 - the wall's clock
def test_it_is_always_a_snooze_that_the_engine_takes(now: datetime) -> None:
    """Never nothing, never more than a day and the hour that a clock may show twice."""
    snooze = Snooze(seconds=seconds_till_tomorrow(now))
    assert decode_command(encode(snooze)) == snooze
    assert snooze.seconds <= 90_000
