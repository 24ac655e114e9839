"""The gate for envelopes from outside."""

import gc
from itertools import islice
from random import Random

import psutil
import pytest

from core.swarm import screen as screen_module
from core.swarm.screen import Screen
from core.wire.codec import Reason
from core.wire.envelope import seal
from tests.envelopes import (
    ANNE,
    BOB,
    CAROL,
    NOW,
    RULESET,
    SWARM,
    group,
    hostile_envelopes,
    sealed,
    stamp,
)


def anne_screens() -> Screen:
    return Screen(ANNE.peer_id, SWARM, RULESET)


def test_good_envelopes_of_others_pass() -> None:
    """With author, round and answers as they were sealed."""
    screen = anne_screens()
    (received,) = screen.open_all([sealed(BOB, 3)], NOW)
    assert received.group == group(BOB.peer_id, 3)
    assert screen.take(received)
    assert not screen.rejected


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"junk", Reason.SCHEMA),
        (bytes(100_000), Reason.SIZE),
        (sealed(ANNE, 1), Reason.OWN),
        (sealed(BOB, 1, NOW - 601), Reason.CLOCK),
        (sealed(BOB, 1)[:-1] + b"\xc2", Reason.DIGEST),
        (seal(BOB, group(BOB.peer_id), stamp(1, swarm="orchard")), Reason.SWARM),
        (seal(BOB, group(BOB.peer_id), stamp(1, ruleset="puzzles-2")), Reason.RULESET),
    ],
)
def test_others_are_counted_by_reason(data: bytes, reason: Reason) -> None:
    """One bad envelope does not keep out a good one beside it."""
    screen = anne_screens()
    assert len(screen.open_all([data, sealed(CAROL, 1)], NOW)) == 1
    assert screen.rejected == {reason: 1}


def test_an_envelope_is_used_once() -> None:
    """A second copy is refused, whichever way it comes."""
    screen = anne_screens()
    first, second = screen.open_all([sealed(BOB, 3), sealed(BOB, 3)], NOW)
    assert [screen.take(first), screen.take(second)] == [True, False]
    (again,) = screen.open_all([sealed(BOB, 3)], NOW + 60)
    assert not screen.take(again)
    assert screen.rejected == {Reason.REPLAYED: 2}


def test_the_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """The envelope seen longest ago is forgotten first."""
    monkeypatch.setattr(screen_module, "MOST_SEEN", 3)
    screen = anne_screens()
    received = screen.open_all([sealed(BOB, n) for n in range(1, 6)], NOW)
    assert all(screen.take(one) for one in received)
    assert len(screen._seen) == 3  # noqa: SLF001 - memory is what is tested
    assert not screen.take(received[-1])
    assert screen.take(received[0])


def test_ten_thousand_attacks_on_a_node() -> None:
    """None passes, nothing raises, and memory grows by less than 20 MB."""
    screen = anne_screens()
    source = hostile_envelopes(BOB, Random(3))
    assert screen.open_all(islice(source, 1_000), NOW) == []
    gc.collect()
    before = psutil.Process().memory_info().rss
    for _ in range(10):
        assert screen.open_all(islice(source, 1_000), NOW) == []
    gc.collect()
    assert psutil.Process().memory_info().rss - before < 20 << 20
    assert screen.rejected.total() == 11_000
