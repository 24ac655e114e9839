"""Milestones come when they were reached, and the next one is named."""

from collections.abc import Sequence
from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from core.api.contribution import MOST_MILESTONES, Day, Kind, Milestone
from core.services.milestones import GOALS, milestones

TODAY = date(2026, 11, 21)
HOUR = 3_600.0


def ago(days: int) -> date:
    return TODAY - timedelta(days=days)


def practised(*days: tuple[int, int]) -> list[Day]:
    """Days (so many ago, so many rounds of an hour each)."""
    return [Day(day=ago(when), rounds=rounds, seconds=HOUR * rounds) for when, rounds in days]


def of(kind: Kind, found: Sequence[Milestone]) -> list[tuple[int, int, date | None]]:
    return [(one.goal, one.have, one.reached) for one in found if one.kind == kind]


def test_before_the_first_round_the_first_ones_lie_ahead() -> None:
    """One of each kind, none reached; of others nothing is said while nothing is known."""
    found = milestones([], None, TODAY)
    assert [(m.kind, m.goal, m.have, m.reached) for m in found] == [
        ("rounds", 1, 0, None),
        ("hours", 10, 0, None),
        ("streak", 7, 0, None),
    ]


def test_a_milestone_keeps_the_day_on_which_it_was_reached() -> None:
    """The day whose rounds filled it up, and the next one with how far it is."""
    found = milestones(practised((9, 60), (5, 39), (4, 1), (0, 20)), None, TODAY)
    assert of("rounds", found) == [(1, 1, ago(9)), (100, 100, ago(4)), (1_000, 120, None)]
    assert of("hours", found) == [(10, 10, ago(9)), (100, 100, ago(4)), (1_000, 120, None)]


def test_a_streak_that_broke_was_reached_all_the_same() -> None:
    """It stays; the next one counts the streak of today."""
    found = milestones(practised(*((n, 1) for n in (20, 19, 18, 17, 16, 15, 14, 1, 0))), [], TODAY)
    assert of("streak", found) == [(7, 7, ago(14)), (30, 2, None)]


def test_the_first_others_who_were_helped_are_one() -> None:
    """Counted once each, on the day of their first thanks."""
    found = milestones(practised((3, 1)), [(ago(2), 2), (ago(1), 8)], TODAY)
    assert of("learners", found) == [(1, 1, ago(2)), (10, 10, ago(1)), (100, 10, None)]
    assert of("learners", milestones(practised((3, 1)), [], TODAY)) == [(1, 0, None)]


days = st.lists(
    st.tuples(st.integers(0, 900), st.integers(1, 200_000)), unique_by=lambda d: d[0], max_size=40
)


@given(days, st.integers(0, 20_000))
def test_at_most_one_of_each_kind_lies_ahead(script: list[tuple[int, int]], helped: int) -> None:
    """Whatever was done: goals rise, days rise, and progress never passes its goal."""
    done = practised(*sorted(script, reverse=True))
    found = milestones(done, [(ago(5), helped)], TODAY)
    assert len(found) <= MOST_MILESTONES
    for kind, goals in GOALS.items():
        mine = of(kind, found)
        assert tuple(goal for goal, _, _ in mine) == goals[: len(mine)]
        assert all(have <= goal for goal, have, _ in mine)
        reached = [day for _, _, day in mine if day is not None]
        assert reached == sorted(reached)
        assert [day for _, _, day in mine][: len(reached)] == reached
        assert len(mine) - len(reached) <= 1
