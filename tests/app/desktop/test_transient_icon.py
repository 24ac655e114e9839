"""An icon that comes with a notice and goes with it."""

import pytest
from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QSystemTrayIcon
from pytestqt.qtbot import QtBot

from app.desktop.notifications import NOTICE_MS, Notification
from app.desktop.transient_icon import TransientIcon

MILESTONE = Notification("A milestone", "100 rounds.")


@pytest.fixture
def owner(qtbot: QtBot) -> QObject:
    assert qtbot
    return QObject()


def test_it_is_there_as_long_as_the_notice(owner: QObject) -> None:
    """And comes back for the next one."""
    passing = TransientIcon(owner)
    assert passing.findChildren(QSystemTrayIcon) == []
    (end,) = passing.findChildren(QTimer)
    for _ in range(2):
        passing.notify(MILESTONE)
        assert passing.icon is not None
        assert passing.icon.isVisible()
        assert (end.isActive(), end.interval()) == (True, NOTICE_MS)
        end.timeout.emit()
        assert not passing.icon.isVisible()


def test_what_is_grave_stays_until_somebody_comes(owner: QObject) -> None:
    """Also after a milestone just before it."""
    passing = TransientIcon(owner)
    (end,) = passing.findChildren(QTimer)
    passing.notify(MILESTONE)
    passing.notify(Notification("Practice has stopped", "The disk is full.", is_grave=True))
    assert passing.icon is not None
    assert (end.isActive(), passing.icon.isVisible()) == (False, True)


def test_a_click_opens_the_window(owner: QObject, qtbot: QtBot) -> None:
    """On the notice or on the icon, which has done its work then."""
    passing = TransientIcon(owner)
    passing.notify(MILESTONE)
    assert passing.icon is not None
    with qtbot.waitSignal(passing.open_asked):
        passing.icon.messageClicked.emit()
    assert not passing.icon.isVisible()
    passing.notify(MILESTONE)
    with qtbot.waitSignal(passing.open_asked):
        passing.icon.activated.emit(QSystemTrayIcon.ActivationReason.Trigger)
