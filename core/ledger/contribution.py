"""Receipts of nodes that learnt from this one, in SQLite.

Receipts are courtesy, not money: anybody may claim to have learnt, under as many keys as they like.
So each learner counts once for each own group and at most ``MOST_A_DAY`` times a day, and no more
than ``MOST_NEW_A_DAY`` learners are new on one day. Whose receipts are believed is decided before,
see ``core.swarm.exchange.receipts``. What an older Waggle counted, which believed anybody, stays as
it is.

The sums are kept beside the rows, by triggers and so in the same transaction. They are cheap to
read while practice goes on, and stay when the oldest rows make room.
"""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from core.ledger.schema import explained
from core.storage.sqlite import QUICK, open_database

MOST_A_DAY: Final = 64
"""Groups that one learner can thank for in a day."""

MOST_NEW_A_DAY: Final = 50
"""Learners that count for the first time on one day.

Who makes up keys gains no more than that, and whoever really learns and finds the day full counts
on another one: it gives thanks again after later updates.
"""

MOST_ROWS: Final = 200_000
"""Thanks that are remembered, so that none counts twice; beyond them the oldest tenth goes."""

_DAY_S: Final = 86_400

_LAYOUT: Final = (
    """
    CREATE TABLE IF NOT EXISTS thanks (
        learner TEXT NOT NULL, sequence INTEGER NOT NULL, day INTEGER NOT NULL,
        PRIMARY KEY (learner, sequence)
    ) WITHOUT ROWID
    """,
    # Who ever counted stays known: no more than MOST_NEW_A_DAY short rows a day.
    "CREATE TABLE learners (learner TEXT PRIMARY KEY, day INTEGER NOT NULL) WITHOUT ROWID",
    "INSERT INTO learners SELECT learner, min(day) FROM thanks GROUP BY learner",
    """
    CREATE TABLE thanked (
        day INTEGER PRIMARY KEY, learners INTEGER NOT NULL, groups INTEGER NOT NULL
    )
    """,
    "INSERT INTO thanked SELECT day, 0, count(*) FROM thanks GROUP BY day",
    "UPDATE thanked SET learners = (SELECT count(*) FROM learners WHERE day = thanked.day)",
    """
    CREATE TRIGGER thanks_added AFTER INSERT ON thanks BEGIN
        INSERT OR IGNORE INTO thanked VALUES (NEW.day, 0, 0);
        UPDATE thanked SET
            learners = learners + NOT EXISTS (SELECT 1 FROM learners WHERE learner = NEW.learner),
            groups = groups + 1
        WHERE day = NEW.day;
        INSERT OR IGNORE INTO learners VALUES (NEW.learner, NEW.day);
    END
    """,
)
_DROP_OLDEST: Final = """
DELETE FROM thanks WHERE (learner, sequence) IN
    (SELECT learner, sequence FROM thanks ORDER BY day, sequence LIMIT ?)
"""


@dataclass(frozen=True, slots=True)
class Helped:
    """Totals of what others say to have learnt from this node."""

    learners: int  # nodes
    groups: int  # times that an own group was learnt from


@dataclass(frozen=True, slots=True)
class Newcomers:
    """Nodes that said for the first time to have learnt from this one."""

    at: float  # unix seconds: noon of that day, UTC
    learners: int


def has_met_others(path: Path) -> bool:
    """Whether this node was ever in a swarm; before that, nobody could have thanked it.

    Raises:
        HomeError: the file cannot be read.
    """
    if not path.exists():
        return False
    with explained(path), closing(open_database(path)) as database:
        return _has(database, "thanks")


class Contribution:
    """Part of the ledger's file. Used from one thread; close it, or use it with ``closing``."""

    def __init__(self, path: Path) -> None:
        """Open or create the file at ``path``.

        Raises:
            HomeError: it cannot be written or is damaged.
        """
        self._path = path
        self._rows: int | None = None  # of thanks; counted once they come
        with explained(self._path):
            self._db = open_database(path, QUICK, _lay_out)

    def close(self) -> None:
        """Release the file."""
        self._db.close()

    def thank(self, learner: str, sequences: Sequence[int], now: float) -> None:
        """``learner`` says to have learnt from these own groups, at ``now`` (unix seconds).

        Raises:
            HomeError: the file cannot be written any more.
        """
        day = int(now // _DAY_S)
        with explained(self._path):
            counted = sequences[: self._room(learner, day)]
            if not counted:
                return
            if self._rows is None:
                self._rows = self._ask("SELECT count(*) FROM thanks")
            with self._db:
                added = self._db.executemany(
                    "INSERT OR IGNORE INTO thanks VALUES (?, ?, ?)",
                    [(learner, sequence, day) for sequence in counted],
                ).rowcount
            self._rows += added
            if self._rows > MOST_ROWS:
                self._rows -= self._drop_oldest(self._rows - MOST_ROWS * 9 // 10)

    @property
    def learners(self) -> int:
        """The number of nodes that said to have learnt from this one."""
        return self.helped().learners

    def helped(self) -> Helped:
        """All thanks so far.

        Raises:
            HomeError: the file cannot be read.
        """
        with explained(self._path):
            row = self._db.execute("SELECT total(learners), total(groups) FROM thanked")
            return Helped(*map(int, row.fetchone()))

    def newcomers(self) -> list[Newcomers]:
        """Numbers of nodes that learnt from this one for the first time, by day, oldest first.

        Raises:
            HomeError: the file cannot be read.
        """
        with explained(self._path):
            rows = self._db.execute(
                "SELECT day, learners FROM thanked WHERE learners > 0 ORDER BY day"
            ).fetchall()
        return [Newcomers((day + 0.5) * _DAY_S, learners) for day, learners in rows]

    def _room(self, learner: str, day: int) -> int:
        """The number of receipts of ``learner`` that still count on ``day``."""
        known = self._ask("SELECT count(*) FROM learners WHERE learner = ?", learner)
        newcomers = self._ask("SELECT total(learners) FROM thanked WHERE day = ?", day)
        if not known and newcomers >= MOST_NEW_A_DAY:
            return 0
        query = "SELECT count(*) FROM thanks WHERE learner = ? AND day = ?"
        return max(0, MOST_A_DAY - self._ask(query, learner, day))

    def _drop_oldest(self, most: int) -> int:
        """Drop the oldest rows, and count them; many at once, since finding them reads all."""
        with self._db:
            return self._db.execute(_DROP_OLDEST, (most,)).rowcount

    def _ask(self, query: str, *values: object) -> int:
        (answer,) = self._db.execute(query, values).fetchone()
        return int(answer)


def _lay_out(database: sqlite3.Connection) -> None:
    """Give a new file, or one of an older Waggle, today's tables in one step."""
    if _has(database, "thanked"):
        return
    with database:
        database.execute("BEGIN IMMEDIATE")
        if not _has(database, "thanked"):  # or another process was quicker
            for step in _LAYOUT:
                database.execute(step)


def _has(database: sqlite3.Connection, table: str) -> bool:
    query = "SELECT 1 FROM sqlite_master WHERE name = ?"
    return database.execute(query, (table,)).fetchone() is not None
