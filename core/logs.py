"""Where log lines of what runs for long go: a small rotating file in the node's home.

Never the terminal; there a command that keeps no log says its warnings (``core.cli.output``).
"""

import logging
from logging.handlers import RotatingFileHandler
from typing import Final

from core.letters import escaped
from core.paths import Home, explain_os_error

MAX_BYTES = 1_000_000
KEPT = 3
MOST_LETTERS: Final = 500
"""Of a line; libraries quote what strangers sent at any length."""

ENDS: Final = 50
"""Lines of a traceback that are kept of its beginning and of its end."""


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
    """One line for each message, whatever is quoted in it, and then those of its traceback."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's name
        return _shown(super().formatMessage(record).rstrip())

    def format(self, record: logging.LogRecord) -> str:
        lines = super().format(record).splitlines()
        if len(lines) > 2 * ENDS:
            lines[ENDS:-ENDS] = ["…"]
        return "\n".join(map(_shown, lines))


def _shown(line: str) -> str:
    """``line``, cut, and without what a terminal would obey."""
    line = line if len(line) <= MOST_LETTERS else f"{line[:MOST_LETTERS]}…"
    return escaped(line, kept="\t")
