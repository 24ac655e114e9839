"""What stays when the window is closed, by the settings and what the desktop can do."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QSystemTrayIcon, QWidget
from pytestqt.qtbot import QtBot

from app.desktop.background import Background, Tray
from app.desktop.notifications import Notification
from app.desktop.tray_view_model import tray_view_model
from app.state.app_state import AppState
from app.state.intents import BringUp, JoinChosen, Quit
from core.api.events import Finish, Pause, Resume, Snooze
from core.api.state import ask
from core.settings import Settings, WindowSettings
from tests.app.desktop.test_tray_view_model import FAILED, IDLE, PAUSED, RUNNING
from tests.fake_actions import FakeActions

Make = Callable[..., Background]


def wanted(state: AppState, *, tray: bool = True, notifications: bool = True) -> AppState:
    window = WindowSettings(tray=tray, notifications=notifications, consent=True)
    return replace(state, settings=Settings(window=window))


@pytest.fixture
def make(actions: FakeActions, qtbot: QtBot) -> Make:
    window = QWidget()
    qtbot.addWidget(window)
    return lambda *, has_tray=True, tell=None: Background(window, actions, lambda: has_tray, tell)


def test_the_settings_decide(make: Make) -> None:
    """Switched on and off while the window is open."""
    background = make()
    kept = []
    for tray in (False, True, False):
        background.show_state(wanted(RUNNING, tray=tray))
        kept.append(background.keeps)
    assert kept == [False, True, False]


def test_without_a_tray_closing_is_the_end(make: Make) -> None:
    """Whatever the settings say: there would be no way back."""
    background = make(has_tray=False)
    background.insists = True
    background.show_state(wanted(RUNNING))
    assert not background.keeps
    background.say_hidden()


def test_a_start_without_a_window_needs_the_icon(make: Make) -> None:
    """Even where it is not wanted otherwise."""
    background = make()
    background.insists = True
    background.show_state(wanted(RUNNING, tray=False))
    assert background.keeps


def test_once_the_window_was_opened_the_icon_can_be_switched_off(make: Make) -> None:
    """It only stood in for the window: from then on it is as in any other start."""
    background = make()
    background.insists = True
    background.show_state(wanted(RUNNING))
    window = background.parent()
    assert isinstance(window, QWidget)
    kept = []
    for is_open, tray in ((True, True), (True, False), (False, False)):
        window.setVisible(is_open)
        background.show_state(wanted(RUNNING, tray=tray))
        kept.append(background.keeps)
    assert kept == [True, False, False]


def test_trouble_is_told_where_notices_are_wanted(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And once, that closing has only hidden the window."""
    said: list[str] = []
    for notifications in (False, True):
        background = make()
        background.show_state(wanted(RUNNING, notifications=notifications))
        assert background.tray is not None
        monkeypatch.setattr(background.tray, "notify", lambda notice: said.append(notice.title))
        background.show_state(wanted(FAILED, notifications=notifications))
    assert said == ["Practice has stopped"]
    background.say_hidden()
    background.say_hidden()
    assert said[1:] == ["Waggle goes on in the tray"]


@pytest.mark.parametrize("has_tray", [True, False])
def test_notices_need_no_icon(make: Make, *, has_tray: bool) -> None:
    """Whether the desktop has no tray, or nobody wants the icon: the desktop itself shows them."""
    told: list[Notification] = []
    background = make(has_tray=has_tray, tell=told.append)
    for notifications in (False, True):
        background.show_state(wanted(RUNNING, tray=not has_tray, notifications=notifications))
        background.show_state(wanted(FAILED, tray=not has_tray, notifications=notifications))
    assert [notice.title for notice in told] == ["Practice has stopped"]
    assert background.tray is None


def test_nothing_is_told_to_who_looks_at_the_window(make: Make, qtbot: QtBot) -> None:
    """The window says it as well."""
    told: list[Notification] = []
    background = make(tell=told.append)
    background.show_state(wanted(RUNNING, tray=False))
    window = background.parent()
    assert isinstance(window, QWidget)
    with qtbot.waitActive(window):
        window.show()
        window.activateWindow()
    background.tell(Notification("A milestone", "100 rounds."))
    assert told == []
    window.hide()
    background.tell(Notification("A milestone", "100 rounds."))
    assert len(told) == 1


def test_the_desktop_is_found_when_it_is_needed(make: Make) -> None:
    """Each system has its own; a desktop that shows nothing does no harm."""
    background = make()
    background.show_state(wanted(RUNNING, tray=False))
    background.tell(Notification("A milestone", "100 rounds."))


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
