"""Moments as a person says them, in the language and by the clock of this computer."""

import time
from datetime import UTC, date, datetime, timedelta

from PySide6.QtCore import QCoreApplication, QDate

from app.text.figures import locale_here
from app.text.phrases import series
from core.local_time import follow_time_zone

translate = QCoreApplication.translate

_WEEK = timedelta(days=7)


def local(at: float) -> datetime:
    """``at`` (unix seconds) here; whatever no calendar knows is the beginning of time."""
    follow_time_zone()
    try:
        return datetime.fromtimestamp(at, UTC).astimezone()
    except (OverflowError, OSError, ValueError):
        return datetime.fromtimestamp(0, UTC)


def clock(at: float) -> str:
    """The time of day of ``at`` (unix seconds), such as ``14:32``."""
    return f"{local(at):%H:%M}"


def moment(at: float) -> str:
    """``at`` (unix seconds) in full, such as ``21 Nov 2026, 14:32``."""
    return series((full_day(local(at).date()), clock(at)))


def lately(at: float, now: float | None = None) -> str:
    """``at`` (unix seconds), as short as it is clear ``now``.

    Today the time of day is enough, within a week the day of the week goes before it, such as
    ``Tuesday, 14:32``, and any other moment is told in full.
    """
    today, day = local(time.time() if now is None else now).date(), local(at).date()
    passed = today - day
    if not passed:
        return clock(at)
    if timedelta() < passed < _WEEK:
        return series((dated(day, "dddd"), clock(at)))
    return moment(at)


def full_day(day: date) -> str:
    """Such as ``21 Nov 2026``."""
    return dated(day, translate("Moments", "d MMM yyyy", "a date, in the letters of QLocale"))


def dated(day: date, form: str) -> str:
    """``day`` in a ``form`` in the letters of QLocale."""
    return locale_here().toString(QDate(day.year, day.month, day.day), form)
