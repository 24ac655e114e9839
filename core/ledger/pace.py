"""How long the last rounds of a model took."""

from contextlib import closing
from pathlib import Path
from statistics import median
from typing import Final

from core.ledger.schema import explained, open_ledger

LAST: Final = 20
"""Rounds, of which the one in the middle counts: a busy spell is no rule."""

_LAST: Final = (
    "SELECT sample_s + judge_s + share_s + train_s FROM rounds WHERE model = ? "
    "ORDER BY round DESC LIMIT ?"
)


def usual_seconds(path: Path, model: str) -> float | None:
    """Median of the last rounds of ``model``; None where there is none.

    Raises:
        HomeError: the file cannot be read, or was written by a newer Waggle.
    """
    if not path.exists():
        return None
    with closing(open_ledger(path)) as database, explained(path):
        rows = database.execute(_LAST, (model, LAST)).fetchall()
    return median(row[0] for row in rows) if rows else None
