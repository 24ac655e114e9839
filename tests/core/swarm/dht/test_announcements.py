"""When announcements are due."""

from random import Random

import pytest

from core.swarm.dht.announcements import MOST_SWARMS, Announcements

ONE, TWO = b"1" * 20, b"2" * 20


def test_an_announcement_is_due_at_once_and_then_every_quarter_of_an_hour() -> None:
    """Give or take a tenth, so that nodes started together do not stay together."""
    announcements = Announcements(900, Random(1))
    announcements.put(ONE, 4444)
    assert announcements.due(100) == [(ONE, 4444)]
    assert announcements.due(100 + 809) == []
    assert announcements.due(100 + 991) == [(ONE, 4444)]
    assert announcements.due(100 + 992) == []


def test_a_new_port_replaces_the_old_one_at_once() -> None:
    """Nobody is sent to the old one for another quarter of an hour."""
    announcements = Announcements(900, Random(1))
    announcements.put(ONE, 4444)
    announcements.due(0)
    announcements.put(ONE, 5555)
    assert announcements.due(1) == [(ONE, 5555)]


def test_port_zero_ends_it() -> None:
    """Others go on; ending what never began is no error."""
    announcements = Announcements(900, Random(1))
    announcements.put(ONE, 4444)
    announcements.put(TWO, 4445)
    announcements.put(ONE, 0)
    announcements.put(b"3" * 20, 0)
    assert announcements.due(0) == [(TWO, 4445)]


def test_after_a_new_start_all_are_due() -> None:
    """Whoever was told may be out of reach now."""
    announcements = Announcements(900, Random(1))
    announcements.put(ONE, 4444)
    announcements.due(0)
    announcements.start_over()
    assert announcements.due(1) == [(ONE, 4444)]


@pytest.mark.parametrize("port", [-1, 65_536])
def test_what_is_no_port_is_refused_and_changes_nothing(port: int) -> None:
    """Some other one would be announced in its place."""
    announcements = Announcements(900, Random(1))
    announcements.put(ONE, 4444)
    with pytest.raises(ValueError, match="port"):
        announcements.put(ONE, port)
    assert announcements.due(0) == [(ONE, 4444)]


def test_the_number_of_swarms_is_bounded() -> None:
    """At the limit a known one can still change its port."""
    announcements = Announcements(900, Random(1))
    for n in range(MOST_SWARMS):
        announcements.put(bytes([n]) * 20, 4444)
    with pytest.raises(ValueError, match="swarms"):
        announcements.put(b"x" * 20, 4444)
    announcements.put(bytes(20), 5555)
    assert len(announcements.due(0)) == MOST_SWARMS
