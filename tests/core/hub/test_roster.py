"""The roster: who has which living items."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from core.hub.roster import Item, Roster
from core.hub.store import HubNote, StoreLimits, StoreStats
from core.rollouts.types import PeerId
from core.wire.codec import AUTHOR_SLOTS

LIMITS = StoreLimits(bytes=1_000, items=40)
PEERS = [PeerId(f"{number:064x}") for number in range(6)]

arrivals = st.lists(
    st.tuples(st.sampled_from(["meadow", "orchard"]), st.sampled_from(PEERS), st.integers(1, 200)),
    max_size=120,
)


@given(arrivals, st.integers(0, 120), st.integers(0, 64), st.integers())
def test_the_books_always_balance(
    arrived: list[tuple[str, PeerId, int]], expire: int, k: int, seed: int
) -> None:
    """Whatever comes and goes: totals, peers and draws agree with a naive list of what is alive."""
    roster = Roster(LIMITS, Random(seed))
    alive: dict[int, Item] = {}
    for number, (swarm, author, size) in enumerate(arrived):
        item = alive[number] = Item(number, swarm, author, float(number), size)
        for gone in roster.add(item):
            del alive[gone]
    for gone in roster.expire(float(expire)):
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


def test_notes_and_items_make_room_by_age() -> None:
    """Under the limit of bytes whatever is oldest goes, and only items have numbers."""
    roster = Roster(StoreLimits(bytes=100), Random(1))
    note = HubNote(PEERS[0], PEERS[1], b"x" * 30)
    assert roster.add(Item(1, "meadow", PEERS[0], 1.0, 50)) == []
    assert roster.leave("meadow", note, 2.0) == []
    assert roster.add(Item(2, "meadow", PEERS[0], 3.0, 60)) == [1]
    assert roster.stats() == StoreStats(1, 1, 90)
    assert roster.add(Item(3, "meadow", PEERS[0], 4.0, 40)) == []
    assert roster.collect("meadow", PEERS[0]) == ()
    assert roster.stats() == StoreStats(1, 2, 100)


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
