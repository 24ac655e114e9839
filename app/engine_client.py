"""The engine as a child process: commands in, events out, and a new one when it dies.

One process serves one run. Closing its stdin is the leash: the engine saves and ends, and is
killed if it does not. Texts for people are made elsewhere, from ``Link``.
"""

from collections.abc import Sequence

from PySide6.QtCore import QObject, QProcess, Signal

from app.alarm import Alarm, QtAlarm
from app.engine_process import OutputLog, reason_of_end
from app.line_buffer import LineBuffer
from app.link import Link
from app.restarts import Restarts
from core.engine.events import (
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
    RunAnyway,
    Snooze,
    Stop,
    Stopped,
)
from core.engine.pipe import MAX_LINE, decode_event, encode
from core.errors import WireError

CLOSE_S = 5.0  # for saving, after the leash was let go
STOP_S = 10.0  # for answering Stop, before the leash is let go


class EngineClient(QObject):
    """Runs the engine that ``command`` starts."""

    event_received = Signal(object)  # Event
    link_changed = Signal(object)  # Link

    def __init__(self, command: Sequence[str], log: OutputLog, alarm: Alarm | None = None) -> None:
        super().__init__()
        self._program, *self._arguments = command
        self._log = log
        self._alarm = alarm or QtAlarm()
        self._process: QProcess | None = None
        self._lines = LineBuffer(MAX_LINE)
        self._restarts = Restarts()
        self._join: Join | None = None  # what runs; None once its end is wanted or explained
        self._next: Join | None = None  # what runs once the old process is gone
        self._held: Pause | Snooze | None = None  # what the person asked for, for a restart
        self.link = Link()
        self.garbage = 0  # lines that were no events

    def join(self, join: Join) -> None:
        """Begin a run; the one before, if there still is one, is ended first."""
        if self._process is not None:
            self._join, self._next = None, join
            self._let_go()
            return
        self._alarm.clear()
        self._join, self._next = join, None
        self._held = None
        self._restarts = Restarts()
        self._start()

    def send(self, command: Command) -> None:
        """Pass on a wish, of any kind but Join; Stop and Finish also end waiting for a restart."""
        if isinstance(command, Pause | Snooze):
            self._held = command
        elif isinstance(command, Resume | RunAnyway):
            self._held = None
        elif isinstance(command, Finish | Stop):
            self._join = None  # from here on its end is what was asked for
        if self._process is not None:
            self._write(command)
            if isinstance(command, Stop):
                self._alarm.set(STOP_S, self.close)
        elif self._join is None:
            self._let_go()

    def close(self) -> None:
        """Let go of the leash; ``link_changed`` tells when the engine is gone."""
        self._join = self._next = None
        self._let_go()

    def _let_go(self) -> None:
        self._alarm.clear()
        if self._process is None:
            self._settle(Link())
            return
        self._settle(Link("closing"))
        self._process.closeWriteChannel()
        self._alarm.set(CLOSE_S, self._process.kill)

    def _start(self) -> None:
        process = QProcess(self)
        process.readyReadStandardOutput.connect(self._read_events)
        process.readyReadStandardError.connect(self._read_log)
        process.finished.connect(self._on_finished)
        process.errorOccurred.connect(self._on_error)
        self._process, self._lines = process, LineBuffer(MAX_LINE)
        self._settle(Link("up"))
        process.start(self._program, self._arguments)
        if self._join is not None:
            self._write(self._join)
        if self._held is not None:
            self._write(self._held)

    def _write(self, command: Command) -> None:
        if self._process is not None:
            self._process.write(encode(command))

    def _read_events(self) -> None:
        if self._process is None:
            return
        for line in self._lines.feed(bytes(self._process.readAllStandardOutput().data())):
            try:
                event = decode_event(line)
            except WireError:
                self.garbage += 1
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

    def _read_log(self) -> None:
        if self._process is not None:
            self._log.write(bytes(self._process.readAllStandardError().data()))

    def _on_error(self, error: QProcess.ProcessError) -> None:
        if error is QProcess.ProcessError.FailedToStart:  # Qt sends no ``finished`` then
            self._bury("it could not be started")

    def _on_finished(self, code: int, status: QProcess.ExitStatus) -> None:
        self._read_events()
        self._read_log()
        self._bury(reason_of_end(status, code))

    def _bury(self, reason: str) -> None:
        """Decide what follows the end of a process."""
        if self._process is None:
            return
        self._alarm.clear()
        self._log.close()
        self._process.deleteLater()
        self._process = None
        if self._next is not None:
            self.join(self._next)
        elif self._join is None:
            self._settle(Link())
        elif (delay := self._restarts.delay_s) is None:
            self._settle(Link("gave_up", reason))
        else:
            self._restarts = self._restarts.after_try()
            self._settle(Link("waiting", reason, delay))
            self._alarm.set(delay, self._start)

    def _settle(self, link: Link) -> None:
        if link != self.link:
            self.link = link
            self.link_changed.emit(link)


def _ends_snooze(event: Event) -> bool:
    return isinstance(event, Resumed) or (isinstance(event, Paused) and event.reason != "snoozed")
