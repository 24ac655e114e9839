"""What stays when the window is closed, by the settings and what the desktop can do."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.desktop.background import Background
from app.desktop.notifications import Notification
from app.state.app_state import AppState
from core.settings import Settings, WindowSettings
from tests.app.desktop.test_tray_view_model import FAILED, RUNNING
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
