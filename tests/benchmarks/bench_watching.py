"""What an open window costs: ``python -m tests.benchmarks.bench_watching [--seconds 60]``.

On a virtual screen, with the real engine: the processor time of the window's own process while it
trains, and the longest time for which its main thread was held up. Then the memory of a window to
which rounds are played. Targets: under 1 % of one core, never over 100 ms, memory flat.
"""

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path

import psutil
from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication

from app.appearance import Appearance
from app.engine_client import EngineClient
from app.engine_process import OutputLog
from app.link import Link
from app.main import connect_desk, connect_engine, open_application
from app.main_window import Children, MainWindow
from core.engine.events import Started
from core.paths import Home
from core.settings import RulesSettings, Settings, SwarmSettings, WindowSettings, save_settings
from tests.fake_engine import pretend
from tests.screen import own_screen, settle

BEAT_MS = 10
FIRST_ROUNDS = 2  # by then all that is drawn was drawn once
PATIENCE_S = 180.0
FAKE = ("python", "-c", "input()")


class Heartbeat(QObject):
    """Notes by how much the main thread was late, at worst."""

    def __init__(self) -> None:
        super().__init__()
        self.longest_ms = 0.0
        self._last = time.perf_counter()
        self._timer = QTimer(self, interval=BEAT_MS, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._beat)

    def begin(self) -> None:
        """Beat from now on."""
        self.longest_ms, self._last = 0.0, time.perf_counter()
        self._timer.start()

    def end(self) -> float:
        """The longest gap, in ms beyond what was planned."""
        self._timer.stop()
        return max(0.0, self.longest_ms - BEAT_MS)

    def _beat(self) -> None:
        now = time.perf_counter()
        self.longest_ms = max(self.longest_ms, 1_000 * (now - self._last))
        self._last = now


def new_home(folder: Path) -> Home:
    """Of somebody who has agreed and lets it run whatever happens."""
    home = Home(folder)
    home.prepare()
    rules = RulesSettings(when_in_use="run", full_screen="run", busy_percent=0, hottest_c=0)
    window = WindowSettings(consent=True)
    save_settings(
        Settings(window=window, rules=rules, swarm=SwarmSettings(lan=False)), home.settings
    )
    return home


def rounds_of(window: MainWindow) -> int:
    """Finished ones, as the window knows."""
    return 0 if window.state is None else window.state.node.round


def watch(appearance: Appearance, home: Home, seconds: float) -> dict[str, float]:
    """Processor time and the longest hold-up while the real engine practises.

    The first beats tell of loading; the heart beats apart from them, since it takes time, too.
    """
    window = MainWindow(home, Children(connect_engine, connect_desk), appearance)
    window.show()
    heart, own = Heartbeat(), psutil.Process()
    heart.begin()
    window.start_hidden()
    window.showNormal()
    deadline = time.monotonic() + PATIENCE_S
    while rounds_of(window) < FIRST_ROUNDS and time.monotonic() < deadline:
        settle(1.0)
    loading = heart.end()
    before, began = own.cpu_times(), time.perf_counter()
    settle(seconds)
    after, passed = own.cpu_times(), time.perf_counter() - began
    heart.begin()
    settle(seconds)
    held_up = heart.end()
    rounds = rounds_of(window)
    window.quit_in_haste()
    busy = after.user + after.system - before.user - before.system
    return {
        "rounds": rounds,
        "cpu_percent": round(100 * busy / passed, 2),
        "held_up_while_joining_ms": round(loading, 1),
        "held_up_ms": round(held_up, 1),
    }


def replay(appearance: Appearance, home: Home, rounds: int) -> dict[str, float]:
    """Memory of the window's process, in MiB, after a tenth and after all of ``rounds``."""
    client = EngineClient(FAKE, OutputLog(home.logs))
    window = MainWindow(home, Children(lambda _home: client, connect_desk), appearance)
    window.show()
    client.link_changed.emit(Link("up"))
    client.event_received.emit(Started(model="spark", round=0, peer="", name="a-b", solo=False))
    found = []
    for number in range(1, rounds + 1):
        client.event_received.emit(pretend(number, 2))
        QApplication.processEvents()
        if number in (max(1, rounds // 10), rounds):
            settle(1.0)
            found.append(psutil.Process().memory_info().rss / 2**20)
    client.link_changed.emit(Link())
    window.quit()
    return {"early_mib": round(found[0], 1), "late_mib": round(found[-1], 1)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--rounds", type=int, default=2_000)
    asked = parser.parse_args()
    with own_screen(1_400, 900), tempfile.TemporaryDirectory() as folder:
        app = open_application()
        app.setQuitOnLastWindowClosed(False)
        appearance = Appearance(app)
        figures = {
            "replayed": replay(appearance, new_home(Path(folder) / "replay"), asked.rounds),
            "watched": watch(appearance, new_home(Path(folder) / "watch"), asked.seconds),
        }
        app.quit()
    sys.stdout.write(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    main()
