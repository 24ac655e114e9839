"""A home, looks, and clients on fake engine and helper, whose alarms ring when the test says so."""

import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.backend.engine_client import EngineClient
from app.backend.helper_client import HelperClient
from app.backend.output_log import OutputLog
from app.backend.processes import Connectors
from app.desktop.session import SIGNALS, DesktopSession
from app.desktop.single_instance import Opening
from app.main import ENGINE_LOG, HELPER_LOG
from app.shell.main_window import MainWindow
from app.style.appearance import Appearance
from core.paths import Home
from core.settings import Settings, WindowSettings, save_settings
from tests.fake_actions import FakeActions
from tests.fake_engine import Script
from tests.hand_alarm import Connect, HandAlarm, OpenWindow

ROOT = Path(__file__).resolve().parents[2]

UNSUPPORTED = ("propagateSizeHints", "systemTrayWindowChanged", r"support raise\(\)")


def pytest_itemcollected(item: pytest.Item) -> None:
    """Let Qt's offscreen screen say what it lacks: a window manager and a tray."""
    item.add_marker(pytest.mark.qt_log_ignore(*UNSUPPORTED))


@pytest.fixture(autouse=True)
def nobodys_desktop(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep notices off the screen of whoever runs the tests."""
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere/bus")


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
def actions() -> FakeActions:
    return FakeActions()


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

    def make(script: Script, clock: Callable[[], float] = time.time) -> EngineClient:
        command = (sys.executable, "-m", "tests.fake_engine", "--home", str(home.root))
        client = EngineClient(
            (*command, "--script", script), OutputLog(home.logs, ENGINE_LOG), alarm, clock
        )
        made.append(client)
        return client

    yield make
    for client in made:
        client.close()
        if client.link.is_running and alarm.seconds is not None:
            alarm.ring()
        qtbot.waitUntil(lambda c=client: not c.link.is_running)  # type: ignore[misc]  # default binds the loop's client


@pytest.fixture
def helper_alarm() -> HandAlarm:
    return HandAlarm()


@pytest.fixture
def helper(
    home: Home, helper_alarm: HandAlarm, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> Iterator[HelperClient]:
    """A client on the fake helper; its process does not outlive the test."""
    monkeypatch.chdir(ROOT)
    command = (sys.executable, "-m", "tests.fake_helper", "--home", str(home.root))
    client = HelperClient(command, OutputLog(home.logs, HELPER_LOG), helper_alarm)
    yield client
    client.close()
    qtbot.waitUntil(lambda: not client.is_running)


@pytest.fixture
def appearance(qapp: QApplication) -> Appearance:
    return Appearance(qapp)


@pytest.fixture
def open_first(
    connect: Connect, helper: HelperClient, home: Home, appearance: Appearance, qtbot: QtBot
) -> OpenWindow:
    """Open windows on the home as it is."""

    def make(script: Script = "train", *hubs: str) -> tuple[MainWindow, EngineClient]:
        client = connect(script)
        connectors = Connectors(lambda _home: client, lambda _home: helper)
        window = MainWindow(home, connectors, appearance)
        window.open_with(Opening(hubs=hubs, background=True))
        qtbot.addWidget(window)
        with qtbot.waitActive(window):
            window.show()
            window.activateWindow()
        return window, client

    return make


@pytest.fixture
def open_window(consenting_home: Home, open_first: OpenWindow) -> OpenWindow:
    """Open windows on a home whose owner has agreed."""
    assert consenting_home
    return open_first


@pytest.fixture
def session(qapp: QApplication) -> Iterator[DesktopSession]:
    """What the system says, heard; signals mean what they did before when the test is over."""
    numbers = [number for name in SIGNALS if (number := getattr(signal, name, None)) is not None]
    before = {number: signal.getsignal(number) for number in numbers}  # Windows lacks one of them
    made = DesktopSession(qapp)
    yield made
    made.close()
    for number, handler in before.items():
        signal.signal(number, handler)
