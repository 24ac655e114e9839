"""Thins out old rounds, so that years of practice fit a laptop's disk.

A small model plays several rounds a second, 30 MB of rows a day. Of very many rounds the chart
shows all but the first and the last as means over long stretches, for which one of a few is as
good. The sums of every quarter of an hour stay as they were: nothing that was done is undone.
"""

import sqlite3
from typing import Final

from core.ledger.schema import WHEN_DROPPED

WHOLE_S: Final = 7 * 86_400.0
"""Rounds of the last week of practice all stay; it ends with the last round."""

FIRST: Final = 100
"""So many rounds of the beginning stay, which all later ones are compared with."""

LAST: Final = 100_000
"""So many of the end stay, however old they are: 11 MB."""

ONE_OF: Final = 32
"""Of the others, those whose number is a multiple of this."""

MOST_AT_ONCE: Final = 200_000
"""Rounds that one start looks at: less than a second; the next one goes on from there."""

_NEWEST: Final = "SELECT round, at FROM rounds WHERE model = ? ORDER BY round DESC LIMIT 1"
_WHOLE: Final = f"model = ? AND round BETWEEN ? AND ? AND round % {ONE_OF} != 0"
_OLDEST: Final = f"SELECT round, at FROM rounds WHERE {_WHOLE} ORDER BY round LIMIT 1"  # noqa: S608 - all constant
_DROP: Final = f"DELETE FROM rounds WHERE {_WHOLE} AND at < ?"  # noqa: S608 - all constant


def thin_out(database: sqlite3.Connection, model: str) -> None:
    """Drop most of the very many rounds of ``model`` from before its last week.

    Where there is nothing to drop, as at nearly every start, nothing is written.

    Raises:
        sqlite3.Error: it cannot be written; nothing was changed.
    """
    newest = database.execute(_NEWEST, (model,)).fetchone()
    if newest is None:
        return
    last, until = newest[0] - LAST, newest[1] - WHOLE_S
    oldest = database.execute(_OLDEST, (model, FIRST + 1, last)).fetchone()
    if oldest is None or oldest[1] >= until:
        return
    first = oldest[0]
    with database:
        database.execute("BEGIN IMMEDIATE")
        database.execute("DROP TRIGGER round_dropped")  # or they would go from the sums, too
        database.execute(_DROP, (model, first, min(first + MOST_AT_ONCE, last), until))
        database.execute(WHEN_DROPPED)
