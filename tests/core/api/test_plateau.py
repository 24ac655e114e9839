"""When a model has learnt out."""

from collections.abc import Callable
from random import Random

import pytest

from core.api.curves import thin
from core.api.events import Point
from core.api.plateau import SLOWEST, SPAN, has_levelled_off


def curve(rounds: int, skill: Callable[[int], float], seed: int = 1) -> tuple[Point, ...]:
    """As a ledger tells it: noise that lasts some hundred rounds, and thinned."""
    rng, noise, points = Random(seed), 0.0, []
    for number in range(1, rounds + 1):
        noise = 0.99 * noise + rng.gauss(0, 0.0006)
        points.append(Point(number, skill(number) + noise, None, at=20.0 * number))
    return thin(points)


def flat(_: int) -> float:
    return 0.4


def test_what_has_not_risen_for_long_is_said_to_have_levelled_off() -> None:
    """In most cases at once; noise that happens to rise only delays it."""
    told = [has_levelled_off(curve(2 * SPAN, flat, seed)) for seed in range(40)]
    assert sum(told) > 20


@pytest.mark.parametrize("rise", [2 * SLOWEST, 0.02, 0.1])
def test_what_rises_is_hardly_ever_said_to_have_levelled_off(rise: float) -> None:
    """A point in a thousand rounds is worth going on for."""
    told = [
        has_levelled_off(curve(2 * SPAN, lambda number: 0.2 + rise * number / 1_000, seed))
        for seed in range(40)
    ]
    assert sum(told) <= 1


def test_it_is_never_said_early() -> None:
    """However flat it is, and where most rounds are not known."""
    assert not has_levelled_off(())
    assert not has_levelled_off(curve(SPAN, flat))
    gap = [Point(number, 0.4, None) for number in (*range(1, 200), *range(5_800, 6_000))]
    assert not has_levelled_off(gap)


def test_what_is_lost_again_has_levelled_off() -> None:
    """Going on as before will not help then, either."""
    assert has_levelled_off(curve(2 * SPAN, lambda number: 0.5 - number / 1e5))


def test_a_history_out_of_order_tells_without_a_fault() -> None:
    """It is read from a file; what is later than its last point counts as nothing."""
    later = Point(10 * SPAN, 0.4, None, at=0.0)
    assert not has_levelled_off(
        (*curve(SPAN // 2, flat), later, Point(SPAN + 1, 0.4, None, at=0.0))
    )
