"""The alarm on Qt's event loop rings once, and only what was set last."""

import shiboken6
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from app.backend.timer import QtTimer


def test_only_the_last_plan_is_carried_out(qtbot: QtBot) -> None:
    """Setting replaces, ringing forgets."""
    rung: list[str] = []
    alarm = QtTimer()
    alarm.set(0, lambda: rung.append("first"))
    alarm.set(0, lambda: rung.append("second"))
    qtbot.waitUntil(lambda: bool(rung))
    assert rung == ["second"]


def test_a_cleared_alarm_stays_silent(qtbot: QtBot) -> None:
    """Clearing takes the plan away, even when its time has come."""
    rung: list[str] = []
    cleared, other = QtTimer(), QtTimer()
    cleared.set(0, lambda: rung.append("cleared"))
    cleared.clear()
    other.set(0.01, lambda: rung.append("other"))
    qtbot.waitUntil(lambda: bool(rung))
    assert rung == ["other"]


def test_an_alarm_can_be_set_while_it_rings(qtbot: QtBot) -> None:
    """A restart that fails at once plans the next one from inside the call."""
    rung: list[int] = []
    alarm = QtTimer()

    def again() -> None:
        rung.append(len(rung))
        if len(rung) < 3:
            alarm.set(0, again)

    alarm.set(0, again)
    qtbot.waitUntil(lambda: len(rung) == 3)


def test_what_is_planned_ends_with_its_owner(qtbot: QtBot) -> None:
    """A page that is gone does nothing any more."""
    owner, called = QObject(), list[str]()
    alarm = QtTimer(owner)
    alarm.set(0.0, lambda: called.append("gone"))
    shiboken6.delete(owner)
    later = QtTimer()
    later.set(0.01, lambda: called.append("here"))
    qtbot.waitUntil(lambda: called == ["here"])
