"""A log of what a child process prints on stderr."""

import logging
from contextlib import suppress
from logging.handlers import RotatingFileHandler
from pathlib import Path

from app.backend.line_buffer import LineBuffer

LOG_BYTES = 500_000
LINE_BYTES = 8_000


class OutputLog:
    """The file ``name`` in ``folder``, of bounded size.

    A log that cannot be written loses its lines and nothing else: logging never raises here.
    Between two writes the file is not open, since Windows would not let the helper delete it.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self._lines = LineBuffer(LINE_BYTES)
        self._handler = RotatingFileHandler(
            folder / name, maxBytes=LOG_BYTES, backupCount=1, encoding="utf-8", delay=True
        )
        self._handler.setFormatter(logging.Formatter("%(asctime)s %(message)s"))

    def write(self, chunk: bytes) -> None:
        """Add what arrived; lines are written once they are whole."""
        for line in self._lines.feed(chunk):
            text = line.decode(errors="replace").rstrip("\r")
            record = logging.LogRecord(__name__, logging.INFO, "", 0, text, None, None)
            self._handler.handle(record)
        with suppress(OSError):  # a full disk: what could not be written is tried again here
            self._handler.close()  # writing opens it again
