"""Made-up contributions, as the helper would tell them."""

from collections.abc import Sequence
from datetime import date, timedelta

from core.api.contribution import ContributionShown, Day, EnergyShown, Figures, Milestone

TODAY = date(2026, 11, 21)
COUNTED = 64  # answers of a round
RIGHT = 16


def ago(days: int) -> date:
    return TODAY - timedelta(days=days)


def day(days_ago: int, rounds: int = 40, seconds: float = 1_800.0) -> Day:
    """A day with rounds that were all counted."""
    return Day(
        day=ago(days_ago),
        rounds=rounds,
        seconds=seconds,
        tokens=rounds * 1_500,
        answers=rounds * COUNTED,
        solved=rounds * RIGHT,
        shared=rounds * 8,
    )


def shown(days: Sequence[Day], learners: int | None = 3, *, number: int = 0) -> ContributionShown:
    """Days as they are, with milestones of each kind."""
    sums = {name: sum(getattr(one, name) for one in days) for name in Figures.__struct_fields__}
    return ContributionShown(
        id=number,
        today=TODAY,
        name="amber-otter-27",
        totals=Figures(**sums),
        learners=learners,
        thanks=7 * (learners or 0),
        first_day=days[0].day if days else None,
        active_days=len(days),
        streak=2,
        longest_streak=5,
        days=tuple(days),
        milestones=(
            Milestone(kind="rounds", goal=1, have=1, reached=ago(9)),
            Milestone(kind="rounds", goal=100, have=80),
            Milestone(kind="hours", goal=10, have=1),
            Milestone(kind="streak", goal=7, have=2),
            Milestone(kind="learners", goal=1, have=1, reached=ago(4)),
        ),
    )


ENERGY = EnergyShown(day_joules=162_000.0, is_today=False, estimated_s=21_600.0, watts_a_core=7.5)
NOTHING = shown([], None)
ONE_DAY = shown([day(0)], 0)
MONTH = shown([day(n, 10 + n, 600.0 * (1 + n % 7)) for n in range(25, -1, -1) if n % 5])
YEARS = shown([day(n, 300, 3_600.0 * (1 + n % 9)) for n in range(399, -1, -1)], 41)
OLD = shown([Day(day=ago(1), rounds=5, seconds=90.0, tokens=9_000, uncounted=5)], None)
"""Rounds of a release that did not count answers yet."""
EVERY = {"nothing": NOTHING, "one": ONE_DAY, "month": MONTH, "years": YEARS, "old": OLD}
