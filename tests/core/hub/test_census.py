"""What a hub can say of its swarms."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.hub.census import BUSY_S, MOST_SWARMS, Census, SwarmView, View, Word
from core.hub.page import MOST_SHOWN
from core.rollouts.types import PeerId
from core.wire.codec import ITEM_LIFE_S
from tests.envelopes import ANNE, BOB, CAROL, FakeClock

PRIVATE = "p-" + "0" * 32
HERE, THERE = "192.0.2.0/24", "198.51.100.0/24"
A_GROUP = Word(1, None)


def test_a_swarm_is_its_nodes_their_pace_and_their_word() -> None:
    """Each node counts once, with what it said last; silence about the score is no zero."""
    clock = FakeClock(0)
    census = Census(clock)
    for who, groups, score in ((ANNE, 8, 0.1), (BOB, 8, None), (CAROL, 4, 0.3), (ANNE, 8, 0.2)):
        census.hear("meadow", who.peer_id, HERE, Word(groups, score))
        clock.advance(1)
    (view,) = census.view().swarms
    assert view == SwarmView("meadow", 3, 28, 0.25)


def test_who_is_silent_is_gone() -> None:
    """Groups of the last minutes make the pace, nodes leave with their last item."""
    clock = FakeClock(0)
    census = Census(clock)
    census.hear("meadow", ANNE.peer_id, HERE, Word(8, 0.1))
    clock.advance(BUSY_S + 10)
    assert census.view().swarms == (SwarmView("meadow", 1, 0, 0.1),)
    clock.advance(ITEM_LIFE_S)
    assert census.view() == View((), 0)


def test_the_largest_swarm_comes_first_and_private_ones_have_no_name() -> None:
    """How many there are is no secret."""
    census = Census(FakeClock(0))
    census.hear("alone", ANNE.peer_id, HERE, A_GROUP)
    census.hear(PRIVATE, ANNE.peer_id, HERE, Word(1, 0.9))
    for who in (ANNE, BOB):
        census.hear("meadow", who.peer_id, HERE, A_GROUP)
    view = census.view()
    assert [swarm.name for swarm in view.swarms] == ["meadow", "alone"]
    assert view.private == 1


def test_a_flood_of_swarms_and_authors_is_bounded() -> None:
    """Names are free: what is remembered ends, and the latest has its room."""
    census = Census(FakeClock(0))
    for number in range(MOST_SWARMS + 50):
        census.hear(f"s{number}", PeerId(str(number)), HERE, A_GROUP)
        assert len(census.names()) <= MOST_SWARMS
    assert f"s{MOST_SWARMS + 49}" in census.names()


@pytest.mark.parametrize("keys", [1, 64])
def test_made_up_swarms_do_not_push_a_real_one_away(keys: int) -> None:
    """Whether one key brings them or many: of an address they have one vote all together.

    The real one stays first among those shown and last among those told to the DHT, though it was
    heard before them all.
    """
    census = Census(FakeClock(0))
    for who in (BOB, CAROL):
        census.hear("meadow", who.peer_id, HERE, A_GROUP)
    for number in range(3 * MOST_SWARMS):
        census.hear(f"a{number}", PeerId(str(number % keys)), THERE, Word(64, 0.99))
    assert census.view().swarms[0].name == "meadow"
    assert census.names()[-1] == "meadow"


def test_one_address_has_fewer_votes_than_two() -> None:
    """However many keys it has in one swarm; and who moves on has no second vote while alive."""
    census = Census(FakeClock(0))
    for number in range(256):
        census.hear("loud", PeerId(str(number)), THERE, A_GROUP)
    for place in (THERE, "203.0.113.0/24", "192.0.2.9"):
        census.hear("loud", PeerId("0"), place, A_GROUP)
    census.hear("meadow", BOB.peer_id, HERE, A_GROUP)
    census.hear("meadow", CAROL.peer_id, "192.0.2.8", A_GROUP)
    assert [(one.name, one.nodes) for one in census.view().swarms] == [("meadow", 2), ("loud", 256)]


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 9), st.integers(0, 99)), max_size=300))
def test_few_places_bring_few_swarms_ahead(left: list[tuple[int, int, int]]) -> None:
    """Five of them, ten keys at each, in up to a hundred swarms: at most five before a real one."""
    census = Census(FakeClock(0))
    census.hear("meadow", ANNE.peer_id, HERE, A_GROUP)
    for place, key, swarm in left:
        census.hear(f"a{swarm}", PeerId(f"{place} {key}"), str(place), A_GROUP)
    names = [one.name for one in census.view().swarms]
    assert names.index("meadow") <= 5 < MOST_SHOWN


def test_a_score_is_a_median_over_places() -> None:
    """So that many keys at one address are one voice."""
    census = Census(FakeClock(0))
    for number in range(64):
        census.hear("meadow", PeerId(str(number)), THERE, Word(1, 1.0))
    for who, place, score in ((ANNE, HERE, 0.25), (BOB, "192.0.2.8", 0.5)):
        census.hear("meadow", who.peer_id, place, Word(1, score))
    (view,) = census.view().swarms
    assert view.score == 0.5


def test_private_swarms_are_no_more_than_their_places() -> None:
    """Anybody makes up secrets."""
    census = Census(FakeClock(0))
    for number in range(100):
        census.hear(f"p-{number:032x}", ANNE.peer_id, HERE, A_GROUP)
    census.hear("p-" + "f" * 32, BOB.peer_id, THERE, A_GROUP)
    assert census.view().private == 2


def test_a_silent_swarm_is_still_told_while_there_is_room() -> None:
    """Those who come back later look for their hub by its name."""
    clock = FakeClock(0)
    census = Census(clock)
    census.hear("meadow", ANNE.peer_id, HERE, A_GROUP)
    clock.advance(ITEM_LIFE_S + 1)
    assert census.names() == ["meadow"]
    assert census.view() == View((), 0)


def test_visitors_are_counted_in_all_swarms() -> None:
    """Private ones, too, until their items are gone; nobody counts twice."""
    clock = FakeClock(0)
    census = Census(clock)
    assert census.visitors() == 0
    census.hear("meadow", ANNE.peer_id, HERE, A_GROUP)
    census.hear(PRIVATE, BOB.peer_id, HERE, A_GROUP)
    census.hear("meadow", BOB.peer_id, HERE, A_GROUP)
    assert census.visitors() == 2
    clock.advance(ITEM_LIFE_S + 1)
    assert census.visitors() == 0
