"""Shares: who takes the most of a store."""

from hypothesis import given
from hypothesis import strategies as st

from core.hub.shares import Shares

Change = tuple[str, int] | int  # a place and a size that come, or which of the living ones goes

changes = st.tuples(st.sampled_from("abc"), st.integers(1, 4)) | st.integers(0, 50)


@given(st.lists(changes, max_size=120))
def test_the_largest_is_what_a_look_at_everything_finds(changes: list[Change]) -> None:
    """Whatever comes, and in whatever order it goes; of equals it is whose oldest came first."""
    alive: dict[int, tuple[str, int]] = {}
    shares = Shares(alive)
    for number, change in enumerate(changes):
        if isinstance(change, tuple):
            alive[number] = change
            shares.add(change[0], number, change[1])
        elif alive:
            shares.remove(*alive.pop(list(alive)[change % len(alive)]))
        taken = [
            (-sum(size for whose, size in alive.values() if whose == place), first)
            for place in "abc"
            if (first := next((n for n, one in alive.items() if one[0] == place), None)) is not None
        ]
        most, first = min(taken, default=(0, 0))
        assert shares.largest() == (-most, first)


def test_a_place_that_never_rests_takes_no_more_memory() -> None:
    """What is out of date is thrown away even if nobody asks who takes the most."""
    alive: dict[int, None] = {}
    shares = Shares(alive)
    for number in range(10_000):
        alive[number] = None
        shares.add("a", number, 1)
        if number >= 5:
            del alive[number - 5]
            shares.remove("a", 1)
    assert len(shares._largest_first) < 100  # noqa: SLF001 - memory is what is tested
    assert len(shares._by_place["a"].numbers) == 5  # noqa: SLF001 - the same
