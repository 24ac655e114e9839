"""What macOS asks of the program reaches the window; each claim in a process of its own."""

import os
import subprocess
import sys
from pathlib import Path

from core.paths import Home
from core.settings import Settings, WindowSettings, save_settings
from tests.fake_engine import SAVED_FILE

ROOT = Path(__file__).resolve().parents[3]

BEGIN = """
import sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication, QEvent, QTimer, QUrl
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QLineEdit, QSystemTrayIcon
from app.style.appearance import Appearance
from app.backend.engine_client import EngineClient
from app.state.intents import JoinChosen
from app.main import connect_helper, open_application, open_window
from app.shell.main_window import MainWindow
from app.backend.output_log import OutputLog
from app.backend.processes import Connectors
from core.api.events import RoundFinished
from core.paths import Home

QSystemTrayIcon.isSystemTrayAvailable = lambda: True
home = Home(Path(sys.argv[1]))
app = open_application()

def say(event):
    QCoreApplication.sendEvent(app, event)
    print(event.isAccepted(), window.isVisible(), flush=True)
"""


def run(tmp_path: Path, code: str) -> list[str]:
    """What ``code`` prints on a home that wants the tray; it has to end by itself, with 0."""
    home = Home(tmp_path / "home")
    home.prepare()
    save_settings(Settings(window=WindowSettings(consent=True, tray=True)), home.settings)
    done = subprocess.run(  # noqa: S603 - this interpreter on a text of our own
        [sys.executable, "-c", BEGIN + code, str(home.root)],
        cwd=ROOT,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split("\n")[:-1]


def test_leaving_ends_the_process(tmp_path: Path) -> None:
    """Closed for good by the person, there is nothing left to wait for."""
    code = """
window = open_window(home, app)
window.show()
QTimer.singleShot(0, window.quit)
sys.exit(app.exec())
"""
    assert run(tmp_path, code) == []


def test_asked_to_end_it_does_not_hide(tmp_path: Path) -> None:
    """Tray or not: the system hears a yes, and the process ends."""
    code = """
window = open_window(home, app)
window.show()
QTimer.singleShot(0, lambda: say(QEvent(QEvent.Type.Quit)))
sys.exit(app.exec())
"""
    assert run(tmp_path, code) == ["True False"]


def test_asked_twice_it_saves_all_the_same(tmp_path: Path) -> None:
    """Who is impatient loses nothing, and does not hang it."""
    code = """
command = (sys.executable, "-m", "tests.fake_engine", "--home", str(home.root))
engine = EngineClient(command, OutputLog(home.logs, "engine.log"))
window = MainWindow(home, Connectors(lambda _home: engine, connect_helper), Appearance(app))
app.serve(window)
window.show()

def ask():
    QTimer.singleShot(0, lambda: app.sendEvent(app, QEvent(QEvent.Type.Quit)))

def end(event):
    if isinstance(event, RoundFinished):
        engine.event_received.disconnect(end)
        ask()

engine.event_received.connect(end)
window.leaving.connect(ask)  # heard amid the first time
window.dispatch(JoinChosen())
sys.exit(app.exec())
"""
    assert run(tmp_path, code) == []
    assert (tmp_path / "home" / SAVED_FILE).exists()


def test_an_invite_is_opened_and_nothing_else(tmp_path: Path) -> None:
    """Whatever the system was told to open with Waggle."""
    code = """
window = open_window(home, app)
for link in ("waggle://join/abc-DEF_123", "waggle://join/a b", "https://example.org", "file:///x"):
    say(QFileOpenEvent(QUrl(link)))
fields = [field.text() for field in window.findChildren(QLineEdit)]
print([text for text in fields if ":" in text])
"""
    assert run(tmp_path, code) == ["True True"] * 4 + ["['waggle://join/abc-DEF_123']"]


def test_a_click_in_the_dock_brings_a_hidden_window_back(tmp_path: Path) -> None:
    """On macOS, which only activates the program; not at its own start, nor on other systems."""
    code = """
from PySide6.QtCore import QDeadlineTimer

window = open_window(home, app)
click = QEvent(QEvent.Type.ApplicationActivate)
say(click)
sys.platform = "darwin"
say(click)
app._start = QDeadlineTimer(0)
say(click)
window.hide()
sys.platform = "linux"
say(click)
"""
    assert [line.split()[1] for line in run(tmp_path, code)] == ["False", "False", "True", "False"]


def test_whoever_waits_after_the_exit_burns_no_core(tmp_path: Path) -> None:
    """As when the session ends while a second click has closed the window already."""
    code = """
import time
from app.backend.helper_client import HelperClient
from app.backend.processes import Processes
from core.api.events import Join

command = (sys.executable, "-m", "tests.fake_engine", "--home", str(home.root), "--script", "hang")
engine = EngineClient(command, OutputLog(home.logs, "engine.log"))
processes = Processes(engine, connect_helper(home))
engine.join(Join(model="spark"))

def end():
    app.exit()
    processes.let_go()
    used, began = time.process_time(), time.monotonic()
    print(processes.wait(1_000), time.monotonic() - began > 0.9, time.process_time() - used < 0.5)

QTimer.singleShot(0, end)
app.exec()
"""
    assert run(tmp_path, code) == ["False True True"]
