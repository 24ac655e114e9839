"""People who sit down at real windows, whose children are gone when the test is over."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.backend.processes import Connectors
from app.main import connect_engine, connect_helper
from app.shell.main_window import MainWindow
from app.style.appearance import Appearance
from core.paths import Home
from core.settings import PracticeSettings, Settings, load_settings, save_settings
from tests.person import Person, SitDown
from tests.waggle_process import furnish

UNSUPPORTED = ("propagateSizeHints", r"support raise\(\)", "grabbing the keyboard")
"""By Qt's offscreen screen, which has no window manager."""

SMALL = PracticeSettings(local_groups=2, swarm_groups=2, group_size=4)
"""Rounds that do not take minutes where a busy machine runs two engines at a time."""


def pytest_itemcollected(item: pytest.Item) -> None:
    """Let it say what it lacks."""
    if item.path.parent == Path(__file__).parent:
        item.add_marker(pytest.mark.qt_log_ignore(*UNSUPPORTED))


def _at_first(settings: Settings, consents: bool) -> Settings:  # noqa: FBT001 - passed on
    window = replace(settings.window, consent=consents)
    return replace(settings, window=window, practice=SMALL)


@pytest.fixture(autouse=True)
def nobodys_desktop(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep notices off the screen of whoever runs the tests."""
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere/bus")


@pytest.fixture
def sit_down(qapp: QApplication, qtbot: QtBot, tmp_path: Path) -> Iterator[SitDown]:
    """Windows with real engines and helpers behind them."""
    opened: list[Person] = []

    def sit(root: Path, *, consents: bool = False) -> Person:
        home = Home(root)
        if not home.settings.exists():
            furnish(root)
            save_settings(_at_first(load_settings(home.settings), consents), home.settings)
        connectors = Connectors(connect_engine, connect_helper)
        person = Person(MainWindow(home, connectors, Appearance(qapp)), qtbot, tmp_path)
        opened.append(person)
        with qtbot.waitActive(person.window):
            person.window.show()
            person.window.activateWindow()
        return person

    yield sit
    for person in opened:
        person.leave()
