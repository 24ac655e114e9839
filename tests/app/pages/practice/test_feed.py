"""What is kept of the puzzles that pass by."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from app.pages.practice.feed import MOST, Feed
from tests.app.pages.practice.samples import PEER, own_puzzle, peer_puzzle, shared_puzzle


def test_the_newest_is_on_top_and_the_oldest_goes() -> None:
    """However long it runs, only so many are kept."""
    feed = Feed()
    for number in range(2 * MOST):
        feed = feed.take(own_puzzle(number))
    assert [puzzle.round for puzzle in feed.shown] == list(range(2 * MOST - 1, MOST - 1, -1))


def test_held_still_nothing_moves_and_nothing_new_is_lost() -> None:
    """What comes meanwhile waits, and is on top once it goes on."""
    feed = Feed().take(own_puzzle(1)).hold().take(own_puzzle(2)).take(own_puzzle(3))
    assert [puzzle.round for puzzle in feed.shown] == [1]
    assert [puzzle.round for puzzle in feed.go_on().shown] == [3, 2, 1]
    assert not feed.go_on().is_held


def test_nothing_of_a_blocked_peer_stays() -> None:
    """Its puzzles go, whether shown or waiting; own answers to a shared one stay."""
    feed = Feed().take(own_puzzle(1)).take(peer_puzzle(2)).take(shared_puzzle(3))
    feed = feed.hold().take(peer_puzzle(4)).take(peer_puzzle(5, "c" * 64)).without({PEER})
    assert [puzzle.round for puzzle in feed.shown] == [3, 1]
    assert (feed.shown[0].peer, feed.shown[0].theirs) == ("", ())
    assert feed.shown[0].own
    assert [puzzle.round for puzzle in feed.waiting] == [5]


def test_one_cell_alone_can_be_kept() -> None:
    """Of what is shown and of what waits; it goes on then."""
    at_two = replace(own_puzzle(3), level=2)
    feed = Feed().take(own_puzzle(1)).take(at_two).hold().take(peer_puzzle(4))
    feed = feed.take(replace(own_puzzle(5), level=2)).only("gcd", 2)
    assert [puzzle.round for puzzle in feed.shown] == [5, 3]
    assert not feed.is_held


@given(st.lists(st.sampled_from(["take", "hold", "go on", "block"]), max_size=200))
def test_it_is_bounded_whatever_happens(steps: list[str]) -> None:
    """No order of events lets it grow."""
    feed = Feed()
    for number, step in enumerate(steps):
        match step:
            case "take":
                feed = feed.take(shared_puzzle(number))
            case "hold":
                feed = feed.hold()
            case "go on":
                feed = feed.go_on()
            case _:
                feed = feed.without({PEER})
        assert max(len(feed.shown), len(feed.waiting)) <= MOST
        assert feed.is_held or not feed.waiting
