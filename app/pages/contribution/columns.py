"""The days of the chart as columns, and the marks of its scale; pure, nothing is drawn here."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal, get_args

from PySide6.QtCore import QCoreApplication

from app.pages.contribution.units import count, duration, short_day, week_day
from app.text.phrases import labelled, series
from core.api.contribution import Day

translate = QCoreApplication.translate

Span = Literal[30, 90, 365]
SPANS: tuple[Span, ...] = get_args(Span)
"""How many days are shown, today included."""

WEEK = 7

_MINUTE, _HOUR = 60, 3_600
_SCALES = (  # seconds: top, step
    (2 * _MINUTE, _MINUTE),
    (6 * _MINUTE, 2 * _MINUTE),
    (15 * _MINUTE, 5 * _MINUTE),
    (30 * _MINUTE, 10 * _MINUTE),
    (_HOUR, 20 * _MINUTE),
    (2 * _HOUR, _HOUR),
    (4 * _HOUR, 2 * _HOUR),
    (6 * _HOUR, 2 * _HOUR),
    (12 * _HOUR, 4 * _HOUR),
    (24 * _HOUR, 8 * _HOUR),
)


@dataclass(frozen=True, slots=True)
class Column:
    """One day of the chart."""

    day: date
    seconds: float  # of practice; 0 without any
    words: str  # all about it, in one line


def columns(days: Sequence[Day], today: date, span: Span) -> tuple[Column, ...]:
    """The last ``span`` days up to ``today``, with those on which nothing was practised."""
    known = {day.day: day for day in days}
    shown = (today - timedelta(days=ago) for ago in reversed(range(span)))
    return tuple(_column(day, known.get(day), today) for day in shown)


def marks(columns_: Sequence[Column]) -> tuple[int, ...]:
    """Round marks in seconds, from 0 to the first that is above every column."""
    longest = max((column.seconds for column in columns_), default=0.0)
    top, step = next((scale for scale in _SCALES if longest <= scale[0]), _SCALES[-1])
    return tuple(range(0, top + 1, step))


def mark_words(seconds: int) -> str:
    """A mark in few letters, such as ``20 min``."""
    if seconds == 0:
        return "0"
    if seconds % _HOUR:
        return translate("Contribution", "{} min", "minutes").format(seconds // _MINUTE)
    return translate("Contribution", "{} h", "hours").format(seconds // _HOUR)


def named_days(columns_: Sequence[Column], most: int) -> dict[int, str]:
    """Which columns have their day written below, today among them: ``most`` at most, evenly."""
    last = len(columns_) - 1
    weeks = -(-len(columns_) // (WEEK * max(1, most)))
    at = range(last, -1, -WEEK * max(1, weeks))
    names = {index: short_day(columns_[index].day) for index in at}
    return names | {last: translate("Contribution", "Today")}


def _column(day: date, known: Day | None, today: date) -> Column:
    name = translate("Contribution", "Today") if day == today else week_day(day)
    if known is None:
        words = translate("Contribution", "{day}: no practice").format(day=name)
        return Column(day, 0.0, words)
    parts = [duration(known.seconds), _rounds(known.rounds)]
    if known.uncounted < known.rounds:
        solved = translate("Contribution", "{solved} of {tried} tries solved")
        parts.append(solved.format(solved=count(known.solved), tried=count(known.answers)))
    return Column(day, known.seconds, labelled(name, series(parts)))


def _rounds(number: int) -> str:
    if number == 1:
        return translate("Contribution", "1 round")
    return translate("Contribution", "{} rounds").format(count(number))
