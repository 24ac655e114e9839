"""A person at a real window who does what is asked: ``python -m tests.benchmarks.soak_person DIR``.

The window is opened as ``waggle-app`` opens it, with the real engine and the real helper. A line on
stdin is a habit: ``join``, ``look`` at every page, ``exam``, or the title of a model to change to.
What was done stands on stdout, a line each. The end of stdin closes the window.
"""

import os
import signal
import sys
import time
from collections import deque
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, QSocketNotifier, QTimer
from PySide6.QtWidgets import QAbstractButton

from app.desktop.single_instance import Opening, SingleInstance
from app.main import open_application, open_window
from app.shell.main_window import MainWindow
from core.paths import Home
from tests.benchmarks.acting import PAGES, Act, choose, press, scroll, turn_to

PACE_MS: Final = 1_000
"""Between two acts."""

TIMEOUT_S: Final = 240.0
"""For what an act needs to be there, such as the button of a run that has ended."""

_JOIN: Final = (press("Home"), press("Join swarm"))
_QUICK: Final = 0  # exam


def habit(words: str) -> tuple[Act, ...]:
    """The acts that ``words`` stand for."""
    match words:
        case "join":
            return _JOIN
        case "look":
            return tuple(act for page in PAGES for act in (press(page), maybe(scroll())))
        case "exam":
            size = choose("How many puzzles", _QUICK)
            return press("Practice"), turn_to(3), size, press("Take the exam"), press("Home")
    stop = press("Home"), press("Finish round and stop"), see("Join swarm")
    return *stop, press("Models"), press(f"Choose: {words}"), *_JOIN


def maybe(act: Act) -> Act:
    """Do it where it can be done, and do not wait for it."""
    name, deed = act
    return name, lambda window: deed(window) or True


def see(name: str) -> Act:
    """Wait until there is a button called ``name``."""

    def act(window: MainWindow) -> bool:
        return any(
            one.isVisible() and name in (one.accessibleName(), one.text())
            for one in window.findChildren(QAbstractButton)
        )

    return f"see {name}", act


class SoakPerson(QObject):
    """Does one act after another, each once it can be done."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__()
        self._window = window
        self._acts: deque[Act] = deque()
        self._waits_since = time.monotonic()
        self._timer = QTimer(self, interval=PACE_MS)
        self._timer.timeout.connect(self._act)
        self._timer.start()
        self._ears = QSocketNotifier(0, QSocketNotifier.Type.Read, self)
        self._ears.activated.connect(self._hear)

    def _hear(self) -> None:
        words = os.read(0, 4_096).decode()
        if not words:
            self._ears.setEnabled(False)
            self._window.quit()
        for line in words.splitlines():
            self._acts.extend(habit(line))

    def _act(self) -> None:
        if not self._acts:
            self._waits_since = time.monotonic()
            return
        name, act = self._acts[0]
        done = act(self._window)
        if not done and time.monotonic() - self._waits_since < TIMEOUT_S:
            return
        self._acts.popleft()
        self._waits_since = time.monotonic()
        sys.stdout.write(f"{name if done else f'in vain: {name}'}\n")
        sys.stdout.flush()


def main() -> int:
    """Open the window and serve until stdin ends."""
    home = Home(Path(sys.argv[1]))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal's is for the one that started this
    app = open_application()
    first = SingleInstance(home)
    if not first.claim(Opening()):
        return 1
    window = open_window(home, app)
    window.open_with(Opening())
    person = SoakPerson(window)
    code = app.exec()
    person.deleteLater()
    return code


if __name__ == "__main__":
    sys.exit(main())
