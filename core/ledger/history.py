"""The rounds of every model on this machine, in one SQLite file.

One row per (model, round); recording a round again replaces its row, so that a round repeated
after a crash is counted once. A row outlives the process as soon as ``record`` returns; a power
cut may take those of some seconds. Of very many rounds some stay, and what is summed up of all
(``schema``).
"""

import math
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Self

import msgspec

from core.api.events import Point, RoundFinished
from core.ledger.curve import read_curve
from core.ledger.schema import FIELDS, WHEN_DROPPED, explained, open_ledger

FIRST: Final = 100
"""So many rounds of the beginning stay, which all later ones are compared with."""

LAST: Final = 100_000
"""So many of the end stay: 13 MB, and two hours of the quickest rounds."""

ONE_OF: Final = 32
"""Of the others, those whose number is a multiple of this."""

FLUSHED_EVERY_S: Final = 10.0
"""Slow rounds are all flushed, quick ones together: each flush wears the disk."""

EVERY: Final = 10_000
"""Rounds after which it is looked again what need not stay, besides at every start."""

MOST_AT_ONCE: Final = 50_000
"""Rounds dropped at once: a quarter of a second; the next time goes on from there."""

_NEWEST: Final = "SELECT max(round) FROM rounds WHERE model = ?"
_WHOLE: Final = f"model = ? AND round BETWEEN ? AND ? AND round % {ONE_OF} != 0"
_OLDEST: Final = f"SELECT min(round) FROM rounds WHERE {_WHOLE}"  # noqa: S608 - all constant
_DROP: Final = f"DELETE FROM rounds WHERE {_WHOLE}"  # noqa: S608 - all constant


def thin_out(database: sqlite3.Connection, model: str) -> None:
    """Drop most of the rounds of ``model`` from before its last ``LAST``.

    Where there is nothing to drop, as at nearly every start, nothing is written.

    Raises:
        sqlite3.Error: it cannot be written; nothing was changed.
    """
    (newest,) = database.execute(_NEWEST, (model,)).fetchone()
    last = (newest or 0) - LAST
    (first,) = database.execute(_OLDEST, (model, FIRST + 1, last)).fetchone()
    if first is None:
        return
    with _keeping_sums(database):
        database.execute(_DROP, (model, first, min(first + MOST_AT_ONCE, last)))


@contextmanager
def _keeping_sums(database: sqlite3.Connection) -> Iterator[None]:
    """Within it, rounds that are dropped still count as done."""
    with database:
        database.execute("BEGIN IMMEDIATE")
        database.execute("DROP TRIGGER round_dropped")
        yield
        database.execute(WHEN_DROPPED)


_RECORD: Final = (
    f"INSERT OR REPLACE INTO rounds (model, {', '.join(FIELDS)})"  # noqa: S608 - own field names
    f" VALUES ({', '.join('?' * (1 + len(FIELDS)))})"
)
_HISTORY: Final = f"SELECT {', '.join(FIELDS)} FROM rounds WHERE model = ? ORDER BY round"  # noqa: S608


class History:
    """The rounds of one model; matches the ``Ledger`` port.

    Used from one thread. Close it, or use it as a context manager.
    """

    def __init__(self, path: Path, model: str, clock: Callable[[], float] = time.monotonic) -> None:
        """Open or create the file at ``path``.

        Raises:
            HomeError: it cannot be written, is damaged, or was written by a newer Waggle.
        """
        self._model = model
        self._path = path
        self._clock = clock
        self._flushed_at = -math.inf
        self._db = open_ledger(path)
        try:
            with explained(path):
                thin_out(self._db, model)
        except BaseException:
            self._db.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Release the file."""
        self._db.close()

    def record(self, finished: RoundFinished) -> None:
        """Keep a finished round.

        Raises:
            DiskFullError: no space is left; nothing was changed.
            HomeError: the file cannot be written any more.
        """
        is_due = self._clock() >= self._flushed_at + FLUSHED_EVERY_S
        with explained(self._path):
            self._db.execute(f"PRAGMA synchronous = {'FULL' if is_due else 'NORMAL'}")
            with self._db:
                self._db.execute(_RECORD, (self._model, *msgspec.structs.astuple(finished)))
        if is_due:
            self._flushed_at = self._clock()
        if finished.round % EVERY == 0:
            with explained(self._path):
                thin_out(self._db, self._model)

    def history(self) -> list[RoundFinished]:
        """The rounds of this model that are kept, oldest first.

        Raises:
            HomeError: the file cannot be read, or holds something else.
        """
        with explained(self._path):
            rows = self._db.execute(_HISTORY, (self._model,)).fetchall()
            return [
                msgspec.convert(dict(zip(FIELDS, row, strict=True)), RoundFinished) for row in rows
            ]

    def points(self, scope: str | None = None) -> list[Point]:
        """The rounds of this model in ``scope``, oldest first, as a curve small enough to look at.

        Raises:
            HomeError: the file cannot be read, or holds something else.
        """
        with explained(self._path):
            return read_curve(self._db, self._model, scope)

    def forget_after(self, round_number: int) -> None:
        """Drop the rounds of this model after ``round_number``, which are to be played again.

        All of several, where somebody moved the checkpoints away, still count as done: nobody
        loses days of practice by that. A single one was cut off before it was saved.

        Raises:
            DiskFullError: no space is left; nothing was changed.
            HomeError: the file cannot be written any more.
        """
        with explained(self._path):
            (newest,) = self._db.execute(_NEWEST, (self._model,)).fetchone()
            was_saved = round_number == 0 and (newest or 0) > 1
            with _keeping_sums(self._db) if was_saved else self._db:
                self._db.execute(
                    "DELETE FROM rounds WHERE model = ? AND round > ?", (self._model, round_number)
                )

    def rename(self, name: str) -> None:
        """Keep the rounds of this model under ``name``, in place of the same rounds there.

        Raises:
            DiskFullError: no space is left; nothing was changed.
            HomeError: the file cannot be written any more.
        """
        with explained(self._path), self._db:
            self._db.execute(
                "UPDATE OR REPLACE rounds SET model = ? WHERE model = ?", (name, self._model)
            )
        self._model = name
