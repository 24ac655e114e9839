"""Taking turns."""

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from core.hub.turns import shuffled, turns


@given(st.lists(st.integers(), unique=True, max_size=30), st.integers())
def test_a_shuffle_is_a_permutation(members: list[int], seed: int) -> None:
    """Everybody, each once."""
    assert sorted(shuffled(members, Random(seed))) == sorted(members)


def test_a_shuffle_cut_short_is_uniform() -> None:
    """Any two of six in order, equally often (chi-square, 29 df, p > 0.001)."""
    rng = Random(1)
    pairs = Counter(tuple(islice(shuffled(range(6), rng), 2)) for _ in range(3_000))
    assert len(pairs) == 30
    assert sum((n - 100) ** 2 / 100 for n in pairs.values()) < 58.4


def test_a_shuffle_looks_no_further_than_it_is_asked() -> None:
    """A draw of a few from many costs as much as from few."""

    class Counting(list[int]):
        looked = 0

        def __getitem__(self, index):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN204
            self.looked += 1
            return super().__getitem__(index)

    members = Counting(range(100_000))
    assert len(list(islice(shuffled(members, Random(1)), 5))) == 5
    assert members.looked == 5


@given(st.lists(st.integers(0, 8), max_size=12), st.integers(0, 60), st.integers())
def test_nobody_has_a_turn_more_than_who_still_has_something(
    sizes: list[int], k: int, seed: int
) -> None:
    """All of everybody in the end; before that, turns differ by one at most."""

    def give(member: int) -> Iterator[tuple[int, int]]:
        return ((member, nth) for nth in range(sizes[member]))

    taken = list(islice(turns(range(len(sizes)), give, Random(seed)), k))
    assert len(set(taken)) == len(taken) == min(k, sum(sizes))
    share = Counter(member for member, _ in taken)
    most = max(share.values(), default=0)
    assert all(share[m] in (size, most, most - 1) for m, size in enumerate(sizes))


def test_whose_turn_is_last_is_by_lot() -> None:
    """Three of four have a second turn, each of them equally often (chi-square, 3 df)."""
    rng = Random(2)
    second = Counter[int]()
    for _ in range(1_200):
        taken = list(islice(turns(range(4), lambda member: iter([member] * 2), rng), 7))
        second.update(taken[4:])
    assert sum((n - 900) ** 2 / 900 for n in second.values()) < 16.3
