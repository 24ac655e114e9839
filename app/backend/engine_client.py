"""The engine as a child process: commands in, events out, and a new one when it dies.

One process serves one run. Closing its stdin is the leash: the engine saves and ends, and is
killed if it does not. Texts for people are made elsewhere, from ``EngineStatus``.
"""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from app.backend.child import Child
from app.backend.output_log import OutputLog
from app.backend.timer import QtTimer, Timer
from app.state.engine_status import EngineStatus
from core.api.events import (
    Command,
    Event,
    Failed,
    Finish,
    Join,
    Pause,
    Paused,
    Resume,
    Resumed,
    RoundFinished,
    Snooze,
    Stop,
    Stopped,
)
from core.api.pipe import decode_event, encode
from core.errors import WireError

DELAYS_S = (1, 4, 15)


@dataclass(frozen=True, slots=True)
class Restarts:
    """Tries used up since the last finished round."""

    used: int = 0

    @property
    def delay_s(self) -> int | None:
        """Seconds to wait before the next try; None when there is none left."""
        return DELAYS_S[self.used] if self.used < len(DELAYS_S) else None

    def after_try(self) -> "Restarts":
        """One more try is used up."""
        return Restarts(self.used + 1)


CLOSE_S = 5.0  # for saving, after the leash was let go
STOP_S = 10.0  # for answering Stop, before the leash is let go
_CLOSING = EngineStatus("closing")


class EngineClient(QObject):
    """Runs the engine that ``command`` starts; ``clock`` tells unix seconds."""

    event_received = Signal(object)  # Event
    link_changed = Signal(object)  # EngineStatus

    def __init__(
        self,
        command: Sequence[str],
        log: OutputLog,
        alarm: Timer | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        super().__init__()
        self._log = log
        self._child = Child(command, log)
        self._child.line_read.connect(self._read)
        self._child.ended.connect(self._on_ended)
        self._alarm = alarm or QtTimer()
        self._clock = clock
        self._restarts = Restarts()
        self._join: Join | None = None  # what runs; None once its end is wanted or explained
        self._next: Join | None = None  # what runs once the old process is gone
        self._is_finishing = False  # by Finish: its round was to be kept
        self._held: Pause | Snooze | None = None  # what the person asked for, for a restart
        self._snoozed_until = 0.0  # by the clock
        self.link = EngineStatus()

    def join(self, join: Join) -> None:
        """Begin a run; the one before, if there still is one, is ended first."""
        self._held = None
        if self._child.is_running:
            self._join, self._next = None, join
            self._let_go()
        else:
            self._begin(join)

    def send(self, command: Command) -> None:
        """Pass on a wish, of any kind but Join; Stop and Finish also end waiting for a restart."""
        if isinstance(command, Pause | Snooze):
            self._held = command
            if isinstance(command, Snooze):
                self._snoozed_until = self._clock() + command.seconds
        elif isinstance(command, Resume):
            self._held = None
        elif isinstance(command, Finish | Stop):
            self._join = self._next = None  # from here on its end is what was asked for
            self._is_finishing = isinstance(command, Finish)
        if self._child.is_running:
            self._write(command)
            if isinstance(command, Stop) and self.link != _CLOSING:
                self._alarm.set(STOP_S, self.close)
        elif self._join is None:
            self._let_go()

    def close(self) -> None:
        """Let go of the leash; ``link_changed`` tells when the engine is gone."""
        self._join = self._next = None
        self._let_go()

    def _let_go(self) -> None:
        self._alarm.clear()
        if not self._child.is_running:
            self._set_link(EngineStatus())
            return
        self._set_link(_CLOSING)
        self._child.let_go()
        self._alarm.set(CLOSE_S, self._child.kill)

    def _begin(self, join: Join) -> None:
        self._alarm.clear()
        self._join, self._next = join, None
        self._restarts = Restarts()
        self._start()

    def _start(self) -> None:
        self._set_link(EngineStatus("up"))
        self._child.start()
        if self._join is not None:
            self._write(self._join)
        held = self._still_held()
        if held is not None:
            self._write(held)

    def _still_held(self) -> Pause | Snooze | None:
        """What a new engine has to be told: of a snooze, what is left of it."""
        if not isinstance(self._held, Snooze):
            return self._held
        left = math.ceil(self._snoozed_until - self._clock())
        return Snooze(seconds=min(left, self._held.seconds)) if left > 0 else None

    def _write(self, command: Command) -> None:
        self._child.write(encode(command))

    def _read(self, line: bytes) -> None:
        try:
            event = decode_event(line)
        except WireError as error:
            self._log.write(f"Ignoring a line that is no event: {error}\n".encode())
        else:
            self._heed(event)

    def _heed(self, event: Event) -> None:
        if isinstance(self._held, Snooze) and _ends_snooze(event):
            self._held = None
        self.event_received.emit(event)
        if isinstance(event, RoundFinished):
            self._restarts = Restarts()
        if isinstance(event, Stopped) or (isinstance(event, Failed) and event.fatal):
            self._join = None
            self._let_go()

    def _on_ended(self, reason: str) -> None:
        """Decide what follows the end of a process."""
        self._alarm.clear()
        if self._next is not None:
            self._begin(self._next)
        elif self._join is None:  # it was to end, but perhaps not before its round did
            is_early = self._is_finishing and self.link != _CLOSING
            self._set_link(EngineStatus(reason=reason if is_early else ""))
        elif (delay := self._restarts.delay_s) is None:
            self._set_link(EngineStatus("gave_up", reason))
        else:
            self._restarts = self._restarts.after_try()
            self._set_link(EngineStatus("waiting", reason, delay))
            self._alarm.set(delay, self._start)

    def _set_link(self, link: EngineStatus) -> None:
        if link != self.link:
            self.link = link
            self.link_changed.emit(link)


def _ends_snooze(event: Event) -> bool:
    return isinstance(event, Resumed) or (isinstance(event, Paused) and event.reason != "snoozed")
