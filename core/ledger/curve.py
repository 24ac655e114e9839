"""The rounds of one model as a curve: means over stretches of rounds, read without reading all.

A person who practised for months has more rounds than memory should hold. The borders of the last
day and hour are found by bisection, and SQLite averages between them in the order of its key.
"""

import sqlite3
from bisect import bisect_left
from contextlib import closing
from pathlib import Path
from typing import Annotated, Final, NamedTuple

import msgspec
from msgspec import Meta

from core.api.curves import AGES_S, stretches
from core.api.events import Point
from core.ledger.schema import explained, open_ledger

_BOUNDS: Final = """
SELECT (SELECT min(round) FROM rounds WHERE model = ?),
    (SELECT max(round) FROM rounds WHERE model = ?)
"""
_AT: Final = "SELECT at FROM rounds WHERE model = ? AND round >= ? ORDER BY round LIMIT 1"
_LAST: Final = "SELECT round, taught FROM rounds WHERE model = ? ORDER BY round DESC LIMIT 1"
_MEAN: Final = """
SELECT max(round), avg(skill), avg(swarm_skill), max(at)
FROM rounds WHERE model = ? AND round BETWEEN ? AND ? AND skill IS NOT NULL AND scope IS ?
"""


class LastRound(NamedTuple):
    """Where a model stands; zeros where it has not practised."""

    number: Annotated[int, Meta(ge=0)] = 0
    taught: Annotated[int, Meta(ge=0)] = 0  # kinds, by others; 0 where it was not counted yet


def look_up_curve(path: Path, model: str, scope: str | None = None) -> list[Point]:
    """The curve of ``model`` in ``scope``, as ``read_curve`` reads it from the ledger at ``path``.

    No points where there is no such file.

    Raises:
        HomeError: the file cannot be read, or was written by a newer Waggle.
    """
    if not path.exists():
        return []
    with closing(open_ledger(path)) as database, explained(path):
        return read_curve(database, model, scope)


def look_up_last(path: Path, model: str) -> LastRound:
    """The last round of ``model`` in the ledger at ``path``.

    Raises:
        HomeError: the file cannot be read, or was written by a newer Waggle.
    """
    if not path.exists():
        return LastRound()
    with closing(open_ledger(path)) as database, explained(path):
        number, taught = database.execute(_LAST, (model,)).fetchone() or (0, 0)
        return msgspec.convert((number, taught or 0), LastRound)


def read_curve(database: sqlite3.Connection, model: str, scope: str | None) -> list[Point]:
    """The rounds of ``model`` in which ``scope`` was practised, as at most ``MAX_POINTS`` points.

    Oldest first. Others are left out: a skill is a mean over what is practised, and how much of one
    deck is solved compares with nothing but that.

    Raises:
        sqlite3.Error: it cannot be read.
        msgspec.ValidationError: it holds something else.
    """
    first, last = database.execute(_BOUNDS, (model, model)).fetchone()
    if first is None:
        return []

    def at(number: int) -> float:
        (found,) = database.execute(_AT, (model, number)).fetchone()
        return float(found)

    rounds = range(first, last + 1)
    aged = [first + bisect_left(rounds, at(last) - age, key=at) for age in AGES_S]
    rows = [
        database.execute(_MEAN, (model, *stretch, scope)).fetchone()
        for stretch in stretches(first, last, aged)
    ]
    return msgspec.convert([row for row in rows if row[0] is not None], list[Point])
