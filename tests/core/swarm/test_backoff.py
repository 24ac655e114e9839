"""Waiting between tries."""

from random import Random

from core.swarm.backoff import FIRST_S, LONGEST_S, Backoff, Timing
from tests.envelopes import FakeClock


def waits(seed: int, failures: int) -> list[float]:
    """How long each of so many failures in a row is waited for, to a tenth of a second."""
    clock = FakeClock(0.0)
    backoff = Backoff(Timing(clock, clock, Random(seed)))
    times = []
    for _ in range(failures):
        backoff.fail()
        start = clock.now
        while not backoff.is_over():
            clock.advance(0.1)
        times.append(clock.now - start)
    return times


def test_the_first_try_is_at_once() -> None:
    """Nothing waits before anything failed."""
    assert Backoff(Timing()).is_over()


def test_waits_double_up_to_a_minute() -> None:
    """Between half and all of a quarter, a half, 1, 2, 4, ... 60, 60 seconds."""
    for number, wait in enumerate(waits(1, 14)):
        longest = min(LONGEST_S, FIRST_S * 2.0**number)
        assert longest / 2 <= wait <= longest + 0.2


def test_a_wait_may_be_bounded_more_closely() -> None:
    """However often it failed before; then the next one is as long as ever."""
    clock = FakeClock(0.0)
    backoff = Backoff(Timing(clock, clock, Random(1)))
    for _ in range(12):
        backoff.fail(4.0)
    clock.advance(4.0)
    assert backoff.is_over()
    backoff.fail()
    clock.advance(4.0)
    assert not backoff.is_over()


def test_two_nodes_do_not_wait_equally_long() -> None:
    """Jitter spreads those who come back."""
    assert waits(1, 6) != waits(2, 6)


def test_a_success_ends_the_waiting() -> None:
    """After it a failure is a first one again."""
    clock = FakeClock(0.0)
    backoff = Backoff(Timing(clock, clock, Random(1)))
    for _ in range(2_000):
        backoff.fail()
    assert not backoff.is_over()
    backoff.succeed()
    assert backoff.is_over()
    backoff.fail()
    clock.advance(1.0)
    assert backoff.is_over()


def test_hope_ends_the_waiting_once() -> None:
    """The next try is at once, but if it fails the wait is longer than the last one."""
    clock = FakeClock(0.0)
    backoff = Backoff(Timing(clock, clock, Random(1)))
    for _ in range(4):
        backoff.fail()
    backoff.hurry()
    assert backoff.is_over()
    backoff.fail()
    clock.advance(1.9)
    assert not backoff.is_over()
