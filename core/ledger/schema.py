"""The ledger's file: its tables, and how a file of an older Waggle gets those of today.

Besides the rounds themselves it keeps sums of them for every quarter of an hour, because the rounds
are too many to be added up while somebody looks: a small model plays several a second. Triggers
keep the sums, so that they change in the same transaction as the rounds. Quarters, because every
time zone is a whole number of them away from every other.
"""

import sqlite3
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Final

from core.api.events import RoundFinished
from core.errors import HomeError
from core.i18n import translatable
from core.storage.sqlite import QUICK, open_database, read_pragma, sqlite_errors_explained

SCHEMA: Final = 7

FIELDS: Final = RoundFinished.__struct_fields__

FIRST_WITH_SUMS: Final = 2
FIRST_WITH_COSTS: Final = 6
"""The schemas that brought them, and those of today; others only know more of a round."""

QUARTER_S: Final = 900

_ROUNDS: Final = f"""
CREATE TABLE IF NOT EXISTS rounds (
    model TEXT NOT NULL, {", ".join(FIELDS)}, PRIMARY KEY (model, round)
) WITHOUT ROWID
"""
_SUMS: Final = {
    "rounds": "1",
    "seconds": "{0}sample_s + {0}judge_s + {0}share_s + {0}train_s",
    "tokens": "{0}tokens",
    "answers": "coalesce({0}answers, 0)",
    "solved": "coalesce({0}solved, 0)",
    "shared": "coalesce({0}shared, 0)",
    "uncounted": "{0}answers IS NULL",  # rounds of which the three above are unknown
    "joules": "coalesce({0}joules, 0)",  # where the processor counted them
    # Processor seconds where it did not.
    "unmeasured_s": "CASE WHEN {0}joules IS NULL THEN coalesce({0}processor_s, 0) ELSE 0 END",
    "unmetered": "{0}processor_s IS NULL",  # rounds of which the two above are unknown
}
_NEW_SUMS: Final = {"joules": "0", "unmeasured_s": "0", "unmetered": "rounds"}
"""What those that schema 6 brought are of a quarter that an older Waggle summed up."""

_QUARTERS: Final = f"CREATE TABLE quarters (quarter INTEGER PRIMARY KEY, {', '.join(_SUMS)})"
_QUARTER: Final = f"CAST({{0}}at / {QUARTER_S} AS INTEGER)"
_ADD_UP: Final = f"""
INSERT INTO quarters SELECT {_QUARTER.format("")},
    {", ".join(f"sum({of.format('')})" for of in _SUMS.values())} FROM rounds GROUP BY 1
"""  # noqa: S608 - all constant
_WHEN_ADDED: Final = f"""
CREATE TRIGGER round_added AFTER INSERT ON rounds BEGIN
    INSERT INTO quarters VALUES ({_QUARTER.format("NEW.")},
        {", ".join(of.format("NEW.") for of in _SUMS.values())})
    ON CONFLICT (quarter) DO UPDATE SET {", ".join(f"{n} = {n} + excluded.{n}" for n in _SUMS)};
END
"""  # noqa: S608 - all constant
WHEN_DROPPED: Final = f"""
CREATE TRIGGER round_dropped AFTER DELETE ON rounds BEGIN
    UPDATE quarters SET
        {", ".join(f"{name} = {name} - ({of.format('OLD.')})" for name, of in _SUMS.items())}
    WHERE quarter = {_QUARTER.format("OLD.")};
    DELETE FROM quarters WHERE quarter = {_QUARTER.format("OLD.")} AND rounds = 0;
END
"""  # noqa: S608 - all constant

_SUMMING: Final = (_QUARTERS, _ADD_UP, _WHEN_ADDED, WHEN_DROPPED)
_MORE_SUMMING: Final = (
    *(f"ALTER TABLE quarters ADD COLUMN {name}" for name in _NEW_SUMS),
    f"UPDATE quarters SET {', '.join(f'{name} = {of}' for name, of in _NEW_SUMS.items())}",  # noqa: S608 - all constant
    "DROP TRIGGER round_added",
    "DROP TRIGGER round_dropped",
    _WHEN_ADDED,
    WHEN_DROPPED,
)


def open_ledger(path: Path) -> sqlite3.Connection:
    """Open the file at ``path``, with today's tables; made or brought up to date in one step.

    Raises:
        HomeError: it cannot be written, is damaged, or was written by a newer Waggle.
    """
    # How often it is flushed is for whoever writes rounds to say (``history``).
    # Without the last, a round that is replaced would stay in the sums: no trigger would fire.
    pragmas = (*QUICK, "recursive_triggers = ON")
    with explained(path):
        return open_database(path, pragmas, lambda database: _bring_up_to_date(database, path))


def check_ledger(path: Path) -> None:
    """Look at the file at ``path`` as far as opening it does, and leave it as it is.

    Raises:
        HomeError: it is damaged, or was written by a newer Waggle.
    """

    def look(database: sqlite3.Connection) -> None:
        _version(database, path)
        database.execute("PRAGMA table_info(rounds)").fetchall()

    with explained(path):
        open_database(path, prepare=look).close()


def explained(path: Path) -> AbstractContextManager[None]:
    """Within it, trouble with the ledger at ``path`` is told in words."""
    return sqlite_errors_explained(path, translatable("The record of rounds"))


def _bring_up_to_date(database: sqlite3.Connection, path: Path) -> None:
    if _version(database, path) == SCHEMA:
        return
    with database:
        database.execute("BEGIN IMMEDIATE")
        if _version(database, path) == SCHEMA:  # another process was quicker
            return
        before = _version(database, path)
        database.execute(_ROUNDS)
        known = {row[1] for row in database.execute("PRAGMA table_info(rounds)")}
        for name in FIELDS:
            if name not in known:
                database.execute(f"ALTER TABLE rounds ADD COLUMN {name}")
        for step in _steps_from(before):
            database.execute(step)
        database.execute(f"PRAGMA user_version = {SCHEMA}")


def _steps_from(schema: int) -> tuple[str, ...]:
    if schema < FIRST_WITH_SUMS:
        return _SUMMING
    return _MORE_SUMMING if schema < FIRST_WITH_COSTS else ()


def _version(database: sqlite3.Connection, path: Path) -> int:
    version = read_pragma(database, "user_version")
    if version > SCHEMA:
        raise HomeError(
            translatable(
                "The record of rounds {} was written by a newer Waggle. "
                "Update this one, or choose another folder.",
                path,
            )
        )
    return version
