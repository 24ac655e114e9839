"""Where log lines go: a small rotating file in the node's home, never the terminal."""

import logging
from logging.handlers import RotatingFileHandler
from typing import Final

from core.paths import Home, explain_os_error

MAX_BYTES = 1_000_000
KEPT = 3
MOST_LETTERS: Final = 500
"""Of a line; libraries quote what strangers sent at any length."""

ENDS: Final = 50
"""Lines of a long message, or of a traceback, that are kept of its beginning and of its end."""


def log_to_file(home: Home, name: str = "engine") -> None:
    """Send everything from INFO up to the file ``name`` in ``home.logs``; one file a process.

    Raises:
        HomeError: the file cannot be opened.
    """
    path = home.logs / f"{name}.log"
    try:
        handler = RotatingFileHandler(path, maxBytes=MAX_BYTES, backupCount=KEPT, encoding="utf-8")
    except OSError as error:
        raise explain_os_error(error, path) from error
    handler.setFormatter(_BoundedFormatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.raiseExceptions = False  # lost lines, as on a full disk, are not worth the display
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)


class _BoundedFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        lines = super().format(record).splitlines()
        if len(lines) > 2 * ENDS:
            lines[ENDS:-ENDS] = ["…"]
        return "\n".join(
            line if len(line) <= MOST_LETTERS else f"{line[:MOST_LETTERS]}…" for line in lines
        )
