"""Things to be quietly glad about, and when they came; pure."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from itertools import accumulate

from core.api.contribution import Day, Kind, Milestone
from core.ledger.days import current_streak, streaks

GOALS: Mapping[Kind, tuple[int, ...]] = {
    "rounds": (1, 100, 1_000, 10_000, 100_000, 1_000_000),
    "hours": (10, 100, 1_000, 10_000),
    "streak": (7, 30, 100, 365),
    "learners": (1, 10, 100, 1_000),
}
HOUR_S = 3_600

Rise = Sequence[tuple[date, int]]
"""How much there was by the end of each day; days rise."""


def milestones(
    days: Sequence[Day], newcomers: Iterable[tuple[date, int]] | None, today: date
) -> tuple[Milestone, ...]:
    """Those that were reached and the next one, kind by kind.

    ``newcomers`` are the others who were helped for the first time, by day; None where that is not
    known, and then nothing is said about them.
    """
    names = [day.day for day in days]
    hours = accumulate(day.seconds for day in days)
    found = [
        *_of("rounds", _rise(names, accumulate(day.rounds for day in days))),
        *_of("hours", _rise(names, (int(seconds // HOUR_S) for seconds in hours))),
        *_of("streak", _rise(names, streaks(names)), current_streak(names, today)),
    ]
    if newcomers is not None:
        arrived = list(newcomers)
        counts = accumulate(learners for _, learners in arrived)
        found += _of("learners", _rise([day for day, _ in arrived], counts))
    return tuple(found)


def _rise(days: Sequence[date], amounts: Iterable[int]) -> Rise:
    return list(zip(days, amounts, strict=True))


def _of(kind: Kind, rise: Rise, now: int | None = None) -> list[Milestone]:
    """``now`` is how much there is today, where that is not simply the last of ``rise``."""
    found: list[Milestone] = []
    if now is None:
        now = rise[-1][1] if rise else 0
    for goal in GOALS[kind]:
        reached = next((day for day, amount in rise if amount >= goal), None)
        have = goal if reached else now
        found.append(Milestone(kind=kind, goal=goal, have=have, reached=reached))
        if reached is None:
            break
    return found
