"""A store in one SQLite file, or in memory: enough for a hub of thousands.

The file holds the envelopes and what must outlive a restart; who is alive is kept in a ``Roster``,
and so are notes, which a restart loses: they are courtesy. All calls run on one thread of the
store's own, because a checkpoint of the write-ahead log may take longer than an event loop should
wait. One file serves one hub: it is locked.
"""

import asyncio
import math
import sqlite3
import struct
import time
from bisect import bisect_left
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from random import Random, SystemRandom
from typing import TypeVar

from core.errors import SwarmError
from core.hub.decks import SOMEWHERE
from core.hub.local_decks import LocalDecks
from core.hub.roster import Item, Roster
from core.hub.store import HubNote, Sample, StoreLimits, StoreStats, newest
from core.rollouts.types import PeerId
from core.storage.sqlite import open_database, read_pragma
from core.wire.codec import AUTHOR_SLOTS, REPLAY_MEMORY_S
from core.wire.envelope import Envelope

_BYTES = 8


class Marks:
    """The sequences of one author that were taken, lowest first."""

    def __init__(self, packed: bytes = b"") -> None:
        """What ``packed`` gave, or none yet."""
        self._taken = list(struct.unpack(f">{len(packed) // _BYTES}Q", packed))

    def take(self, sequence: int) -> bool:
        """Remember ``sequence``; False if it was taken before, or may have been."""
        index = bisect_left(self._taken, sequence)
        if self._taken[index : index + 1] == [sequence]:
            return False
        if index == 0 and len(self._taken) >= AUTHOR_SLOTS:
            return False
        self._taken.insert(index, sequence)
        del self._taken[:-AUTHOR_SLOTS]
        return True

    def packed(self) -> bytes:
        """All of it, to be kept."""
        return struct.pack(f">{len(self._taken)}Q", *self._taken)


T = TypeVar("T")

MEMORY = ":memory:"
DECKS_SUFFIX = "-decks"  # of the folder beside the file
APPLICATION_ID = 0x57474C32  # marks the file as a hub's; the last digit is the layout's version
_LAST_RELEASE = 0x57474C31  # whose file holds envelopes of another protocol, of ten minutes at most

_PRAGMAS = """
PRAGMA trusted_schema = OFF;
PRAGMA locking_mode = EXCLUSIVE;
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
PRAGMA journal_size_limit = 67108864;
"""
_LAYOUT = f"""
BEGIN IMMEDIATE;
CREATE TABLE IF NOT EXISTS items (
    number INTEGER PRIMARY KEY, swarm TEXT NOT NULL, author BLOB NOT NULL,
    received REAL NOT NULL, envelope BLOB NOT NULL, place TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS marks (
    swarm TEXT NOT NULL, author BLOB NOT NULL, sequences BLOB NOT NULL, heard REAL NOT NULL,
    PRIMARY KEY (swarm, author)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS marks_by_age ON marks (heard);
PRAGMA application_id = {APPLICATION_ID};
COMMIT;
"""


