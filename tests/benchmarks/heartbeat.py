"""How late the main thread's turns are, and why: what was its own doing, and what was waiting.

A busy machine makes every thread late. Linux says how long one stood ready without a processor
(``/proc/self/task/TID/schedstat``), so that part is told apart: the rest of a late turn is *its
own*, be it computing or waiting for a disk. Where the system does not say, all of it is.
"""

import os
import sys
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Final

from PySide6.QtCore import QObject, Qt, QTimer

BEAT_MS: Final = 10
LOOK_S: Final = 0.02  # between two looks of the watchdog
WORTH_A_LOOK_MS: Final = 80.0
"""From so much of its own on, it is noted where the main thread is."""

NOTED: Final = 60  # late turns that are kept, the worst ones
_DEPTH: Final = 10  # frames
_PLACES: Final = 5  # that are told of a turn


@dataclass(frozen=True, slots=True)
class Clocks:
    """Of the main thread, in ms: since ever, on a processor, ready and waiting for one."""

    wall: float
    ran: float
    waited: float


class MainThread:
    """Reads the clocks of the thread that makes it, from any thread."""

    def __init__(self) -> None:
        self.number = threading.get_ident()
        path = Path(f"/proc/self/task/{threading.get_native_id()}/schedstat")
        self._file = os.open(path, os.O_RDONLY) if path.exists() else -1

    def clocks(self) -> Clocks:
        """How they stand."""
        ran = waited = 0
        if sys.platform != "win32" and self._file >= 0:  # read at a place, since two threads do
            ran, waited = map(int, os.pread(self._file, 100, 0).split()[:2])
        return Clocks(1_000 * time.perf_counter(), ran / 1e6, waited / 1e6)

    def place(self) -> str:
        """Where it is, the innermost call first."""
        frame: FrameType | None = sys._current_frames().get(self.number)  # noqa: SLF001 - documented, for debuggers
        stack = traceback.extract_stack(frame, limit=_DEPTH)
        return " < ".join(f"{Path(f.filename).name}:{f.lineno} {f.name}" for f in reversed(stack))


@dataclass(slots=True)
class Turn:
    """A late one; ms beyond what was planned."""

    during: str  # what a person was doing
    wall: float
    own: float
    ran: float
    places: list[str] = field(default_factory=list)

    def told(self) -> dict[str, object]:
        """As figures."""
        return {
            "during": self.during,
            "wall_ms": round(self.wall, 1),
            "own_ms": round(self.own, 1),
            "ran_ms": round(self.ran, 1),
            "places": self.places[:_PLACES],
        }


class Heartbeat(QObject):
    """Beats every ``BEAT_MS`` and notes the turns that are late by more than ``late_ms``."""

    def __init__(self, doing: Callable[[], str], late_ms: float = 50.0) -> None:
        super().__init__()
        self._doing, self._late_ms = doing, late_ms
        self._thread = MainThread()
        self._last = self._thread.clocks()
        self._places: list[str] = []
        self._over = threading.Event()
        self._timer = QTimer(self, interval=BEAT_MS, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._beat)
        self.beats = 0
        self.turns: list[Turn] = []
        self.worst: dict[str, Turn] = {}  # of each thing that was done, by its own time

    def begin(self) -> None:
        """Beat from now on."""
        self._last = self._thread.clocks()
        self._over.clear()
        self._timer.start()
        threading.Thread(target=self._watch, daemon=True).start()

    def end(self) -> None:
        """Beat no more."""
        self._timer.stop()
        self._over.set()

    def over(self, milliseconds: float) -> dict[str, int]:
        """How many turns were late by more than that: on the clock, of their own, and by computing.

        What is its own and no computing is waiting for a disk, or for a lock.
        """
        late = [turn for turn in self.turns if turn.wall > milliseconds]
        return {
            "wall": len(late),
            "own": sum(turn.own > milliseconds for turn in late),
            "computing": sum(min(turn.own, turn.ran) > milliseconds for turn in late),
        }

    def figures(self) -> dict[str, object]:
        """All that is worth telling."""
        by_own = sorted(self.turns, key=lambda turn: -turn.own)
        return {
            "beats": self.beats,
            "over_50_ms": self.over(50),
            "over_100_ms": self.over(100),
            "worst_wall_ms": round(max((t.wall for t in self.turns), default=0.0), 1),
            "worst_own_ms": round(by_own[0].own if by_own else 0.0, 1),
            "worst_by_act": {
                act: round(turn.own, 1)
                for act, turn in sorted(self.worst.items(), key=lambda item: -item[1].own)
            },
            "turns": [turn.told() for turn in by_own[:NOTED]],
        }

    def _beat(self) -> None:
        now, last, places = self._thread.clocks(), self._last, self._places
        self._places = []
        self.beats += 1
        wall = now.wall - last.wall - BEAT_MS
        own = max(0.0, wall - (now.waited - last.waited))
        turn = Turn(self._doing(), wall, own, now.ran - last.ran, places)
        if turn.during not in self.worst or own > self.worst[turn.during].own:
            self.worst[turn.during] = turn
        if wall > self._late_ms:
            self.turns.append(turn)
        self._last = self._thread.clocks()

    def _watch(self) -> None:
        """Look, from a thread of its own, where the main thread is while a turn takes long."""
        while not self._over.wait(LOOK_S):
            last, places = self._last, self._places
            if 1_000 * time.perf_counter() - last.wall < WORTH_A_LOOK_MS:
                continue
            now = self._thread.clocks()
            if now.wall - last.wall - BEAT_MS - (now.waited - last.waited) > WORTH_A_LOOK_MS:
                places.append(self._thread.place())
