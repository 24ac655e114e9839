"""Sizes, times and fits of models as a person says them, in the language of the window."""

from typing import assert_never

from PySide6.QtCore import QCoreApplication, QDateTime, QLocale

from app.figures import figure, large
from core.engine.desk.models import FitSeen

translate = QCoreApplication.translate

_MINUTE, _HOUR = 60, 3_600
_MILLION, _BILLION = 1_000_000, 1_000_000_000
_FEW = 10  # below, a digit behind the point says something


def size(number: int) -> str:
    """Bytes, such as ``3.0 MB``, ``995 MB`` or ``3.1 GB``."""
    if number >= _BILLION:
        return _tied(translate("Models", "{} GB"), _decimal(number / _BILLION))
    return _tied(translate("Models", "{} MB"), _short(number / _MILLION))


def parameters(number: int) -> str:
    """Such as ``1.5 million parameters``."""
    return translate("Models", "{} parameters").format(large(number))


def rounds(number: int) -> str:
    """Such as ``1,200 rounds``."""
    if number == 1:
        return translate("Models", "1 round")
    return translate("Models", "{} rounds").format(figure(number))


def time_left(seconds: float) -> str:
    """How long something will still take, as roughly as that can be known."""
    if seconds < _MINUTE:
        return translate("Models", "less than a minute left")
    if seconds < 1.5 * _MINUTE:
        return translate("Models", "about a minute left")
    if seconds < 1.5 * _HOUR:
        return translate("Models", "about {} minutes left").format(round(seconds / _MINUTE))
    return translate("Models", "about {} hours left").format(round(seconds / _HOUR))


def moment(at: float) -> str:
    """Unix seconds as a date with its time, here."""
    form = translate("Models", "d MMM yyyy, HH:mm", "a date, in the letters of QLocale")
    return QLocale().toString(QDateTime.fromSecsSinceEpoch(round(at)), form)


def fit(seen: FitSeen, instead: str = "") -> str:
    """Whether a model can be trained here, with the figures; ``instead`` is a title that could."""
    if seen.device == "cuda":
        form = translate(
            "Models", "Needs about {need} of memory, the graphics card has {have} free."
        )
    else:
        form = translate("Models", "Needs about {need} of memory, this computer has {have} free.")
    figures = form.format(need=size(seen.need), have=size(seen.have))
    match seen.verdict:
        case "fits":
            return figures
        case "tight":
            return figures + " " + translate("Models", "Close other programs first.")
        case "too_large" if instead:
            return figures + " " + translate("Models", "{} would fit.").format(instead)
        case "too_large":
            return figures
        case _:
            assert_never(seen.verdict)


def _tied(form: str, number: str) -> str:
    """A number with its unit, which no line break parts."""
    return form.format(number).replace(" ", "\u00a0")


def _short(number: float) -> str:
    return _decimal(number) if number < _FEW else figure(round(number))


def _decimal(number: float) -> str:
    return QLocale().toString(number, "f", 1)
