"""The decisions of a draw; that it is fair on the whole is in ``test_store_conformance.py``."""

from collections import Counter
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from core.hub.redis_turns import AuthorItems, draw_items, draw_shards
from core.wire.codec import AUTHOR_SLOTS

counts = st.lists(st.integers(0, 40), min_size=1, max_size=16)
sizes = st.lists(st.lists(st.integers(1, AUTHOR_SLOTS), min_size=1, max_size=5), max_size=12)


def items_by_place(sizes: list[list[int]]) -> list[list[AuthorItems]]:
    """By place, authors with so many items each."""
    return [
        [
            AuthorItems(b"meadow/%x/%x" % (place, who), [b"%d/1" % n for n in range(size)])
            for who, size in enumerate(of_place)
        ]
        for place, of_place in enumerate(sizes)
    ]


@given(counts, st.integers(0, 64), st.integers())
def test_no_shard_is_drawn_more_often_than_it_has_places(
    counts: list[int], k: int, seed: int
) -> None:
    """One place more than wanted, for the asker; none if every place is needed anyway."""
    drawn = draw_shards(counts, k, Random(seed))
    assert len(drawn) == (k + 1 if sum(counts) > k else 0)
    assert all(taken <= counts[shard] for shard, taken in Counter(drawn).items())


def test_draws_follow_the_number_of_places() -> None:
    """A shard with three times as many places is asked three times as often (3 sigma)."""
    rng = Random(1)
    drawn = Counter(shard for _ in range(2_000) for shard in draw_shards([10, 0, 30], 4, rng))
    assert drawn[1] == 0
    assert abs(drawn[2] - 7_500) < 130


def shares(names: list[bytes], parts: int) -> Counter[bytes]:
    """How many names begin alike, in so many parts."""
    return Counter(b"/".join(name.split(b"/")[:parts]) for name in names)


@given(sizes, st.integers(0, 80), st.integers())
def test_all_places_take_turns_and_so_do_the_authors_of_each(
    sizes: list[list[int]], k: int, seed: int
) -> None:
    """Distinct items, as many as wanted or all; shares differ only where somebody ran out."""
    items = items_by_place(sizes)
    names = draw_items(items, k, Random(seed))
    whole = {own.whose + b"/" + tail for given in items for own in given for tail in own.tails}
    assert len(set(names)) == len(names) == min(k, len(whole))
    assert set(names) <= whole
    by_place, by_author = shares(names, 2), shares(names, 3)
    for place, (authors, of_place) in enumerate(zip(items, sizes, strict=True)):
        share = by_place[b"meadow/%x" % place]
        assert share == sum(of_place) or share >= max(by_place.values(), default=0) - 1
        most = max(by_author[own.whose] for own in authors)
        for own in authors:
            assert by_author[own.whose] in (len(own.tails), most, most - 1)
