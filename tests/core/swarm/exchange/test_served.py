"""What a node keeps ready for others."""

from collections import Counter
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from core.swarm.exchange.outbox import MOST_BYTES_AT_ONCE, Letter
from core.swarm.exchange.served import LIFE_S, MOST_PICKED, ServedItems
from core.wire.codec import AUTHOR_SLOTS, CLOCK_WINDOW_S, ITEM_LIFE_S


def letters(*numbers: int, at: float = 0.0) -> list[Letter]:
    return [Letter(number, at, b"%d" % number) for number in numbers]


@given(st.lists(st.floats(-1_000, 2_000), max_size=200), st.integers(0, 200), st.floats(0, 1_000))
def test_a_pick_is_some_of_what_lives(times: list[float], want: int, now: float) -> None:
    """Distinct, no more than wanted, and as many as there are: the newest that are fresh."""
    shelf = ServedItems()
    for number, at in enumerate(times):
        shelf.put(letters(number, at=at))
    newest = list(enumerate(times))[-AUTHOR_SLOTS:]
    living = {b"%d" % number for number, at in newest if abs(now - at) <= LIFE_S}
    picked = shelf.pick(want, now, Random(1))
    assert set(picked) <= living
    assert len(set(picked)) == len(picked) == min(want, len(living))


def test_what_is_handed_out_is_still_believed() -> None:
    """Also by a receiver whose clock is a minute ahead, and no longer than an item lives."""
    assert LIFE_S <= CLOCK_WINDOW_S - 60
    assert LIFE_S <= ITEM_LIFE_S


def test_each_is_as_likely_as_any_other() -> None:
    """Old or new, over 10,000 picks of 3 out of 20: within 5 standard deviations of 1,500."""
    shelf, rng = ServedItems(), Random(2)
    shelf.put(letters(*range(20)))
    counts = Counter(one for _ in range(10_000) for one in shelf.pick(3, 0.0, rng))
    assert len(counts) == 20
    assert all(abs(count - 1_500) < 5 * (10_000 * 0.15 * 0.85) ** 0.5 for count in counts.values())


def test_a_pick_is_small_enough_for_a_slow_uplink() -> None:
    """Whatever is wanted; one envelope goes out in any case."""
    shelf = ServedItems()
    shelf.put(Letter(number, 0.0, bytes(60_000)) for number in range(64))
    assert len(shelf.pick(64, 0.0, Random(3))) == MOST_BYTES_AT_ONCE // 60_000
    giant = ServedItems()
    giant.put([Letter(1, 0.0, bytes(MOST_BYTES_AT_ONCE + 1))])
    assert len(giant.pick(8, 0.0, Random(3))) == 1
    assert ServedItems().pick(8, 0.0, Random(3)) == ()


def test_what_was_picked_is_told_once() -> None:
    """Exactly what went out, also if it fell off the shelf since; bounded if nobody asks."""
    shelf, rng = ServedItems(), Random(4)
    shelf.put(letters(1, 2, 3))
    picked = {*shelf.pick(1, 0.0, rng), *shelf.pick(1, 0.0, rng)}
    shelf.put(letters(*range(10, 10 + AUTHOR_SLOTS)))
    told = shelf.collect_picked()
    assert {one.data for one in told} == picked
    assert len(told) == len(picked)
    assert shelf.collect_picked() == []
    for start in range(0, 20 * AUTHOR_SLOTS, AUTHOR_SLOTS):
        shelf.put(letters(*range(start, start + AUTHOR_SLOTS)))
        shelf.pick(AUTHOR_SLOTS, 0.0, rng)
    assert len(shelf.collect_picked()) == MOST_PICKED
