"""Opening a SQLite file, and what is said where one cannot be used."""

import errno
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import Final

import msgspec

from core.errors import HomeError
from core.i18n import translatable
from core.paths import explain_os_error

QUICK: Final = ("journal_mode = WAL", "synchronous = NORMAL")
"""Pragmas of one that a killed process does no harm to; a power cut may take the latest."""

_OF_THE_DISK: Final = ("SQLITE_IOERR", "SQLITE_CANTOPEN")  # on a full one, too: of files beside it
_IN_USE: Final = ("SQLITE_BUSY", "SQLITE_LOCKED")
_FULL_BYTES: Final = 1 << 16  # the index of a write-ahead log grows by half of that


def open_database(
    path: Path | str,
    pragmas: Sequence[str] = (),
    prepare: Callable[[sqlite3.Connection], None] = lambda _: None,
    *,
    timeout_s: float = 5.0,
    check_same_thread: bool = True,
) -> sqlite3.Connection:
    """Open or create the file at ``path``; closed again where ``prepare`` fails.

    One that is made is readable by its owner only, and so is what SQLite puts beside it.

    Raises:
        sqlite3.Error: it is damaged, or busy for ``timeout_s`` seconds.
    """
    if str(path) != ":memory:":  # which keeps no file
        with suppress(OSError):  # it is there, or SQLite will say what is wrong
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    with ExitStack() as opened:
        database = sqlite3.connect(path, timeout=timeout_s, check_same_thread=check_same_thread)
        opened.enter_context(closing(database))
        for pragma in pragmas:
            database.execute(f"PRAGMA {pragma}")
        prepare(database)
        opened.pop_all()  # stays open, since nothing went wrong
    return database


def read_pragma(database: sqlite3.Connection, name: str) -> int:
    """A number in the file's head: ``user_version`` or ``application_id``."""
    (value,) = database.execute(f"PRAGMA {name}").fetchone()
    return int(value)


@contextmanager
def sqlite_errors_explained(path: Path, what: str) -> Iterator[None]:
    """Within it, trouble with the file at ``path`` is told in a sentence about ``what`` it keeps.

    Raises:
        DiskFullError: no space is left.
        HomeError: the file cannot be used, or holds something else.
    """
    try:
        yield
    except (sqlite3.Error, msgspec.ValidationError) as error:
        name = getattr(error, "sqlite_errorname", "")
        if name.startswith("SQLITE_FULL") or (name.startswith(_OF_THE_DISK) and _is_full(path)):
            raise explain_os_error(OSError(errno.ENOSPC, "disk full"), path) from error
        if name.startswith(_IN_USE):
            raise HomeError(
                translatable(
                    "{}, {}, is in use by another program. Close that one, then try again.",
                    what,
                    path,
                )
            ) from error
        raise HomeError(
            translatable(
                "{}, {}, cannot be used ({}). "
                "Move it away to start a new one, or choose another folder.",
                what,
                path,
                error,
            )
        ) from error


def _is_full(path: Path) -> bool:
    try:
        return shutil.disk_usage(path.parent).free < _FULL_BYTES
    except OSError:  # no such folder
        return False
