"""The decisions of a draw; that it is fair on the whole is in ``test_store_conformance.py``."""

from collections import Counter
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from core.hub.redis_draw import Hand, deal, seat
from core.wire.codec import AUTHOR_SLOTS

counts = st.lists(st.integers(0, 40), min_size=1, max_size=16)
sizes = st.lists(st.lists(st.integers(1, AUTHOR_SLOTS), min_size=1, max_size=5), max_size=12)


def hands_of(sizes: list[list[int]]) -> list[list[Hand]]:
    """By place, the hands of authors with so many items each."""
    return [
        [
            Hand(b"meadow/%x/%x" % (place, who), [b"%d/1" % n for n in range(size)])
            for who, size in enumerate(of_place)
        ]
        for place, of_place in enumerate(sizes)
    ]


@given(counts, st.integers(0, 64), st.integers())
def test_no_shard_gets_more_seats_than_places(counts: list[int], k: int, seed: int) -> None:
    """One seat more than wanted, for the asker; none if every place is needed anyway."""
    seats = seat(counts, k, Random(seed))
    assert len(seats) == (k + 1 if sum(counts) > k else 0)
    assert all(taken <= counts[shard] for shard, taken in Counter(seats).items())


def test_seats_follow_the_number_of_places() -> None:
    """A shard with three times as many places is asked three times as often (3 sigma)."""
    rng = Random(1)
    seats = Counter(shard for _ in range(2_000) for shard in seat([10, 0, 30], 4, rng))
    assert seats[1] == 0
    assert abs(seats[2] - 7_500) < 130


def shares(names: list[bytes], parts: int) -> Counter[bytes]:
    """How many names begin alike, in so many parts."""
    return Counter(b"/".join(name.split(b"/")[:parts]) for name in names)


@given(sizes, st.integers(0, 80), st.integers())
def test_all_places_take_turns_and_so_do_the_authors_of_each(
    sizes: list[list[int]], k: int, seed: int
) -> None:
    """Distinct items, as many as wanted or all; shares differ only where somebody ran out."""
    hands = hands_of(sizes)
    names = deal(hands, k, Random(seed))
    whole = {hand.whose + b"/" + tail for given in hands for hand in given for tail in hand.tails}
    assert len(set(names)) == len(names) == min(k, len(whole))
    assert set(names) <= whole
    by_place, by_author = shares(names, 2), shares(names, 3)
    for place, (given_hands, of_place) in enumerate(zip(hands, sizes, strict=True)):
        share = by_place[b"meadow/%x" % place]
        assert share == sum(of_place) or share >= max(by_place.values(), default=0) - 1
        most = max(by_author[hand.whose] for hand in given_hands)
        for hand in given_hands:
            assert by_author[hand.whose] in (len(hand.tails), most, most - 1)
