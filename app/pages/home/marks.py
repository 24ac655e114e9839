"""What the chart points out besides scores: pauses, and changes of the model; pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from PySide6.QtCore import QCoreApplication

from app.state.app_state import AppState
from app.text.core_words import spoken
from core.api.events import Point
from core.api.sentences import why

translate = QCoreApplication.translate

LEAST_BREAK_S = 600  # a shorter one is a slow round, or the end of another program
_TIMES = 8  # so much longer than usual between two points, and it was a break


@dataclass(frozen=True, slots=True)
class Marker:
    """A line across the chart."""

    round: int  # the last one before it
    words: str


def markers(state: AppState) -> tuple[Marker, ...]:
    """What is known to have happened in this session, in words."""
    found = []
    for mark in state.node.marks:
        if mark.what == "model":
            titles = (choice.title for choice in state.choices if choice.id == mark.detail)
            words = translate("Home", "Changed models: {} practised before.")
            found.append(Marker(mark.round, words.format(next(titles, mark.detail))))
        else:
            found.append(Marker(mark.round, spoken(why(mark.what, mark.detail))))
    return tuple(found)


def breaks(points: Sequence[Point]) -> list[int]:
    """Indices of the points after which nothing was practised for long, by their times."""
    gaps = [after.at - before.at if before.at else 0.0 for before, after in pairwise(points)]
    usual = sorted(gaps)[len(gaps) // 2] if gaps else 0.0
    return [at for at, gap in enumerate(gaps) if gap > max(LEAST_BREAK_S, _TIMES * usual)]


def duration(seconds: float) -> str:
    """A stretch of time as people say it."""
    minutes = round(seconds / 60)
    if minutes < 60:  # noqa: PLR2004 - of an hour
        return translate("Home", "{} min").format(minutes)
    hours = round(minutes / 60)
    if hours < 48:  # noqa: PLR2004 - two days
        return translate("Home", "{} h").format(hours)
    return translate("Home", "{} days").format(round(hours / 24))
