"""How far a round is."""

import pytest
from msgspec.structs import replace

from app.state.round_pace import (
    RoundPosition,
    estimate,
    is_calm,
    is_quick,
    move,
    rest_left_s,
    rounds_a_minute,
)
from core.api.events import Event, Paused, PhaseEntered, SwarmChanged
from core.api.state import NodeState, apply
from tests.fakes import finished

SLOW = [
    replace(finished(n), sample_s=4.0, judge_s=1.0, share_s=1.0, train_s=4.0, at=100.0 + 12.0 * n)
    for n in range(1, 6)
]


def test_a_round_never_goes_back() -> None:
    """What others shared is checked after sharing; that is no step back."""
    sharing = move(move(None, 7, "judging", 1.0), 7, "sharing", 2.0)
    assert move(sharing, 7, "judging", 3.0) == sharing
    assert move(sharing, 8, "asking", 4.0) == RoundPosition(8, "sampling", 4.0)


def test_time_left_is_that_of_the_last_rounds() -> None:
    """What is behind counts in full, the running step as far as it is."""
    seen = estimate(RoundPosition(6, "judging", 10.0), SLOW, 10.5)
    assert (seen.done, seen.left_s) == (0.45, 5.5)


def test_a_step_that_drags_on_does_not_run_over() -> None:
    """The bar waits for the next step, and no time is negative."""
    assert estimate(RoundPosition(6, "learning", 0.0), SLOW, 999.0).left_s == 0.0
    assert estimate(RoundPosition(6, "learning", 5.0), SLOW, 1.0).left_s == 4.0


def test_the_first_round_promises_no_time() -> None:
    """Only how many steps are behind it."""
    seen = estimate(RoundPosition(1, "sharing", 0.0), [], 5.0)
    assert (seen.done, seen.left_s) == (0.5, None)


def test_a_rest_is_expected_to_last_as_long_as_the_one_before() -> None:
    """What passed between two rounds beyond the work on the second one."""
    assert rest_left_s(SLOW, 50.0, 50.5) == 1.5
    assert rest_left_s(SLOW, 50.0, 52.0) is None  # it goes on longer than expected
    assert rest_left_s(SLOW[:1], 50.0, 50.5) is None


def test_a_night_between_two_rounds_is_no_rest() -> None:
    """Nor is the moment in which one round follows another; the rest before them counts."""
    quick, late = replace(SLOW[4], at=SLOW[3].at + 10.0), replace(SLOW[4], at=SLOW[3].at + 9_000.0)
    assert rest_left_s([*SLOW[:4], quick], 50.0, 50.5) == 1.5
    assert rest_left_s([*SLOW[:4], late], 50.0, 50.5) == 1.5
    assert rest_left_s([SLOW[3], late], 50.0, 50.5) is None


@pytest.mark.parametrize(
    ("event", "calm"),
    [
        (finished(4), True),
        (PhaseEntered(round=4, phase="resting"), True),
        (SwarmChanged(reachable=True, peers=3, words=""), False),
        (Paused(reason="battery"), False),
    ],
    ids=lambda value: type(value).__name__,
)
def test_nothing_but_quick_rounds_is_calm(event: Event, *, calm: bool) -> None:
    """Whatever else is said wants to be seen at once."""
    node = NodeState(activity="practising", recent=(finished(2), finished(3)))
    assert is_calm(node, apply(node, event)) is calm


def test_the_steps_of_slow_rounds_are_to_be_seen() -> None:
    """A phase of theirs is news."""
    node = NodeState(activity="practising", recent=tuple(SLOW))
    assert not is_calm(node, apply(node, PhaseEntered(round=7, phase="learning")))


def test_quick_rounds_are_counted_by_the_minute() -> None:
    """Rests count, because a person sees them."""
    assert not is_quick([])
    assert not is_quick(SLOW)
    assert is_quick([finished(1)])
    assert rounds_a_minute(SLOW) == 5.0
    assert rounds_a_minute(SLOW[:1]) is None
    later = [replace(one, at=one.at + 28_800.0) for one in SLOW[3:]]
    assert rounds_a_minute([*SLOW[:3], *later]) == 5.0, "a night's pause is no pace"
