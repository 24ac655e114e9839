"""How quick the window opens: ``python -m tests.benchmarks.bench_window [--runs 10]``.

From the start of the process to the first paint and until it takes input, on a virtual screen,
against an empty QMainWindow in alternation; then what drawing the chart costs. Targets: first paint
within 1.0 s, usable within 1.5 s. *Own* leaves out what the main thread stood ready without a
processor, on a machine that others keep busy. What a window costs that runs: ``bench_watching``.
"""

import argparse
import json
import statistics
import subprocess
import sys
import time
from random import Random

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication, QMainWindow

from core.api.events import Point
from tests.benchmarks.heartbeat import MainThread
from tests.screen import own_screen

NAMES = ("painted", "painted_own", "usable", "usable_own")
_CHILD = "from tests.benchmarks.bench_window import open_{what}; open_{what}({began!r})"


class FirstPaint(QObject):
    """Prints the seconds since ``began`` when a window is painted and when it has caught up.

    Beside them the same without the time for which this thread waited for a processor.
    """

    def __init__(self, began: float) -> None:
        super().__init__()
        self._began = began
        self._thread = MainThread()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Watch for the first paint."""
        painted = super().eventFilter(watched, event)
        if event.type() is QEvent.Type.Paint:
            watched.removeEventFilter(self)
            self._tell()
            QTimer.singleShot(0, self._end)  # after all that waited for its turn
        return painted

    def _tell(self) -> None:
        passed = time.time() - self._began
        own = passed - self._thread.clocks().waited / 1_000
        sys.stdout.write(f"{passed:.4f} {own:.4f}\n")
        sys.stdout.flush()

    def _end(self) -> None:
        self._tell()
        QApplication.exit()


def open_empty(began: float) -> None:
    """What no window of this kind can beat."""
    app = QApplication([])
    window = QMainWindow()
    watch(app, window, began)


def open_waggle(began: float) -> None:
    """The window as ``waggle-app`` opens it."""
    from app.backend.processes import Connectors
    from app.main import connect_engine, connect_helper, open_application
    from app.shell.main_window import MainWindow
    from app.style.appearance import Appearance
    from core.paths import default_home

    app = open_application()
    connectors = Connectors(connect_engine, connect_helper)
    watch(app, MainWindow(default_home(), connectors, Appearance(app)), began)


def watch(app: QApplication, window: QMainWindow, began: float) -> None:
    """Show ``window`` until it is painted."""
    first = FirstPaint(began)
    window.installEventFilter(first)
    window.show()
    app.exec()


def seconds_to_open(what: str) -> tuple[float, ...]:
    """One start of a fresh process: until it is painted and takes input, each with its own part."""
    code = _CHILD.format(what=what, began=time.time())
    done = subprocess.run(  # noqa: S603 - this interpreter on a text of our own
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    )
    return tuple(map(float, done.stdout.split()[:4]))


def milliseconds_to_draw(rounds: int) -> float:
    """Median processor time of redrawing a chart of ``rounds`` rounds, painting included."""
    from app.pages.home.chart import ScoreChart
    from app.style.theme import LIGHT

    chart = ScoreChart(LIGHT, redraw_ms=0)
    chart.resize(800, 480)
    chart.show()
    rng = Random(0)
    points = [Point(round=n, skill=rng.random(), swarm_skill=rng.random()) for n in range(rounds)]
    times = []
    for lap in range(12):
        QApplication.processEvents()
        began = time.process_time()
        chart.show_points(tuple(points[: rounds - lap]), "")
        chart.grab()
        times.append(1_000 * (time.process_time() - began))
    return statistics.median(times[2:])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=10)
    runs = parser.parse_args().runs
    with own_screen(1_400, 900):
        times: dict[str, list[tuple[float, ...]]] = {"empty": [], "waggle": []}
        for run in range(runs + 1):
            for what, found in times.items():
                seconds = seconds_to_open(what)
                if run:  # the first one fills the disk cache
                    found.append(seconds)
        app = QApplication([])
        drawing = {str(rounds): milliseconds_to_draw(rounds) for rounds in (50, 500, 1_000)}
        app.quit()
    figures = {
        what: {
            name: [round(figure, 3) for figure in (statistics.median(one), min(one), max(one))]
            for name, one in zip(NAMES, zip(*found, strict=True), strict=True)
        }
        for what, found in times.items()
    }
    drawn = {rounds: round(milliseconds, 1) for rounds, milliseconds in drawing.items()}
    sys.stdout.write(json.dumps({"median_min_max_s": figures, "draw_ms": drawn}, indent=1) + "\n")


if __name__ == "__main__":
    main()
