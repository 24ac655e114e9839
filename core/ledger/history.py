"""The rounds of every model on this machine, in one SQLite file.

One row per (model, round); recording a round again replaces its row, so that a round repeated
after a crash is counted once. Each row is on disk before ``record`` returns. Of rounds older
than a week some stay (``core.ledger.thinning``).
"""

from pathlib import Path
from types import TracebackType
from typing import Final, Self

import msgspec

from core.api.events import Point, RoundFinished
from core.ledger.curve import read_curve
from core.ledger.schema import FIELDS, explained, open_ledger
from core.ledger.thinning import thin_out

_RECORD: Final = (
    f"INSERT OR REPLACE INTO rounds (model, {', '.join(FIELDS)})"  # noqa: S608 - own field names
    f" VALUES ({', '.join('?' * (1 + len(FIELDS)))})"
)
_HISTORY: Final = f"SELECT {', '.join(FIELDS)} FROM rounds WHERE model = ? ORDER BY round"  # noqa: S608


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
        self._db = open_ledger(path)
        try:
            with explained(path):
                thin_out(self._db, model)
        except BaseException:
            self._db.close()
            raise

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
        with explained(self._path), self._db:
            self._db.execute(_RECORD, (self._model, *msgspec.structs.astuple(finished)))

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

    def points(self) -> list[Point]:
        """The rounds of this model, oldest first, as a curve that is small enough to look at.

        Raises:
            HomeError: the file cannot be read, or holds something else.
        """
        with explained(self._path):
            return read_curve(self._db, self._model)

    def forget_after(self, round_number: int) -> None:
        """Drop the rounds of this model after ``round_number``.

        Raises:
            DiskFullError: no space is left; nothing was changed.
            HomeError: the file cannot be written any more.
        """
        with explained(self._path), self._db:
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
