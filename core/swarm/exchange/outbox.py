"""Own envelopes on their way to others, in one small SQLite file.

Neither a crash nor a week offline loses any of the newest. A power cut may take them all.

Every source that is sent to (a hub) has a mark: the sequence up to which it gave its verdict. It is
offered the newest, as many as it keeps of one author: a starter writes more than hubs take, and all
that they got would be minutes old for good, had it to wait for its turn. What no hub has taken
before receivers would refuse it for its age is sealed again with a new time, also if a node drew
it: a node hands on nothing of others. What a hub has is dropped then: whoever wants it draws it
from there. Without any hub, what a node drew has gone as far as it can, and is dropped.
"""

import logging
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from core.errors import HomeError
from core.paths import explain_os_error
from core.storage.sqlite import open_database, read_pragma, sqlite_errors_explained
from core.wire.codec import AUTHOR_SLOTS, CLOCK_WINDOW_S, MAX_EXCHANGE_ENVELOPES

SCHEMA: Final = 2
_LAST_SCHEMA: Final = 1
"""Of the release before, whose letters nobody takes any more until they are sealed again."""


MOST_LETTERS: Final = 4_096
"""Beyond it the oldest make room: some five hundred rounds, a few megabytes.

The smallest model leaves twenty a second and more: this is three minutes of it without a network.
"""

MOST_BYTES_AT_ONCE: Final = 1 << 19
"""Per exchange, beyond the first envelope: what a slow uplink manages within the time limit."""

MOST_AT_ONCE: Final = 64
"""Letters that are sealed again in one exchange, some ten milliseconds."""

OLDEST_S: Final = CLOCK_WINDOW_S - 60
"""Older ones would be refused by receivers whose clock is a little ahead."""

_PRAGMAS: Final = ("journal_mode = WAL", "synchronous = OFF", "wal_autocheckpoint = 100")
"""A starter changes it six times a second. So short a log is written over again before the system
gets to it; waiting for the disk would send all of it there, the more often the shorter it is."""

REMEMBERED_S: Final = 3_600
"""For how long receipts for an envelope are believed."""

_OFFERED: Final = (AUTHOR_SLOTS, MAX_EXCHANGE_ENVELOPES)  # of all, and at once

_TAKEN: Final = 1  # by a hub
_DRAWN: Final = 2  # by a node, and by no hub

_LAYOUT: Final = f"""
CREATE TABLE IF NOT EXISTS letters (
    sequence INTEGER PRIMARY KEY, swarm TEXT NOT NULL, sealed_at REAL NOT NULL,
    envelope BLOB NOT NULL, taken INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE IF NOT EXISTS sent (sequence INTEGER PRIMARY KEY, at REAL NOT NULL);
CREATE TABLE IF NOT EXISTS marks (
    source TEXT NOT NULL, swarm TEXT NOT NULL, sequence INTEGER NOT NULL,
    PRIMARY KEY (source, swarm)
) WITHOUT ROWID;
PRAGMA user_version = {SCHEMA};
"""

_LAST_LETTERS: Final = """
UPDATE letters SET sealed_at = 0;
"""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Letter:
    """A sealed envelope and when it was sealed."""

    sequence: int
    sealed_at: float  # unix seconds
    data: bytes


Reseal = Callable[[bytes], Letter | None]
"""Seals an own envelope again, with a new sequence and time; None where that cannot be done."""


