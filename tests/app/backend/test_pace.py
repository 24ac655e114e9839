"""What is wanted often is done at a pace, and nothing of it is forgotten."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.backend.pace import Pace
from tests.hand_alarm import HandAlarm


class Bench:
    def __init__(self) -> None:
        self.alarm = HandAlarm()
        self.done = 0
        self.pace = Pace(self.act, 5.0, self.alarm)

    def act(self) -> None:
        self.done += 1


@pytest.fixture
def bench() -> Bench:
    return Bench()


def test_the_first_time_it_is_done_at_once(bench: Bench) -> None:
    """And nothing more, however long it rests."""
    bench.pace.want()
    assert bench.done == 1
    assert bench.alarm.seconds == 5.0
    bench.alarm.ring()
    assert bench.done == 1
    assert bench.alarm.seconds is None


def test_what_is_wanted_meanwhile_is_done_once_at_the_end(bench: Bench) -> None:
    """However often it was wanted."""
    for _ in range(10):
        bench.pace.want()
    assert bench.done == 1
    bench.alarm.ring()
    assert bench.done == 2
    bench.alarm.ring()
    assert bench.done == 2


def test_who_cannot_wait_does_not(bench: Bench) -> None:
    """The rest begins anew, and nothing is due any more."""
    bench.pace.want()
    bench.pace.want()
    bench.pace.hurry()
    assert bench.done == 2
    bench.alarm.ring()
    assert bench.done == 2


@given(st.lists(st.sampled_from(["want", "ring"]), max_size=40))
def test_nothing_that_is_wanted_is_forgotten(script: list[str]) -> None:
    """Whatever happens: after the last wish it is done again, and at most once a rest."""
    bench = Bench()
    rests = 1
    for what in script:
        if what == "want":
            bench.pace.want()
        elif bench.alarm.seconds is not None:
            bench.alarm.ring()
            rests += 1
        assert bench.done <= rests
    before = bench.done
    bench.pace.want()
    if bench.alarm.seconds is not None and bench.done == before:
        bench.alarm.ring()
    assert bench.done > before
