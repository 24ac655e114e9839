"""A score over thousands of rounds, made small and smooth enough to look at; pure.

A curve is a sequence of ``Point`` with rising rounds. Single rounds are noisy (a few dozen
answers), so people are shown means over ``WINDOW`` rounds.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean

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
        now=fmean([point.skill for point in recent]),
        base=base,
        swarm=fmean(swarm) if len(swarm) >= min(FIRST_WORD, len(recent)) else None,
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


def thin(points: Sequence[Point]) -> tuple[Point, ...]:
    """Average what lies within each of its ``stretches``, if there are more than ``MAX_POINTS``.

    So a curve that grows round by round looks like one that the ledger averages at once.
    """
    if len(points) <= MAX_POINTS:
        return tuple(points)
    rounds = [point.round for point in points]
    until = points[-1].at
    aged = [bisect_left(points, until - age, key=lambda point: point.at) for age in AGES_S]
    thinned, start = [], 0
    for first, last in stretches(rounds[0], rounds[-1], [rounds[number] for number in aged]):
        end = bisect_right(rounds, last, start)
        if end > start:
            thinned.append(_mean_point(points[start:end], first))
        start = end
    return tuple(thinned)


def stretches(first: int, last: int, aged: Sequence[int]) -> list[tuple[int, int]]:
    """The rounds ``first`` to ``last`` as at most ``MAX_POINTS`` stretches, one point for each.

    ``aged`` are the first rounds of the last day and of the last hour; these two and all before
    have a third of the points each. The first and the last ``WINDOW`` rounds are a stretch each,
    because ``summarise`` compares them. A stretch is its first and its last round.
    """
    tail = max(first, last + 1 - WINDOW)
    head = min(first + WINDOW, tail)
    # In order even where the clock was set back in between.
    cuts = [first, head, *sorted(min(max(number, head), tail) for number in aged), tail, last + 1]
    share = (MAX_POINTS - 2 * WINDOW) // (len(aged) + 1)
    found = []
    for begin, end in pairwise(cuts):
        # From the same rounds on whatever went before, so that what is averaged again and again
        # while a curve grows never gets coarser than its stretch.
        step = 1 << ((end - begin - 1) // (share - 2)).bit_length()
        starts = [begin, *range((begin // step + 1) * step, end, step), end]
        found += [(start, after - 1) for start, after in pairwise(starts) if start < after]
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


def _mean_point(points: Sequence[Point], first: int) -> Point:
    """The mean of a stretch from round ``first``, each point by how many rounds it is a mean of."""
    rounds = [first - 1, *(point.round for point in points)]
    widths = [after - before for before, after in pairwise(rounds)]
    swarm = [
        (point.swarm_skill, width)
        for point, width in zip(points, widths, strict=True)
        if point.swarm_skill is not None
    ]
    return Point(
        round=rounds[-1],
        skill=fmean([point.skill for point in points], widths),
        swarm_skill=fmean([s for s, _ in swarm], [width for _, width in swarm]) if swarm else None,
        at=points[-1].at,
    )
