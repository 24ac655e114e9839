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
from app.state.intents import BringUp, JoinChosen, Quit
from core.api.events import Finish, Pause, Resume, Snooze
from core.api.state import ask
from tests.app.desktop.test_tray_view_model import IDLE, PAUSED, RUNNING
from tests.fake_actions import FakeActions


@pytest.fixture
def tray(actions: FakeActions, qtbot: QtBot) -> Tray:
    assert qtbot
    return Tray(actions)


def entries(tray: Tray) -> dict[str, QAction]:
    """Every entry that can be seen, by its words."""
    found: list[QAction] = []
    for action in tray.menu.actions():
        inner = action.menu()
        found += inner.actions() if isinstance(inner, QMenu) and action.isVisible() else [action]
    return {action.text(): action for action in found if action.isVisible() and action.text()}


def test_while_it_practises_it_can_be_held_and_ended(tray: Tray, actions: FakeActions) -> None:
    """Now, for a while, or after this round."""
    tray.show_look(tray_view_model(RUNNING))
    names = ("Pause", "For 30 minutes", "For 1 hour", "Finish round and stop")
    for name in names:
        entries(tray)[name].trigger()
    assert actions.all == [Pause(), Snooze(seconds=1_800), Snooze(seconds=3_600), Finish()]
    assert "Join swarm" not in entries(tray)


def test_until_tomorrow_counts_from_now(tray: Tray, actions: FakeActions) -> None:
    """At least until the next morning, and at most a day and a quarter."""
    tray.show_look(tray_view_model(RUNNING))
    entries(tray)["Until tomorrow"].trigger()
    (wish,) = actions.all
    assert isinstance(wish, Snooze)
    until = datetime.fromtimestamp(datetime.now(UTC).timestamp() + wish.seconds, UTC).astimezone()
    assert until.hour in (5, 6)


def test_while_it_is_held_it_can_go_on(tray: Tray, actions: FakeActions) -> None:
    """By the entry that held it."""
    tray.show_look(tray_view_model(PAUSED))
    entries(tray)["Go on"].trigger()
    assert actions.all == [Resume()]


def test_while_nothing_runs_it_can_join(tray: Tray, actions: FakeActions) -> None:
    """There is nothing to hold or to end."""
    tray.show_look(tray_view_model(IDLE))
    assert set(entries(tray)) == {"Open Waggle", "Join swarm", "Quit"}
    entries(tray)["Join swarm"].trigger()
    assert actions.all == [JoinChosen()]


def test_what_was_asked_for_is_not_asked_for_twice(tray: Tray) -> None:
    """Until the engine answers, the entries are grey."""
    tray.show_look(tray_view_model(replace(RUNNING, node=ask(RUNNING.node, Pause()))))
    assert not entries(tray)["Pausing…"].isEnabled()


def test_the_icon_leads_to_the_window(tray: Tray, actions: FakeActions) -> None:
    """By a click, by the menu, and by a click on a notification."""
    tray.show_look(tray_view_model(RUNNING))
    tray.icon.activated.emit(QSystemTrayIcon.ActivationReason.Trigger)
    entries(tray)["Open Waggle"].trigger()
    tray.icon.messageClicked.emit()
    entries(tray)["Quit"].trigger()
    assert actions.all == [BringUp(), BringUp(), BringUp(), Quit()]


def test_the_tip_says_what_goes_on(tray: Tray) -> None:
    """The same words as Home."""
    tray.show_look(tray_view_model(PAUSED))
    assert tray.icon.toolTip() == "Waggle\nPaused because you asked."
    tray.notify(Notification("A milestone", "100 rounds."))
    tray.close()
    assert not tray.icon.isVisible()
