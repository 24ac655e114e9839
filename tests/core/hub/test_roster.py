"""The roster: who has which living items."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.hub.roster import Item, Roster
from core.hub.store import HubNote, StoreLimits, StoreStats
from core.rollouts.types import PeerId
from core.wire.codec import AUTHOR_SLOTS, ITEM_LIFE_S

LIMITS = StoreLimits(bytes=1_000, items=40)
PEERS = [PeerId(f"{number:064x}") for number in range(6)]

arrivals = st.lists(
    st.tuples(
        st.sampled_from(["meadow", "orchard"]),
        st.sampled_from(PEERS),
        st.integers(1, 200),
        st.sampled_from("abc"),
    ),
    max_size=120,
)


@given(arrivals, st.integers(0, 120), st.integers(0, 64), st.integers())
def test_the_books_always_balance(
    arrived: list[tuple[str, PeerId, int, str]], expire: int, k: int, seed: int
) -> None:
    """Whatever comes and goes: totals, peers and draws agree with a naive list of what is alive."""
    roster = Roster(LIMITS, Random(seed))
    alive: dict[int, Item] = {}
    for number, (swarm, author, size, place) in enumerate(arrived):
        item = alive[number] = Item(number, swarm, author, float(number), size, place)
        for gone in roster.add(item):
            del alive[gone]
    for gone in roster.expire(expire + ITEM_LIFE_S):
        assert alive.pop(gone).received < expire

    sizes = [item.size for item in alive.values()]
    living = {(item.swarm, item.author) for item in alive.values()}
    assert roster.stats() == StoreStats(len(living), len(alive), sum(sizes))
    assert sum(sizes) <= LIMITS.bytes
    assert len(alive) <= LIMITS.items
    for swarm in ("meadow", "orchard"):
        mine = {n for n, i in alive.items() if i.swarm == swarm and i.author != PEERS[0]}
        drawn = roster.draw(swarm, k, PEERS[0])
        assert len(set(drawn)) == len(drawn) == min(k, len(mine))
        assert {number for number, _ in drawn} <= mine
        assert roster.peers(swarm, PEERS[0]) == len({alive[n].author for n in mine})


def test_a_clock_that_was_set_back_keeps_nothing_for_longer() -> None:
    """Neither what came before that nor, as that stands before it, what comes afterwards."""
    roster = Roster(StoreLimits(), Random(1))
    for number in (1, 2):
        roster.add(Item(number, "meadow", PEERS[0], 5_000.0 + number, 1))
        roster.leave("meadow", HubNote(PEERS[0], PEERS[number], b"thanks"), 5_000.0 + number)
    roster.add(Item(3, "meadow", PEERS[0], 1_000.0, 1))
    roster.leave("meadow", HubNote(PEERS[0], PEERS[3], b"thanks"), 1_000.0)
    roster.add(Item(4, "meadow", PEERS[0], 1_001.0, 1))
    assert roster.expire(1_000.0 + ITEM_LIFE_S) == []
    assert len(roster.collect("meadow", PEERS[0])) == 3
    assert roster.expire(1_000.5 + ITEM_LIFE_S) == [1, 2, 3]
    assert roster.collect("meadow", PEERS[0]) == ()


def test_a_clock_that_was_set_back_is_noticed_though_nothing_comes() -> None:
    """Whatever is asked first finds all as old as the clock can tell."""
    roster = Roster(StoreLimits(), Random(1))
    roster.add(Item(1, "meadow", PEERS[0], 5_000.0, 1))
    roster.leave("meadow", HubNote(PEERS[0], PEERS[1], b"thanks"), 5_000.0)
    assert roster.expire(1_000.0) == []
    assert roster.expire(1_000.5 + ITEM_LIFE_S) == [1]
    assert roster.collect("meadow", PEERS[0]) == ()


def test_an_author_displaces_its_own_oldest() -> None:
    """Item by item, once the slots are full."""
    roster = Roster(StoreLimits(), Random(1))
    removed = [
        gone
        for number in range(AUTHOR_SLOTS + 3)
        for gone in roster.add(Item(number, "meadow", PEERS[0], 0.0, 1))
    ]
    assert removed == [0, 1, 2]


def test_an_item_that_can_never_fit_is_gone_at_once() -> None:
    """A store smaller than one envelope stays empty instead of failing."""
    roster = Roster(StoreLimits(bytes=10), Random(1))
    assert roster.add(Item(1, "meadow", PEERS[0], 0.0, 11)) == [1]
    assert roster.stats() == StoreStats(0, 0, 0)


@pytest.mark.parametrize(
    ("hostile", "size", "limits"),
    [
        (1, 60_000, StoreLimits(bytes=1_000_000)),
        (5, 60_000, StoreLimits(bytes=1_000_000)),
        (5, 1, StoreLimits(bytes=1_000_000, items=400)),
    ],
    ids=["one place", "five places", "tiny items"],
)
def test_whoever_fills_the_store_displaces_itself(
    hostile: int, size: int, limits: StoreLimits
) -> None:
    """Not those who leave little, however old that is, and under whatever names it comes."""
    roster = Roster(limits, Random(1))
    for number in range(20):
        assert roster.add(Item(number, "meadow", PEERS[0], 0.0, 2_000, f"home{number}")) == []
    gone = []
    for number in range(20, 2_000):
        swarm, author = f"junk{number % 300}", PeerId(f"{number % 64:064x}")
        place = f"bad{number % hostile}"
        gone += roster.add(Item(number, swarm, author, float(number), size, place))
    assert gone == list(range(20, 20 + len(gone)))
    assert len(gone) > 1_000
    assert len(roster.draw("meadow", 64, PEERS[1])) == 20


def test_of_places_that_take_as_much_the_oldest_item_goes() -> None:
    """Nobody is pushed out for a name."""
    roster = Roster(StoreLimits(items=3), Random(1))
    places = ["b", "c", "a", "d", "b"]
    removed = [
        gone
        for number, place in enumerate(places)
        for gone in roster.add(Item(number, "meadow", PEERS[number], 0.0, 10, place))
    ]
    assert removed == [0, 1]


def test_all_notes_are_one_share() -> None:
    """Where they take more than any place, the oldest note goes; only items have numbers."""
    roster = Roster(StoreLimits(bytes=200_000), Random(1))
    notes = [HubNote(PEERS[0], sender, b"x" * 50_000) for sender in PEERS[1:5]]
    assert roster.add(Item(1, "meadow", PEERS[0], 1.0, 100)) == []
    for note in notes:
        assert roster.leave("meadow", note, 2.0) == []
    assert roster.collect("meadow", PEERS[0]) == tuple(note.data for note in notes[1:])
    assert roster.add(Item(2, "meadow", PEERS[0], 3.0, 100_000)) == [1]
    assert roster.collect("meadow", PEERS[0]) == tuple(note.data for note in notes[2:])
    assert roster.stats() == StoreStats(1, 1, 200_000)


def test_a_note_that_can_never_fit_is_gone_at_once() -> None:
    """It displaces what is older, as the newest may, and then itself."""
    roster = Roster(StoreLimits(bytes=10), Random(1))
    assert roster.leave("meadow", HubNote(PEERS[0], PEERS[1], b"x" * 11), 1.0) == []
    assert roster.stats() == StoreStats(0, 0, 0)


def test_who_is_there_is_known() -> None:
    """In each swarm for itself."""
    roster = Roster(StoreLimits(), Random(1))
    roster.add(Item(1, "meadow", PEERS[0], 1.0, 1))
    assert roster.has("meadow", PEERS[0])
    assert not roster.has("meadow", PEERS[1])
    assert not roster.has("orchard", PEERS[0])
