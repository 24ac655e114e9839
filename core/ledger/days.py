"""Practice day by day, all models together, by the time zone of this computer."""

from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Final

import msgspec

from core.api.contribution import Day, Figures
from core.ledger.schema import QUARTER_S, explained, open_ledger
from core.local_time import follow_time_zone

FIGURES: Final = Figures.__struct_fields__

_DAYS: Final = f"""
SELECT date(quarter * {QUARTER_S}, 'unixepoch', 'localtime') AS day,
    {", ".join(f"max(0, sum({name})) AS {name}" for name in FIGURES)}
FROM quarters GROUP BY day ORDER BY day
"""  # noqa: S608 - all constant
_A_DAY: Final = timedelta(days=1)

EARLIEST: Final = date(2026, 11, 1)
"""Waggle was begun in that month, so nobody practised before."""


def read_days(path: Path) -> list[Day]:
    """The days with practice, oldest first; none where there is no ledger at ``path``.

    Raises:
        HomeError: the file cannot be read, or was written by a newer Waggle.
    """
    if not path.exists():
        return []
    follow_time_zone()
    with closing(open_ledger(path)) as database, explained(path):
        rows = database.execute(_DAYS).fetchall()
        return msgspec.convert(
            [dict(zip(("day", *FIGURES), row, strict=True)) for row in rows], list[Day]
        )


def local_day(at: float) -> date:
    """The day of ``at`` (unix seconds) where this computer is."""
    follow_time_zone()
    return datetime.fromtimestamp(at, UTC).astimezone().date()


def total(days: Sequence[Figures]) -> Figures:
    """The sums of ``days``."""
    return Figures(**{name: sum(getattr(day, name) for day in days) for name in FIGURES})


def plausible_days(days: Sequence[Day], today: date) -> list[Day]:
    """Which of ``days`` can have been, since ``EARLIEST`` and up to ``today``.

    A clock that was wrong, as before its computer asked for the time, may have known others. All,
    where none can have been: it still is wrong.
    """
    return [one for one in days if EARLIEST <= one.day <= today] or list(days)


def streaks(days: Sequence[date]) -> list[int]:
    """For each of the rising ``days`` with practice: how many in a row end with it."""
    lengths: list[int] = []
    for at, day in enumerate(days):
        goes_on = at > 0 and days[at - 1] == day - _A_DAY
        lengths.append(lengths[-1] + 1 if goes_on else 1)
    return lengths


def current_streak(days: Sequence[date], today: date) -> int:
    """Days in a row up to ``today``; up to yesterday while there was no practice today yet."""
    past = [day for day in days if day <= today]  # a clock that was wrong may have known others
    if not past or past[-1] < today - _A_DAY:
        return 0
    return streaks(past)[-1]
