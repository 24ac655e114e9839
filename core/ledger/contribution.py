"""Who says to have learnt from this node, and which addresses were left alone, and why.

Receipts are courtesy, not money: anybody may claim to have learnt, so each learner counts once for
each own group, and at most ``MOST_A_DAY`` times a day.
"""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from core.ledger.schema import explained

MOST_A_DAY: Final = 64
"""Groups that one learner can thank for in a day."""

MOST_ROWS: Final = 200_000
MOST_BANS: Final = 1_000
_DAY_S: Final = 86_400

_LAYOUT: Final = """
CREATE TABLE IF NOT EXISTS thanks (
    learner TEXT NOT NULL, sequence INTEGER NOT NULL, day INTEGER NOT NULL,
    PRIMARY KEY (learner, sequence)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS bans (at REAL NOT NULL, address TEXT NOT NULL, reason TEXT NOT NULL);
"""


_NEWCOMERS: Final = """
SELECT first, count(*) FROM (SELECT min(day) AS first FROM thanks GROUP BY learner)
GROUP BY first ORDER BY first
"""


@dataclass(frozen=True, slots=True)
class Helped:
    """How much others say to have learnt from this node."""

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
    with explained(path), closing(sqlite3.connect(path)) as database:
        query = "SELECT 1 FROM sqlite_master WHERE name = 'thanks'"
        return database.execute(query).fetchone() is not None


class Contribution:
    """Part of the ledger's file. Used from one thread; close it, or use it with ``closing``."""

    def __init__(self, path: Path) -> None:
        """Open or create the file at ``path``.

        Raises:
            HomeError: it cannot be written or is damaged.
        """
        self._path = path
        with explained(self._path):
            self._db = sqlite3.connect(path)
        try:
            with explained(self._path):
                self._db.execute("PRAGMA journal_mode = WAL")
                self._db.execute("PRAGMA synchronous = NORMAL")  # a power cut may take some
                self._db.executescript(_LAYOUT)
        except BaseException:
            self._db.close()
            raise

    def close(self) -> None:
        """Release the file."""
        self._db.close()

    def thank(self, learner: str, sequences: Sequence[int], now: float) -> None:
        """``learner`` says to have learnt from these own groups, at ``now`` (unix seconds).

        Raises:
            HomeError: the file cannot be written any more.
        """
        day = int(now // _DAY_S)
        with explained(self._path), self._db:
            (today,) = self._db.execute(
                "SELECT count(*) FROM thanks WHERE learner = ? AND day = ?", (learner, day)
            ).fetchone()
            (rows,) = self._db.execute("SELECT count(*) FROM thanks").fetchone()
            room = max(0, min(MOST_A_DAY - today, MOST_ROWS - rows))
            self._db.executemany(
                "INSERT OR IGNORE INTO thanks VALUES (?, ?, ?)",
                [(learner, sequence, day) for sequence in sequences[:room]],
            )

    @property
    def learners(self) -> int:
        """How many nodes said to have learnt from this one."""
        return self.helped().learners

    def helped(self) -> Helped:
        """All thanks so far.

        Raises:
            HomeError: the file cannot be read.
        """
        with explained(self._path):
            row = self._db.execute("SELECT count(DISTINCT learner), count(*) FROM thanks")
            return Helped(*row.fetchone())

    def newcomers(self) -> list[Newcomers]:
        """Who was helped for the first time, by day, oldest first.

        Raises:
            HomeError: the file cannot be read.
        """
        with explained(self._path):
            rows = self._db.execute(_NEWCOMERS).fetchall()
        return [Newcomers((day + 0.5) * _DAY_S, learners) for day, learners in rows]

    def ban(self, address: str, reason: str, now: float) -> None:
        """An address is left alone for a while; the newest are kept.

        Raises:
            HomeError: the file cannot be written any more.
        """
        with explained(self._path), self._db:
            self._db.execute("INSERT INTO bans VALUES (?, ?, ?)", (now, address, reason))
            self._db.execute(
                "DELETE FROM bans WHERE rowid NOT IN "
                "(SELECT rowid FROM bans ORDER BY rowid DESC LIMIT ?)",
                (MOST_BANS,),
            )

    def bans(self) -> list[tuple[float, str, str]]:
        """Time (unix seconds), address and reason of every ban, oldest first."""
        with explained(self._path):
            return self._db.execute(
                "SELECT at, address, reason FROM bans ORDER BY rowid"
            ).fetchall()
