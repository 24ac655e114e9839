"""What an open window costs: ``python -m tests.benchmarks.bench_watching [--minutes 5]``.

On a virtual screen, with the real engine and the real helper: the processor time of the window's
own process while it trains, and how late its main thread is while somebody does all that can be
done. Then the memory of a window to which rounds are played. Targets: under 1 % of one core, never
over 100 ms, memory flat.
"""

import argparse
import gc
import json
import sys
import tempfile
import time
import tracemalloc
from pathlib import Path

import psutil
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication

from app.backend.engine_client import EngineClient
from app.backend.output_log import OutputLog
from app.backend.processes import Connectors
from app.main import ENGINE_LOG, connect_engine, connect_helper, open_application
from app.shell.main_window import MainWindow
from app.state.engine_status import EngineStatus
from app.style.appearance import Appearance
from core.api.events import PhaseEntered, Started, SwarmChanged
from core.api.preview import Attempt, PuzzleTried
from core.paths import Home
from core.settings import (
    ComputeSettings,
    RulesSettings,
    Settings,
    SwarmSettings,
    WindowSettings,
    save_settings,
)
from tests.benchmarks.acting import PAGES, Actor, press
from tests.benchmarks.heartbeat import Heartbeat
from tests.fake_engine import PHASES, pretend
from tests.screen import own_screen, settle

FIRST_ROUNDS = 2  # by then all that is drawn was drawn once
TIMEOUT_S = 180.0
PACE_S = 3.0  # between two acts of a person in a hurry
MARKS = (0.1, 0.5, 1.0)  # of all rounds that are played
FAKE = ("python", "-c", "input()")

Memories = list[dict[str, float]]


def new_home(folder: Path) -> Home:
    """Of somebody who has agreed and lets it run whatever happens."""
    home = Home(folder)
    home.prepare()
    rules = RulesSettings(
        on_battery="run",
        battery_floor=0,
        when_in_use="run",
        full_screen="run",
        busy_percent=0,
        hottest_c=0,
        memory_floor_mb=0,
        disk_floor_mb=0,
    )
    settings = Settings(
        window=WindowSettings(consent=True, theme="light"),
        rules=rules,
        compute=ComputeSettings(sampler="torch"),
        swarm=SwarmSettings(lan=False),
    )
    save_settings(settings, home.settings)
    return home


def rounds_of(window: MainWindow) -> int:
    """Finished ones, as the window knows."""
    return 0 if window.state is None else window.state.node.round


def watch(appearance: Appearance, home: Home, seconds: float, minutes: float) -> dict[str, object]:
    """Processor time, and how late the main thread is, while the real engine practises.

    The heart does not beat while processor time is counted, since it takes some itself.
    """
    window = MainWindow(home, Connectors(connect_engine, connect_helper), appearance)
    window.show()
    settle(1.0)
    actor = Actor(window, PACE_S)
    heart = Heartbeat(lambda: actor.doing)
    heart.begin()
    actor.doing = "join"
    press("Join swarm")[1](window)
    deadline = time.monotonic() + TIMEOUT_S
    while rounds_of(window) < FIRST_ROUNDS and time.monotonic() < deadline:
        settle(1.0)
    heart.end()
    percent = processor_percent(seconds)
    before = rounds_of(window)
    heart.begin()
    actor.begin()
    settle(60.0 * minutes)
    actor.end()
    heart.end()
    rounds = rounds_of(window)
    window.quit_in_haste()
    return {
        "rounds": before,
        "rounds_while_used": rounds - before,
        "cpu_percent": percent,
        "minutes": minutes,
        "acts": actor.acts,
        "missed": actor.missed,
        "load_average": psutil.getloadavg(),
    } | heart.figures()


def processor_percent(seconds: float) -> float:
    """What this process takes of one core while nobody touches it."""
    own = psutil.Process()
    before, began = own.cpu_times(), time.perf_counter()
    settle(seconds)
    after, passed = own.cpu_times(), time.perf_counter() - began
    busy: float = after.user + after.system - before.user - before.system
    return round(100 * busy / passed, 2)


def replay(appearance: Appearance, home: Home, rounds: int, *, trace: bool) -> Memories:
    """Memory after parts of ``rounds``, all pages open; Python's own share where ``trace``."""
    client = EngineClient(FAKE, OutputLog(home.logs, ENGINE_LOG))
    window = MainWindow(home, Connectors(lambda _home: client, connect_helper), appearance)
    window.show()
    for page in PAGES:
        press(page)[1](window)
        settle(0.5)
    client.link_changed.emit(EngineStatus("up"))
    client.event_received.emit(Started(model="spark", round=0, peer="", name="a-b", solo=False))
    if trace:
        tracemalloc.start()
    found = []
    marks = {max(1, round(rounds * mark)) for mark in MARKS}
    for number in range(1, rounds + 1):
        play(client, number)
        if number in marks:
            settle(1.0)
            found.append(memory(number, trace=trace))
    tracemalloc.stop()
    client.link_changed.emit(EngineStatus())
    window.quit_in_haste()
    window.deleteLater()
    return found


def play(client: EngineClient, number: int) -> None:
    """All that an engine may say of a round."""
    attempts = tuple(Attempt(text=f"{number} {one}", reward=one / 7) for one in range(8))
    puzzle = PuzzleTried(
        round=number, task="sums", title="Sums", question=f"{number} + 1 = ?", own=attempts
    )
    client.event_received.emit(SwarmChanged(reachable=True, peers=number % 5, words=""))
    for phase in PHASES:
        client.event_received.emit(PhaseEntered(round=number, phase=phase))
    client.event_received.emit(puzzle)
    client.event_received.emit(pretend(number, 2))
    QApplication.processEvents()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def memory(number: int, *, trace: bool) -> dict[str, float]:
    """Of this process, now."""
    gc.collect()
    found = {"round": number, "objects": float(len(gc.get_objects()))}
    if trace:
        return found | {"python_mib": round(tracemalloc.get_traced_memory()[0] / 2**20, 2)}
    return found | {"rss_mib": round(psutil.Process().memory_info().rss / 2**20, 1)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0, help="of counted processor time")
    parser.add_argument("--minutes", type=float, default=5.0, help="of being used; 0: not at all")
    parser.add_argument("--rounds", type=int, default=2_000, help="to play; 0: none")
    asked = parser.parse_args()
    figures: dict[str, object] = {}
    with own_screen(1_400, 900), tempfile.TemporaryDirectory() as folder:
        app = open_application()
        app.setQuitOnLastWindowClosed(False)
        appearance = Appearance(app)
        for trace in (False, True) if asked.rounds else ():
            home = new_home(Path(folder) / f"replay-{trace}")
            played = replay(appearance, home, asked.rounds, trace=trace)
            figures["traced" if trace else "replayed"] = played
        if asked.minutes:
            home = new_home(Path(folder) / "watch")
            figures["watched"] = watch(appearance, home, asked.seconds, asked.minutes)
        app.quit()
    sys.stdout.write(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    main()