class SqliteStore:
    """A ``core.hub.store.Store`` in SQLite, durable if ``path`` is a file."""

    def __init__(
        self,
        path: str,
        limits: StoreLimits | None = None,
        clock: Callable[[], float] = time.time,
        rng: Random | None = None,
    ) -> None:
        """Open ``path`` or create it; ``clock`` is in unix seconds, as items outlive the process.

        Raises:
            SwarmError: the file cannot be opened, is in use, or is something else.
        """
        self._limits = limits or StoreLimits()
        self._clock = clock
        self._rng = rng or SystemRandom()
        self._path = path
        folder = None if path == MEMORY else Path(f"{path}{DECKS_SUFFIX}")
        self.decks = LocalDecks(folder, self._limits.decks, clock)
        try:
            # For the store's one thread; that it is made on another does no harm.
            open_database(path, (), self._prepare, timeout_s=2.0, check_same_thread=False)
        except sqlite3.Error as error:
            raise SwarmError(
                f"The hub cannot keep its envelopes in {path} ({error}). "
                "Choose another file with --store, or stop the hub that uses this one."
            ) from error
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="hub-store")

    async def append(self, envelopes: Sequence[Envelope], place: str = SOMEWHERE) -> list[bool]:
        """Keep ``envelopes``, left at ``place``; True for each that is new."""
        return await self._run(partial(self._append, envelopes, place))

    async def draw(self, swarm: str, k: int, exclude: PeerId) -> Sample:
        """Up to ``k`` distinct items of others, in random order."""
        return await self._run(partial(self._draw, swarm, k, exclude))

    async def leave(self, swarm: str, notes: Sequence[HubNote]) -> None:
        """Keep ``notes`` for their authors, in memory only."""
        await self._run(partial(self._leave, swarm, notes))

    async def collect(self, swarm: str, author: PeerId) -> tuple[bytes, ...]:
        """The living notes for ``author``, oldest first."""
        return await self._run(partial(self._collect, swarm, author))

    async def stats(self) -> StoreStats:
        """Totals of what is alive."""
        return await self._run(self._stats)

    async def aclose(self) -> None:
        """Close the file and end the threads."""
        await self.decks.aclose()
        await asyncio.get_running_loop().run_in_executor(self._thread, self._database.close)
        self._thread.shutdown()

    async def _run(self, call: Callable[[], T]) -> T:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, self._transact, call)

    def _transact(self, call: Callable[[], T]) -> T:
        """Do all of ``call`` or nothing of it, in the file and in the roster."""
        try:
            with self._database:
                return call()
        except sqlite3.Error as error:
            with suppress(sqlite3.Error):  # then less is handed out until it starts anew
                self._restore()
            raise SwarmError(
                f"The hub cannot use its store {self._path} ({error}). "
                "See that the disk is there and has room."
            ) from error

    def _append(self, envelopes: Sequence[Envelope], place: str) -> list[bool]:
        now = self._clock()
        self._turn_marks_back(now)
        fresh = self._take(envelopes, now)
        for envelope, is_fresh in zip(envelopes, fresh, strict=True):
            if is_fresh:
                self._keep(envelope, place, now)
        self._expire(now)
        self._forget_marks(now)
        return fresh

    def _take(self, envelopes: Sequence[Envelope], now: float) -> list[bool]:
        """Remember the sequences of all authors; False for each that was taken before."""
        marks = dict[tuple[str, bytes], Marks]()
        read = "SELECT sequences FROM marks WHERE swarm = ? AND author = ?"
        for whose in {(one.header.swarm, one.header.author) for one in envelopes}:
            row = self._database.execute(read, whose).fetchone()
            self._marks += row is None
            marks[whose] = Marks(row[0]) if row else Marks()
        fresh = [
            marks[one.header.swarm, one.header.author].take(one.header.sequence)
            for one in envelopes
        ]
        rows = [(*whose, taken.packed(), now) for whose, taken in marks.items()]
        self._database.executemany("INSERT OR REPLACE INTO marks VALUES (?, ?, ?, ?)", rows)
        return fresh

    def _keep(self, envelope: Envelope, place: str, now: float) -> None:
        self._newest += 1
        swarm, data = envelope.header.swarm, envelope.data
        row = (self._newest, swarm, envelope.header.author, now, data, place)
        self._database.execute("INSERT INTO items VALUES (?, ?, ?, ?, ?, ?)", row)
        item = Item(self._newest, swarm, envelope.author, now, len(data), place)
        self._delete(self._roster.add(item))

    def _draw(self, swarm: str, k: int, exclude: PeerId) -> Sample:
        self._expire(self._clock())
        drawn = self._roster.draw(swarm, k, exclude)
        read = "SELECT envelope FROM items WHERE number = ?"
        envelopes = tuple(self._database.execute(read, (n,)).fetchone()[0] for n, _ in drawn)
        places = tuple(place for _, place in drawn)
        return Sample(envelopes, places, self._roster.peers(swarm, exclude))

    def _leave(self, swarm: str, notes: Sequence[HubNote]) -> None:
        now = self._clock()
        self._expire(now)
        for note in newest(notes):
            if self._knows(swarm, note.author, now):
                self._delete(self._roster.leave(swarm, note, now))

    def _knows(self, swarm: str, author: PeerId, now: float) -> bool:
        query = "SELECT 1 FROM marks WHERE swarm = ? AND author = ? AND heard >= ?"
        row = (swarm, bytes.fromhex(author), now - REPLAY_MEMORY_S)
        known = self._database.execute(query, row).fetchone() is not None
        return known or self._roster.has(swarm, author)

    def _collect(self, swarm: str, author: PeerId) -> tuple[bytes, ...]:
        self._expire(self._clock())
        return self._roster.collect(swarm, author)

    def _stats(self) -> StoreStats:
        self._expire(self._clock())
        return self._roster.stats()

    def _expire(self, now: float) -> None:
        self._delete(self._roster.expire(now))

    def _delete(self, numbers: list[int]) -> None:
        if numbers:
            rows = ((number,) for number in numbers)
            self._database.executemany("DELETE FROM items WHERE number = ?", rows)

    def _turn_marks_back(self, now: float) -> None:
        """Where the clock was set back, let who was heard before that be the more silent."""
        turn = "UPDATE marks SET heard = ? WHERE heard > ?"
        self._database.execute(turn, (math.nextafter(now, 0), now))

    def _forget_marks(self, now: float) -> None:
        """Forget authors with nothing left to replay and, beyond the limit, the most silent."""
        old = "DELETE FROM marks WHERE heard < ?"
        self._marks -= self._database.execute(old, (now - REPLAY_MEMORY_S,)).rowcount
        surplus = self._marks - self._limits.authors
        if surplus > 0:
            silent = "SELECT swarm, author FROM marks ORDER BY heard LIMIT ?"
            delete = f"DELETE FROM marks WHERE (swarm, author) IN ({silent})"  # noqa: S608 - all constant
            self._marks -= self._database.execute(delete, (surplus,)).rowcount

    def _prepare(self, database: sqlite3.Connection) -> None:
        _refuse_foreign(database)
        database.executescript(_PRAGMAS)
        database.executescript(_LAYOUT)
        self._database = database
        self._restore()

    def _restore(self) -> None:
        """Set what is kept in memory from what is in the file."""
        self._roster = Roster(self._limits, self._rng)
        (self._marks,) = self._database.execute("SELECT count(*) FROM marks").fetchone()
        rows = self._database.execute(
            "SELECT number, swarm, author, received, length(envelope), place FROM items "
            "ORDER BY number"
        ).fetchall()
        self._newest: int = rows[-1][0] if rows else 0
        with self._database:
            for number, swarm, author, received, size, place in rows:
                item = Item(number, swarm, PeerId(author.hex()), received, size, place)
                self._delete(self._roster.add(item))


def _refuse_foreign(database: sqlite3.Connection) -> None:
    """Refuse a file that is no hub's; empty one of the last release, as nobody could use it."""
    owner = read_pragma(database, "application_id")
    (tables,) = database.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if owner == _LAST_RELEASE:
        database.executescript("DROP TABLE IF EXISTS items; DROP TABLE IF EXISTS marks;")
    elif tables and owner != APPLICATION_ID:
        raise sqlite3.DatabaseError("the file holds something else")
