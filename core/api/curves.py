"""A score over thousands of rounds, made small and smooth enough to look at; pure.

A curve is a sequence of ``Point`` with rising rounds. Single rounds are noisy (a few dozen
answers), so people are shown means over ``WINDOW`` rounds.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from core.api.events import Point, RoundFinished

WINDOW = 30  # rounds in a mean: about two thousand answers, a standard error near one per cent
FIRST_WORD = 5  # rounds before a mean is worth saying
MAX_POINTS = 1_000  # more cost drawing time and show nothing new
AGES_S = (86_400, 3_600)  # what people look at closely: the last day, of it the last hour


@dataclass(frozen=True, slots=True)
class Summary:
    """The numbers of the one sentence; each None while saying it would mislead."""

    now: float | None  # mean skill of the last rounds
    base: float | None  # skill before any practice
    swarm: float | None  # mean skill of the swarm over the same last rounds


def summarise(points: Sequence[Point], base: float | None) -> Summary:
    """The skill over the last ``WINDOW`` rounds beside the base's and the swarm's."""
    if not points:
        return Summary(None, base, None)
    recent = [point for point in points if point.round > points[-1].round - WINDOW]
    swarm = [point.swarm_skill for point in recent if point.swarm_skill is not None]
    return Summary(
        now=_mean([point.skill for point in recent]),
        base=base,
        swarm=_mean(swarm) if len(swarm) >= min(FIRST_WORD, len(recent)) else None,
    )


def point_of(finished: RoundFinished) -> Point | None:
    """A round, as far as the chart needs it; None where its skill is not known."""
    if finished.skill is None:
        return None
    return Point(
        round=finished.round,
        skill=finished.skill,
        swarm_skill=finished.swarm_skill,
        at=finished.at,
    )


def thin(points: Sequence[Point], limit: int = MAX_POINTS) -> tuple[Point, ...]:
    """Merge neighbours until at most ``limit`` points are left, at least 4 * WINDOW.

    The first and the last ``WINDOW`` points stay as they are, because ``summarise`` compares
    them. What lies between is halved by averaging pairs, so that a mean stays a mean; the last
    hour, the day before it, and all earlier on their own, so that each of them keeps its detail.
    """
    limit = max(limit, 4 * WINDOW)
    if len(points) <= limit:
        return tuple(points)
    middle = points[WINDOW:-WINDOW]
    aged = [bisect_left(middle, points[-1].at - age, key=lambda point: point.at) for age in AGES_S]
    share = (limit - 2 * WINDOW) // (len(aged) + 1)
    thinned = list(points[:WINDOW])
    for begin, end in pairwise((0, *aged, len(middle))):
        thinned += _halved(middle[begin:end], share)
    return (*thinned, *points[-WINDOW:])


def stretches(first: int, last: int, aged: Sequence[int]) -> list[tuple[int, int]]:
    """The rounds ``first`` to ``last`` as at most ``MAX_POINTS`` stretches, as ``thin`` would.

    ``aged`` are the first rounds of the last day and of the last hour. Each stretch is its first
    and its last round.
    """
    tail = max(first, last + 1 - WINDOW)
    head = min(first + WINDOW, tail)
    cuts = [first, head, *(min(max(number, head), tail) for number in aged), tail, last + 1]
    share = (MAX_POINTS - 2 * WINDOW) // (len(aged) + 1)
    found = []
    for begin, end in pairwise(cuts):
        step = max(1, -(-(end - begin) // share))
        found += [(at, min(at + step, end) - 1) for at in range(begin, end, step)]
    return found


def moving_average(rounds: Sequence[int], scores: Sequence[float | None]) -> list[float | None]:
    """Mean of the scores known of the last ``WINDOW`` rounds, for each round; None where none is.

    Counted in rounds and not in points, so that a thinned curve keeps its smoothness. The first
    ``FIRST_WORD`` - 1 rounds with a score have no mean yet: it would leap from round to round.
    """
    means: list[float | None] = []
    total, known, oldest = 0.0, 0, 0
    begins = next((r for r, s in zip(rounds, scores, strict=True) if s is not None), 0)
    for round_, score in zip(rounds, scores, strict=True):
        total, known = (total, known) if score is None else (total + score, known + 1)
        while rounds[oldest] <= round_ - WINDOW:
            leaving = scores[oldest]
            total, known = (total, known) if leaving is None else (total - leaving, known - 1)
            oldest += 1
        is_steady = round_ - begins >= FIRST_WORD - 1
        means.append(total / known if known and is_steady else None)
    return means


def _halved(points: Sequence[Point], most: int) -> Sequence[Point]:
    while len(points) > most:
        points = [_merge(points[at : at + 2]) for at in range(0, len(points), 2)]
    return points


def _merge(pair: Sequence[Point]) -> Point:
    swarm = [point.swarm_skill for point in pair if point.swarm_skill is not None]
    return Point(
        round=pair[-1].round,
        skill=_mean([point.skill for point in pair]),
        swarm_skill=_mean(swarm) if swarm else None,
        at=pair[-1].at,
    )


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
