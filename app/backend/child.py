"""A child process of the window on a pair of pipes: lines in and out, its last words in a log."""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QObject, QProcess, Signal

from app.backend.line_buffer import LineBuffer
from app.backend.output_log import OutputLog
from core.api.pipe import MAX_LINE

translate = QCoreApplication.translate

_OUT_OF_MEMORY_SIGNAL = 9  # SIGKILL: what Linux sends when memory runs out


class Child(QObject):
    """One process at a time of what ``command`` starts; closing its stdin is the leash."""

    line_read = Signal(object)  # bytes
    ended = Signal(str)  # why, as a clause for a person; all its lines were read before

    def __init__(self, command: Sequence[str], log: OutputLog) -> None:
        super().__init__()
        self._program, *self._arguments = command
        self._log = log
        self._process: QProcess | None = None
        self._lines = LineBuffer(MAX_LINE)

    @property
    def is_running(self) -> bool:
        """There is a process."""
        return self._process is not None

    def start(self) -> None:
        """Start a process; ``ended`` tells if it cannot be started."""
        process = QProcess(self)
        process.readyReadStandardOutput.connect(self._read_lines)
        process.readyReadStandardError.connect(self._read_log)
        process.finished.connect(self._on_finished)
        process.errorOccurred.connect(self._on_error)
        self._process, self._lines = process, LineBuffer(MAX_LINE)
        process.start(self._program, self._arguments)

    def write(self, line: bytes) -> None:
        """Send ``line``, if there is somebody to read it."""
        if self._process is not None:
            self._process.write(line)

    def let_go(self) -> None:
        """Close its stdin, which asks it to end."""
        if self._process is not None:
            self._process.closeWriteChannel()

    def kill(self) -> None:
        """End it at once."""
        if self._process is not None:
            self._process.kill()

    def _read_lines(self) -> None:
        if self._process is None:
            return
        for line in self._lines.feed(bytes(self._process.readAllStandardOutput().data())):
            self.line_read.emit(line)

    def _read_log(self) -> None:
        if self._process is not None:
            self._log.write(bytes(self._process.readAllStandardError().data()))

    def _on_error(self, error: QProcess.ProcessError) -> None:
        if error is QProcess.ProcessError.FailedToStart:  # Qt sends no ``finished`` then
            self._bury(self.tr("it could not be started"))

    def _on_finished(self, code: int, status: QProcess.ExitStatus) -> None:
        self._read_lines()
        self._read_log()
        if code:  # or a signal; a killed process left no last words
            self._log.write(f"It ended with {code} ({status.name}).\n".encode())
        self._bury(reason_of_end(status, code))

    def _bury(self, reason: str) -> None:
        if self._process is None:
            return
        self._process.deleteLater()
        self._process = None
        self.ended.emit(reason)


def reason_of_end(status: QProcess.ExitStatus, code: int) -> str:
    """Why a process that should have gone on ended, as a clause for a person."""
    if status is QProcess.ExitStatus.CrashExit:
        if code == _OUT_OF_MEMORY_SIGNAL:
            return translate("Processes", "the system ended it, perhaps because memory ran out")
        return translate("Processes", "it crashed")
    if code:
        return translate("Processes", "it ended with an error")
    return translate("Processes", "it ended too early")
