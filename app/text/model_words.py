"""Models as a person speaks of them: sizes, times and fits, in the language of the window."""

from typing import assert_never

from PySide6.QtCore import QCoreApplication

from app.text.figures import figure, large, size
from core.api.models import FitSeen

translate = QCoreApplication.translate

_MINUTE, _HOUR = 60, 3_600


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


def round_time(seconds: float) -> str:
    """How long a round takes here, as roughly as that can be known."""
    if seconds < 1.5:  # noqa: PLR2004 - what is a second when rounded
        return translate("Models", "about a second")
    if seconds < 1.5 * _MINUTE:
        return translate("Models", "about {} seconds").format(_roughly(seconds))
    if seconds < 1.5 * _HOUR:
        return translate("Models", "about {} minutes").format(_roughly(seconds / _MINUTE))
    return translate("Models", "about {} hours").format(_roughly(seconds / _HOUR))


def _roughly(number: float) -> int:
    """A number of two digits ends in 0 or 5: it is not known any better."""
    return round(number) if number < 20 else 5 * round(number / 5)  # noqa: PLR2004 - see above


def fit(seen: FitSeen, instead: str = "") -> str:
    """Whether a model can be trained here, with the figures; ``instead`` is a title that could."""
    if seen.device == "cuda":
        form = translate(
            "Models", "Needs about {need} of memory, the graphics card has {have} free."
        )
    else:
        form = translate(
            "Models", "Needs about {need} of memory, this computer has {have} free for it."
        )
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
