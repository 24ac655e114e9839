"""The menu in the tray: what it offers, and what it asks for."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QSystemTrayIcon
from pytestqt.qtbot import QtBot

from app.desktop.notifications import Notification
from app.desktop.tray import Tray
from app.desktop.tray_view_model import tray_view_model
from app.state.intents import JoinChosen
from core.api.events import Finish, Pause, Resume, Snooze
from core.api.state import ask
from tests.app.desktop.test_tray_view_model import IDLE, PAUSED, RUNNING


@pytest.fixture
def tray(qtbot: QtBot) -> Tray:
    assert qtbot
    return Tray()


def entries(tray: Tray) -> dict[str, QAction]:
    """Every entry that can be seen, by its words."""
    found: list[QAction] = []
    for action in tray.menu.actions():
        inner = action.menu()
        found += inner.actions() if isinstance(inner, QMenu) and action.isVisible() else [action]
    return {action.text(): action for action in found if action.isVisible() and action.text()}


def heard(tray: Tray) -> list[object]:
    wishes: list[object] = []
    tray.asked.connect(wishes.append)
    return wishes


def test_while_it_practises_it_can_be_held_and_ended(tray: Tray) -> None:
    """Now, for a while, or after this round."""
    tray.show_look(tray_view_model(RUNNING))
    wishes = heard(tray)
    names = ("Pause", "For 30 minutes", "For 1 hour", "Finish round and stop")
    for name in names:
        entries(tray)[name].trigger()
    assert wishes == [Pause(), Snooze(seconds=1_800), Snooze(seconds=3_600), Finish()]
    assert "Join swarm" not in entries(tray)


def test_until_tomorrow_counts_from_now(tray: Tray) -> None:
    """At least until the next morning, and at most a day and a quarter."""
    tray.show_look(tray_view_model(RUNNING))
    wishes = heard(tray)
    entries(tray)["Until tomorrow"].trigger()
    (wish,) = wishes
    assert isinstance(wish, Snooze)
    until = datetime.fromtimestamp(datetime.now(UTC).timestamp() + wish.seconds, UTC).astimezone()
    assert until.hour in (5, 6)


def test_while_it_is_held_it_can_go_on(tray: Tray) -> None:
    """By the entry that held it."""
    tray.show_look(tray_view_model(PAUSED))
    wishes = heard(tray)
    entries(tray)["Go on"].trigger()
    assert wishes == [Resume()]


def test_while_nothing_runs_it_can_join(tray: Tray) -> None:
    """There is nothing to hold or to end."""
    tray.show_look(tray_view_model(IDLE))
    wishes = heard(tray)
    assert set(entries(tray)) == {"Open Waggle", "Join swarm", "Quit"}
    entries(tray)["Join swarm"].trigger()
    assert wishes == [JoinChosen()]


def test_what_was_asked_for_is_not_asked_for_twice(tray: Tray) -> None:
    """Until the engine answers, the entries are grey."""
    tray.show_look(tray_view_model(replace(RUNNING, node=ask(RUNNING.node, Pause()))))
    assert not entries(tray)["Pausing…"].isEnabled()


def test_the_icon_leads_to_the_window(tray: Tray, qtbot: QtBot) -> None:
    """By a click, by the menu, and by a click on a notification."""
    tray.show_look(tray_view_model(RUNNING))
    with qtbot.waitSignal(tray.open_asked):
        tray.icon.activated.emit(QSystemTrayIcon.ActivationReason.Trigger)
    with qtbot.waitSignal(tray.open_asked):
        entries(tray)["Open Waggle"].trigger()
    with qtbot.waitSignal(tray.open_asked):
        tray.icon.messageClicked.emit()
    with qtbot.waitSignal(tray.quit_asked):
        entries(tray)["Quit"].trigger()


def test_the_tip_says_what_goes_on(tray: Tray) -> None:
    """The same words as Home."""
    tray.show_look(tray_view_model(PAUSED))
    assert tray.icon.toolTip() == "Waggle\nPaused because you asked."
    tray.notify(Notification("A milestone", "100 rounds."))
    tray.close()
    assert not tray.icon.isVisible()
