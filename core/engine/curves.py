"""A score over thousands of rounds, made small and smooth enough to look at; pure.

A curve is a sequence of ``Point`` with rising rounds. Single rounds are noisy (a few dozen
answers), so people are shown means over ``WINDOW`` rounds.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from core.engine.events import Point

WINDOW = 30  # rounds in a mean: about two thousand answers, a standard error near one per cent
FIRST_WORD = 5  # rounds before a mean is worth saying
MAX_POINTS = 1_000  # more cost drawing time and show nothing new


@dataclass(frozen=True, slots=True)
class Summary:
    """The numbers of the one sentence; each None while saying it would mislead."""

    now: float | None  # mean score of the last rounds
    start: float | None  # mean of the first rounds; only once they do not overlap with the last
    swarm: float | None  # mean swarm score over the same last rounds


def summarise(points: Sequence[Point]) -> Summary:
    """Compare the last ``WINDOW`` rounds with the first ``WINDOW`` rounds and with the swarm."""
    if len(points) < FIRST_WORD:
        return Summary(None, None, None)
    recent = points[-WINDOW:]
    swarm = [point.swarm_score for point in recent if point.swarm_score is not None]
    return Summary(
        now=_mean([point.score for point in recent]),
        start=(
            _mean([point.score for point in points[:WINDOW]]) if len(points) >= 2 * WINDOW else None
        ),
        swarm=_mean(swarm) if len(swarm) >= FIRST_WORD else None,
    )


def thin(points: Sequence[Point], limit: int = MAX_POINTS) -> tuple[Point, ...]:
    """Merge neighbours until at most ``limit`` points are left, at least 4 * WINDOW.

    The first and the last ``WINDOW`` rounds stay as they are, because ``summarise`` compares
    them; what lies between is halved by averaging pairs, so that a mean stays a mean.
    """
    limit = max(limit, 4 * WINDOW)
    thinned = tuple(points)
    while len(thinned) > limit:
        middle = thinned[WINDOW:-WINDOW]
        pairs = tuple(_merge(middle[at : at + 2]) for at in range(0, len(middle), 2))
        thinned = thinned[:WINDOW] + pairs + thinned[-WINDOW:]
    return thinned


def moving_average(rounds: Sequence[int], scores: Sequence[float]) -> list[float]:
    """Mean of all scores of the last ``WINDOW`` rounds, for each round; same length as given.

    Counted in rounds and not in points, so that a thinned curve keeps its smoothness.
    """
    means: list[float] = []
    total, oldest = 0.0, 0
    for at, (round_, score) in enumerate(zip(rounds, scores, strict=True)):
        total += score
        while rounds[oldest] <= round_ - WINDOW:
            total -= scores[oldest]
            oldest += 1
        means.append(total / (at - oldest + 1))
    return means


def _merge(pair: Sequence[Point]) -> Point:
    swarm = [point.swarm_score for point in pair if point.swarm_score is not None]
    return Point(
        round=pair[-1].round,
        score=_mean([point.score for point in pair]),
        swarm_score=_mean(swarm) if swarm else None,
    )


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
