"""What a hub can say of its swarms."""

from core.hub.census import BUSY_S, MOST_SWARMS, Census, SwarmView, View
from core.rollouts.types import PeerId
from core.wire.codec import ITEM_LIFE_S
from tests.envelopes import ANNE, BOB, CAROL, FakeClock

PRIVATE = "p-" + "0" * 32


def test_a_swarm_is_its_nodes_their_pace_and_their_word() -> None:
    """Each node counts once, with what it said last; silence about the score is no zero."""
    clock = FakeClock(0)
    census = Census(clock)
    for who, groups, score in ((ANNE, 8, 0.1), (BOB, 8, None), (CAROL, 4, 0.3), (ANNE, 8, 0.2)):
        census.hear("meadow", who.peer_id, groups, score)
        clock.advance(1)
    (view,) = census.view().swarms
    assert view == SwarmView("meadow", 3, 28, 0.25)


def test_who_is_silent_is_gone() -> None:
    """Groups of the last minutes make the pace, nodes leave with their last item."""
    clock = FakeClock(0)
    census = Census(clock)
    census.hear("meadow", ANNE.peer_id, 8, 0.1)
    clock.advance(BUSY_S + 10)
    assert census.view().swarms == (SwarmView("meadow", 1, 0, 0.1),)
    clock.advance(ITEM_LIFE_S)
    assert census.view() == View((), 0)


def test_the_largest_swarm_comes_first_and_private_ones_have_no_name() -> None:
    """How many there are is no secret."""
    census = Census(FakeClock(0))
    census.hear("alone", ANNE.peer_id, 1, None)
    census.hear(PRIVATE, ANNE.peer_id, 1, 0.9)
    for who in (ANNE, BOB):
        census.hear("meadow", who.peer_id, 1, None)
    view = census.view()
    assert [swarm.name for swarm in view.swarms] == ["meadow", "alone"]
    assert view.private == 1


def test_a_flood_of_swarms_and_authors_is_bounded() -> None:
    """Names are free; the latest stay."""
    census = Census(FakeClock(0))
    for number in range(MOST_SWARMS + 50):
        census.hear(f"s{number}", PeerId(str(number)), 1, None)
    names = {swarm.name for swarm in census.view().swarms}
    assert len(names) == MOST_SWARMS
    assert f"s{MOST_SWARMS + 49}" in names


def test_visitors_are_counted_in_all_swarms() -> None:
    """Private ones, too, until their items are gone."""
    clock = FakeClock(0)
    census = Census(clock)
    assert census.visitors() == 0
    census.hear("meadow", ANNE.peer_id, 8, None)
    census.hear(PRIVATE, BOB.peer_id, 8, None)
    census.hear(PRIVATE, BOB.peer_id, 8, None)
    assert census.visitors() == 2
    clock.advance(ITEM_LIFE_S + 1)
    assert census.visitors() == 0
