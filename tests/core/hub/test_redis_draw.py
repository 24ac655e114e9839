"""The decisions of a draw; that it is fair on the whole is in ``test_store_conformance.py``."""

from collections import Counter
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from core.hub.redis_draw import Hand, deal, line_up, seat
from core.wire.codec import AUTHOR_SLOTS

counts = st.lists(st.integers(0, 40), min_size=1, max_size=16)
hands = st.lists(st.integers(1, AUTHOR_SLOTS), max_size=20).map(
    lambda sizes: [
        Hand(b"meadow/%d" % who, [b"%d/1" % n for n in range(size)])
        for who, size in enumerate(sizes)
    ]
)


@given(counts, st.integers(0, 64), st.integers())
def test_no_shard_gets_more_seats_than_authors(counts: list[int], k: int, seed: int) -> None:
    """One seat more than wanted, for the asker; none if everybody is needed anyway."""
    seats = seat(counts, k, Random(seed))
    assert len(seats) == (k + 1 if sum(counts) > k else 0)
    assert all(taken <= counts[shard] for shard, taken in Counter(seats).items())


def test_seats_follow_the_number_of_authors() -> None:
    """A shard with three times as many authors is asked three times as often (3 sigma)."""
    rng = Random(1)
    seats = Counter(shard for _ in range(2_000) for shard in seat([10, 0, 30], 4, rng))
    assert seats[1] == 0
    assert abs(seats[2] - 7_500) < 130


@given(st.lists(st.integers(0, 3), max_size=12), st.integers())
def test_hands_take_their_shards_seats(seats: list[int], seed: int) -> None:
    """In the order of the seats; where a shard had fewer than it was asked for, a seat is empty."""
    given_hands = {
        shard: [Hand(b"%d/%d" % (shard, n), [b"1/1"]) for n in range(min(2, seats.count(shard)))]
        for shard in range(4)
    }
    lined_up = line_up(seats, given_hands, Random(seed))
    assert [int(hand.who[:1]) for hand in lined_up] == [
        shard for place, shard in enumerate(seats) if seats[:place].count(shard) < 2
    ]


@given(hands, st.integers(0, 80), st.integers())
def test_everybody_gives_once_before_anybody_gives_twice(
    hands: list[Hand], k: int, seed: int
) -> None:
    """Distinct items, as many as wanted or all; shares differ only where somebody ran out."""
    names = deal(hands, k, Random(seed))
    whole = {hand.who + b"/" + tail for hand in hands for tail in hand.tails}
    assert len(set(names)) == len(names) == min(k, len(whole))
    assert set(names) <= whole
    shares = Counter(name.rsplit(b"/", 2)[0] for name in names)
    for hand in hands:
        ran_out = shares[hand.who] == len(hand.tails)
        assert ran_out or shares[hand.who] >= max(shares.values(), default=0) - 1
