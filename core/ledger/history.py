"""Every round of every model on this machine, in one SQLite file.

One row per (model, round); recording a round again replaces its row, so that a round repeated
after a crash is counted once. Each row is on disk before ``record`` returns.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec

from core.engine.events import RoundFinished
from core.errors import HomeError
from core.files import explain_sqlite_error

SCHEMA = 1

_FIELDS = RoundFinished.__struct_fields__
_CREATE = f"""
CREATE TABLE IF NOT EXISTS rounds (
    model TEXT NOT NULL, {", ".join(_FIELDS)}, PRIMARY KEY (model, round)
) WITHOUT ROWID
"""
_RECORD = (
    f"INSERT OR REPLACE INTO rounds (model, {', '.join(_FIELDS)})"  # noqa: S608 - own field names
    f" VALUES ({', '.join('?' * (1 + len(_FIELDS)))})"
)
_HISTORY = f"SELECT {', '.join(_FIELDS)} FROM rounds WHERE model = ? ORDER BY round"  # noqa: S608


class History:
    """The rounds of one model; matches the ``Ledger`` port.

    Used from one thread. Close it, or use it as a context manager.
    """

    def __init__(self, path: Path, model: str) -> None:
        """Open or create the file at ``path``.

        Raises:
            HomeError: it cannot be written, is damaged, or was written by a newer Waggle.
        """
        self._model = model
        self._path = path
        with self._explaining():
            self._db = sqlite3.connect(path)
        try:
            with self._explaining():
                self._prepare()
        except HomeError:
            self._db.close()
            raise

    def _prepare(self) -> None:
        (version,) = self._db.execute("PRAGMA user_version").fetchone()
        if version > SCHEMA:
            raise HomeError(
                f"The record of rounds {self._path} was written by a newer Waggle. "
                "Update this one, or choose another folder with --home."
            )
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = FULL")
        with self._db:
            self._db.execute(_CREATE)
            self._db.execute(f"PRAGMA user_version = {SCHEMA}")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
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
        with self._explaining(), self._db:
            self._db.execute(_RECORD, (self._model, *msgspec.structs.astuple(finished)))

    def history(self) -> list[RoundFinished]:
        """All rounds of this model, oldest first.

        Raises:
            HomeError: the file cannot be read, or holds something else.
        """
        with self._explaining():
            rows = self._db.execute(_HISTORY, (self._model,)).fetchall()
            return [
                msgspec.convert(dict(zip(_FIELDS, row, strict=True)), RoundFinished) for row in rows
            ]

    def forget_after(self, round_number: int) -> None:
        """Drop the rounds of this model after ``round_number``.

        Raises:
            DiskFullError: no space is left; nothing was changed.
            HomeError: the file cannot be written any more.
        """
        with self._explaining(), self._db:
            self._db.execute(
                "DELETE FROM rounds WHERE model = ? AND round > ?", (self._model, round_number)
            )

    @contextmanager
    def _explaining(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, msgspec.ValidationError) as error:
            raise explain_sqlite_error(error, self._path, "The record of rounds") from error
