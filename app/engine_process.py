"""Where the engine is, how a process ends, and where its last words go."""

import logging
from logging.handlers import RotatingFileHandler
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QProcess

from app.line_buffer import LineBuffer
from core.children import python_command

translate = QCoreApplication.translate

LOG_NAME = "engine-output.log"
DESK_LOG_NAME = "desk-output.log"
LOG_BYTES = 500_000
LINE_BYTES = 8_000
_OUT_OF_MEMORY_SIGNAL = 9  # SIGKILL: what Linux sends when memory runs out


def engine_command(home: Path) -> tuple[str, ...]:
    """How the engine of ``home`` is started."""
    return (*python_command("core.serve"), "--home", str(home))


def desk_command(home: Path) -> tuple[str, ...]:
    """How its desk is started."""
    return (*python_command("core.desk.main"), "--home", str(home))


def reason_of_end(status: QProcess.ExitStatus, code: int) -> str:
    """Why a process that should have gone on ended, as a clause for a person."""
    if status is QProcess.ExitStatus.CrashExit:
        if code == _OUT_OF_MEMORY_SIGNAL:
            return translate("Processes", "the system ended it, perhaps because memory ran out")
        return translate("Processes", "it crashed")
    if code:
        return translate("Processes", "it ended with an error")
    return translate("Processes", "it ended too early")


class OutputLog:
    """Keeps what the engine prints on stderr in a file of bounded size.

    A log that cannot be written loses its lines and nothing else: logging never raises here.
    """

    def __init__(self, folder: Path, name: str = LOG_NAME) -> None:
        self._lines = LineBuffer(LINE_BYTES)
        self._handler = RotatingFileHandler(
            folder / name, maxBytes=LOG_BYTES, backupCount=1, encoding="utf-8", delay=True
        )
        self._handler.setFormatter(logging.Formatter("%(asctime)s %(message)s"))

    def write(self, chunk: bytes) -> None:
        """Add what arrived; lines are written once they are whole."""
        for line in self._lines.feed(chunk):
            text = line.decode(errors="replace").rstrip("\r")
            record = logging.LogRecord("engine", logging.INFO, "", 0, text, None, None)
            self._handler.handle(record)

    def close(self) -> None:
        """Let go of the file; writing opens it again."""
        self._handler.close()
