"""Figures as a person says them, in the language of the window."""

from datetime import date

from PySide6.QtCore import QCoreApplication

from app.text.figures import MILLION, figure, large, short
from app.text.moments import dated

translate = QCoreApplication.translate

_MINUTE, _HOUR = 60, 3_600
_MANY = 10  # hours; whole ones are exact enough from there on


def count(number: int) -> str:
    """A count: every digit while people read those, then millions and more."""
    return large(number) if number >= MILLION else figure(number)


def duration(seconds: float) -> str:
    """A length of time in its largest unit, hours at most."""
    if round(seconds) < _MINUTE:
        return _seconds(round(seconds))
    minutes = round(seconds / _MINUTE)
    if minutes == 1:
        return translate("Contribution", "1 minute")
    if minutes < _HOUR // _MINUTE:
        return translate("Contribution", "{} minutes").format(minutes)
    hours = round(seconds / _HOUR, 1)
    if hours == 1:
        return translate("Contribution", "1 hour")
    said = count(round(hours)) if hours >= _MANY else short(hours)
    return translate("Contribution", "{} hours").format(said)


def short_day(day: date) -> str:
    """Such as ``21 Nov``."""
    return dated(day, translate("Contribution", "d MMM", "a date, in the letters of QLocale"))


def week_day(day: date) -> str:
    """Such as ``Saturday, 21 Nov``."""
    return dated(day, translate("Contribution", "dddd, d MMM", "a date, in the letters of QLocale"))


def _seconds(number: int) -> str:
    if number == 0:
        return translate("Contribution", "less than a second")
    if number == 1:
        return translate("Contribution", "1 second")
    return translate("Contribution", "{} seconds").format(number)
