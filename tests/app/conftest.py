"""A home, looks, and a client on the fake engine, whose alarms ring when the test says so."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.appearance import Appearance
from app.engine_client import EngineClient
from app.engine_process import OutputLog
from app.main_window import MainWindow
from core.paths import Home
from core.settings import Settings, WindowSettings, save_settings
from tests.fake_engine import Script
from tests.hand_alarm import Connect, HandAlarm

ROOT = Path(__file__).resolve().parents[2]


def pytest_itemcollected(item: pytest.Item) -> None:
    """Let Qt's offscreen screen say that it has no window manager."""
    item.add_marker(pytest.mark.qt_log_ignore("propagateSizeHints"))


class PatientBot(QtBot):
    """Waits longer, since child processes start slowly on a busy machine."""

    def waitUntil(  # noqa: N802 - Qt's name
        self, callback: Callable[[], bool | None], *, timeout: int = 30_000
    ) -> None:
        super().waitUntil(callback, timeout=timeout)


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> QtBot:
    assert qapp
    return PatientBot(request)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    made = Home(tmp_path / "home")
    made.prepare()
    return made


@pytest.fixture
def consenting_home(home: Home) -> Home:
    save_settings(Settings(window=WindowSettings(consent=True, theme="light")), home.settings)
    return home


@pytest.fixture
def alarm() -> HandAlarm:
    return HandAlarm()


@pytest.fixture
def connect(
    home: Home, alarm: HandAlarm, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Connect]:
    """Make clients of fake engines; none of their processes outlives the test."""
    monkeypatch.chdir(ROOT)
    made: list[EngineClient] = []

    def make(script: Script) -> EngineClient:
        command = (sys.executable, "-m", "tests.fake_engine", "--home", str(home.root))
        client = EngineClient((*command, "--script", script), OutputLog(home.logs), alarm)
        made.append(client)
        return client

    yield make
    for client in made:
        client.close()
        if client.link.is_running and alarm.seconds is not None:
            alarm.ring()
        qtbot.waitUntil(lambda c=client: not c.link.is_running)  # type: ignore[misc]  # default binds the loop's client


@pytest.fixture
def appearance(qapp: QApplication) -> Appearance:
    return Appearance(qapp)


@pytest.fixture
def open_window(
    connect: Connect, consenting_home: Home, appearance: Appearance, qtbot: QtBot
) -> Callable[[Script], tuple[MainWindow, EngineClient]]:
    """Open windows on a home whose owner has agreed."""

    def make(script: Script) -> tuple[MainWindow, EngineClient]:
        client = connect(script)
        window = MainWindow(consenting_home, lambda _home: client, appearance)
        qtbot.addWidget(window)
        window.show()
        return window, client

    return make
