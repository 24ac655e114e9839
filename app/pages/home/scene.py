"""The chart *You and the swarm* as numbers and words, before anything is drawn; pure.

Hours and days are counted back from the newest round, so that a chart that was left yesterday does
not open empty.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QCoreApplication

from app.pages.home.marks import Marker, breaks, duration
from app.pages.home.ticks import time_ticks
from app.text.figures import figure, percent
from app.text.moments import clock, local, moment
from app.text.phrases import dotted, series
from app.widgets.charts import score_marks
from core.api.curves import moving_average
from core.api.events import Point

translate = QCoreApplication.translate

Span = Literal["hour", "day", "all"]
Curve = list[float | None]

SPAN_S = {"hour": 3_600.0, "day": 86_400.0}
LEAST_S = {"hour": 300.0, "day": 3_600.0}  # width of the axis before there is more to show
LEAST_ROUNDS = 20
MOST_TOLD = 3  # of what is marked in one place


@dataclass(frozen=True, slots=True)
class ChartScene:
    """All that is drawn. The lists have one entry a point; None: nothing is known there."""

    points: Sequence[Point]
    xs: list[float]
    mine: Curve
    swarm: Curve
    my_mean: Curve
    swarm_mean: Curve
    left: float
    right: float
    ticks: list[tuple[float, str]] | None  # along the bottom; None: wherever numbers are round
    levels: list[float]  # shares marked along the side
    lines: list[tuple[float, str]]  # across, with words, rising
    cuts: list[int]  # points that are not joined with the next, a break being between

    def nearest(self, x: float) -> int:
        """The index of the point that is nearest to ``x``."""
        after = min(bisect_left(self.xs, x), len(self.xs) - 1)
        before = max(after - 1, 0)
        return before if x - self.xs[before] < self.xs[after] - x else after

    def reading(self, at: int, x: float | None = None, reach: float = 0.0) -> str:
        """The point ``at`` in words, with what is marked there or within ``reach`` of ``x``."""
        point = self.points[at]
        when = translate("Home", "Round {}").format(figure(point.round))
        if point.at > 0:
            is_last_day = local(point.at).date() == local(self.points[-1].at).date()
            when = series((when, clock(point.at) if is_last_day else moment(point.at)))
        told = (
            when,
            _of(translate("Home", "your model {}"), point.skill, self.my_mean[at]),
            _of(translate("Home", "swarm {}"), point.swarm_skill, self.swarm_mean[at]),
            *self._marked(self.xs[at], self.xs[at] if x is None else x, reach),
        )
        return dotted(told)

    def _marked(self, here: float, x: float, reach: float) -> list[str]:
        """What is marked ``here``, and what else is within ``reach`` of ``x``, nearest first."""
        near = [line for line in self.lines if line[0] == here or abs(line[0] - x) <= reach]
        near.sort(key=lambda line: (line[0] != here, abs(line[0] - x)))
        return [words for _, words in near[:MOST_TOLD]]


def scene(points: Sequence[Point], marked: Sequence[Marker], span: Span) -> ChartScene:
    """Show ``points``, at least one, over ``span``; by rounds where times are not known."""
    rounds = [point.round for point in points]
    mine: Curve = [point.skill for point in points]
    swarm: Curve = [point.swarm_skill for point in points]
    my_mean, swarm_mean = moving_average(rounds, mine), moving_average(rounds, swarm)
    by_time = span != "all" and knows_times(points)
    end = points[-1].at
    # A clock that was set back must not let a line run backwards.
    first = len(points) - 1 if by_time else 0
    while by_time and first and end - SPAN_S[span] <= points[first - 1].at <= points[first].at:
        first -= 1
    xs = [point.at if by_time else float(point.round) for point in points[first:]]
    left, right = _bounds(xs, span if by_time else "all")
    # Means of the first points shown are of earlier ones, too, and may lie beyond what is shown.
    curves = [curve[first:] for curve in (mine, swarm, my_mean, swarm_mean)]
    mine, swarm, my_mean, swarm_mean = curves
    shares = [share for curve in curves for share in curve if share is not None]
    return ChartScene(
        points=points[first:],
        xs=xs,
        mine=mine,
        swarm=swarm,
        my_mean=my_mean,
        swarm_mean=swarm_mean,
        left=left,
        right=right,
        ticks=time_ticks(left, right) if by_time else None,
        levels=score_marks(min(shares), max(shares)),
        lines=_lines(points[first:], xs, marked),
        cuts=breaks(points[first:]) if by_time else [],
    )


def knows_times(points: Sequence[Point]) -> bool:
    """Whether these can be shown by time."""
    return bool(points) and points[-1].at > 0


def _bounds(xs: Sequence[float], span: Span) -> tuple[float, float]:
    if span == "all":
        left = min(xs[0], 1.0)
        return left, max(xs[-1], left + LEAST_ROUNDS)
    return min(xs[0], xs[-1] - LEAST_S[span]), xs[-1]


def _lines(
    points: Sequence[Point], xs: Sequence[float], marked: Sequence[Marker]
) -> list[tuple[float, str]]:
    """A line behind the last point before each break, and before what is marked."""
    rounds = [point.round for point in points]
    found = {}
    for at in breaks(points):
        gap = duration(points[at + 1].at - points[at].at)
        found[at] = translate("Home", "No practice for {}.").format(gap)
    for marker in marked:
        at = bisect_left(rounds, marker.round)
        if rounds[0] <= marker.round and at < len(rounds):
            found[at] = " ".join(filter(None, (marker.words, found.get(at, ""))))
    return [(xs[at], words) for at, words in sorted(found.items())]


def _of(words: str, score: float | None, mean: float | None) -> str:
    if score is None:
        return ""
    told = words.format(percent(score))
    if mean is None:
        return told
    return translate("Home", "{} (average {})").format(told, percent(mean))