class Outbox:
    """The letters of one swarm. Used from one thread; close it."""

    def __init__(self, path: Path | None, swarm: str) -> None:
        """Open or create the file; None keeps everything in memory.

        A file that cannot be read is started anew: it holds copies of what was tried, nothing more.

        Raises:
            HomeError: it cannot be written.
        """
        self._path = path
        self._swarm = swarm
        self._db = self._open()

    def close(self) -> None:
        """Release the file."""
        self._db.close()

    def put(self, letters: Sequence[Letter]) -> None:
        """Add letters; their sequence numbers are above all those inside.

        Raises:
            DiskFullError: no space is left; they are not kept.
            HomeError: the file cannot be written any more.
        """
        with self._writing():
            self._insert(letters)

    def batch(self, source: str, now: float) -> list[Letter]:
        """The next fresh letters for ``source`` at ``now``, oldest first; they stay inside.

        They are among the newest ``AUTHOR_SLOTS``.

        Raises:
            HomeError: the file cannot be read any more; so do the others that read.
        """
        rows = self._fetch(
            "SELECT sequence, sealed_at, envelope FROM letters "
            "WHERE swarm = ? AND abs(sealed_at - ?) <= ? AND sequence > "
            "coalesce((SELECT sequence FROM marks WHERE source = ? AND swarm = ?), -1) "
            "AND sequence > coalesce((SELECT sequence FROM letters WHERE swarm = ? "
            "ORDER BY sequence DESC LIMIT 1 OFFSET ?), -1) ORDER BY sequence LIMIT ?",
            (self._swarm, now, OLDEST_S, source, *(self._swarm,) * 2, *_OFFERED),
        )
        chosen: list[Letter] = []
        size = 0
        for row in rows:
            letter = Letter(*row)
            size += len(letter.data)
            if chosen and size > MOST_BYTES_AT_ONCE:
                break
            chosen.append(letter)
        return chosen

    def sent(self, source: str, letters: Sequence[Letter], taken: Sequence[Letter]) -> None:
        """``source`` gave its verdict on ``letters``, a whole batch; it has those ``taken`` now.

        Raises:
            HomeError: the file cannot be written any more.
        """
        if not letters:
            return
        with self._writing():
            mark = (source, self._swarm, letters[-1].sequence)
            self._db.execute("INSERT OR REPLACE INTO marks VALUES (?, ?, ?)", mark)
            self._take(taken)

    def handed_out(self, letters: Sequence[Letter]) -> None:
        """Mark letters that nodes drew.

        Raises:
            HomeError: the file cannot be written any more.
        """
        with self._writing():
            self._draw(letters)

    def _insert(self, letters: Sequence[Letter]) -> None:
        rows = [(one.sequence, self._swarm, one.sealed_at, one.data) for one in letters]
        self._db.executemany(
            "INSERT INTO letters (sequence, swarm, sealed_at, envelope) VALUES (?, ?, ?, ?)", rows
        )
        given_out = [(one.sequence, one.sealed_at) for one in letters]
        self._db.executemany("INSERT OR REPLACE INTO sent VALUES (?, ?)", given_out)
        self._db.execute(
            "DELETE FROM letters WHERE sequence IN ("
            "SELECT sequence FROM letters ORDER BY sequence DESC LIMIT -1 OFFSET ?)",
            (MOST_LETTERS,),
        )

    def _take(self, letters: Sequence[Letter]) -> None:
        rows = [(_TAKEN, letter.sequence) for letter in letters]
        self._db.executemany("UPDATE letters SET taken = ? WHERE sequence = ?", rows)

    def _draw(self, letters: Sequence[Letter]) -> None:
        rows = [(_DRAWN, letter.sequence) for letter in letters]
        self._db.executemany("UPDATE letters SET taken = ? WHERE sequence = ? AND NOT taken", rows)

    def recent(self, most: int = AUTHOR_SLOTS) -> list[Letter]:
        """The newest letters inside, oldest first."""
        rows = self._fetch(
            "SELECT sequence, sealed_at, envelope FROM letters WHERE swarm = ? "
            "ORDER BY sequence DESC LIMIT ?",
            (self._swarm, most),
        )
        return [Letter(*row) for row in reversed(rows)]

    def refresh(self, now: float, reseal: Reseal, *, for_hubs: bool = True) -> list[Letter]:
        """Drop what is too old at ``now`` and was taken; seal some of the rest again.

        Too old is also what is from the future: the clock was put right since. ``MOST_AT_ONCE`` at
        most are sealed again, so that no round is held up by a long absence; ``for_hubs`` those,
        too, that nodes drew. Returns the others: for nodes, a second time would be once too often.

        Raises:
            HomeError: the file cannot be written any more.
        """
        stale = "swarm = ? AND abs(sealed_at - ?) > ? AND taken"
        which = (self._swarm, now, OLDEST_S, _TAKEN, _TAKEN if for_hubs else _DRAWN)
        waiting = self._fetch(
            f"SELECT sequence, envelope, taken FROM letters WHERE {stale} NOT IN (?, ?) "  # noqa: S608 - all constant
            "ORDER BY sequence LIMIT ?",
            (*which, MOST_AT_ONCE),
        )
        again = [(letter, taken) for _, data, taken in waiting if (letter := reseal(data))]
        with self._writing():  # all in one, or a crash in between would lose letters
            self._db.execute(f"DELETE FROM letters WHERE {stale} IN (?, ?)", which)  # noqa: S608 - all constant
            given = [(sequence,) for sequence, _, _ in waiting]
            self._db.executemany("DELETE FROM letters WHERE sequence = ?", given)
            self._db.execute("DELETE FROM sent WHERE at < ?", (now - REMEMBERED_S,))
            self._insert([letter for letter, _ in again])
            self._draw([letter for letter, taken in again if taken])
            self._db.execute(
                "DELETE FROM marks WHERE swarm = ? AND NOT EXISTS (SELECT 1 FROM letters "
                "WHERE letters.swarm = marks.swarm AND letters.sequence <= marks.sequence)",
                (self._swarm,),
            )
        return [letter for letter, taken in again if not taken]

    def was_sent(self, sequence: int) -> bool:
        """Whether an envelope of that sequence was sealed here, lately."""
        return bool(self._fetch("SELECT 1 FROM sent WHERE sequence = ?", (sequence,)))

    def last_sequence(self) -> int:
        """The highest that was ever given out here, as far as is remembered; 0 for none."""
        ((last,),) = self._fetch("SELECT coalesce(max(sequence), 0) FROM sent", ())
        return int(last)

    def _open(self) -> sqlite3.Connection:
        with self._explained():
            try:
                return open_database(self._path or ":memory:", _PRAGMAS, _prepare)
            except sqlite3.DatabaseError as error:
                if self._path is None or isinstance(error, sqlite3.OperationalError):
                    raise
            try:
                self._path.unlink()
            except OSError as error:
                raise explain_os_error(error, self._path) from error
            return open_database(self._path, _PRAGMAS, _prepare)

    def _fetch(self, query: str, values: tuple[object, ...]) -> list[tuple[Any, ...]]:
        with self._explained():
            return self._db.execute(query, values).fetchall()

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """A transaction whose failure is told in words."""
        with self._explained(), self._db:
            yield

    def _explained(self) -> AbstractContextManager[None]:
        return sqlite_errors_explained(self._path or Path("memory"), "What waits to be shared")


@contextmanager
def tolerated() -> Iterator[None]:
    """Log a ``HomeError`` of the block; rounds go on without the disk."""
    try:
        yield
    except HomeError as error:
        _log.warning("%s", error)


def _prepare(database: sqlite3.Connection) -> None:
    (health,) = database.execute("PRAGMA quick_check(1)").fetchone()
    if health != "ok":
        raise sqlite3.DatabaseError(health)
    version = read_pragma(database, "user_version")
    if version not in (0, _LAST_SCHEMA, SCHEMA):
        raise sqlite3.DatabaseError("of another release")
    database.executescript(_LAST_LETTERS * (version == _LAST_SCHEMA) + _LAYOUT)
