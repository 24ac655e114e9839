"""What a page can rely on whose words depend on the date."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.backend.new_day import NewDay
from app.pages.dated_page import DatedPage
from tests.fake_actions import FakeActions
from tests.hand_alarm import HandAlarm


class Counting(DatedPage):
    """Counts how often it had to be drawn anew, by a clock of its own."""

    def __init__(self) -> None:
        self.now = datetime(2026, 11, 21, 23, 55, tzinfo=UTC)
        self.alarm = HandAlarm()
        self.turns = 0
        super().__init__(FakeActions(), self._make)
        self._calendar.note()

    def _make(self, act: Callable[[], None]) -> NewDay:
        return NewDay(act, self.alarm, lambda: self.now)

    def turn_over(self) -> None:
        self.turns += 1
        self._calendar.note()


@pytest.fixture
def page(qtbot: QtBot) -> Counting:
    made = Counting()
    qtbot.addWidget(made)
    return made


def test_it_is_drawn_anew_at_midnight(page: Counting) -> None:
    """Once."""
    page.show()
    for _ in range(2):
        page.now += timedelta(minutes=6)
        page.alarm.ring()
    assert page.turns == 1


def test_unseen_it_waits_until_it_is_shown(page: Counting) -> None:
    """And costs nothing before."""
    page.show()
    page.hide()
    assert page.alarm.seconds is None
    page.now += timedelta(days=1)
    assert page.turns == 0
    page.show()
    assert page.turns == 1


def test_who_comes_back_to_the_window_sees_today(page: Counting) -> None:
    """After a night in which the computer slept, and its alarms with it."""
    page.show()
    page.now += timedelta(days=1)
    QApplication.sendEvent(page, QEvent(QEvent.Type.WindowActivate))
    assert page.turns == 1
