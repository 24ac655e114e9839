"""Many draws and merges at once: the same as the product's own, one by one."""

from collections.abc import Callable
from random import Random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.hub.roster import Item, Roster
from core.hub.store import StoreLimits
from core.lab.scale.draws import NOTHING, Ints, compact, draw_distinct, merge_rows
from core.rollouts.types import Completion, ModelId, PeerId, PuzzleKey, RolloutGroup, TaskId
from core.swarm.exchange.merging import merge
from core.swarm.exchange.validation import PeerRollout

KEY = PuzzleKey(TaskId("adding"), 1, 0, 0)
CHI_SQUARE_59_P001 = 87.2


def received(label: int) -> PeerRollout:
    texts = (Completion("1", ended=True), Completion("2", ended=True))
    return PeerRollout(RolloutGroup(KEY, "", PeerId("a"), ModelId("m"), 1, texts), label)


def once() -> Callable[[PeerRollout], bool]:
    seen: set[int] = set()

    def take(one: PeerRollout) -> bool:
        fresh = one.sequence not in seen
        seen.add(one.sequence)
        return fresh

    return take


@given(st.integers(0, 300), st.integers(1, 20), st.integers(0, 2**32 - 1))
def test_a_draw_is_of_distinct_others(size: int, k: int, seed: int) -> None:
    """As many as there are, up to k; nobody draws itself, and who is not there may draw."""
    rng = np.random.default_rng(seed)
    own = rng.integers(-1, max(1, size), 30)
    if size == 0:
        own[:] = NOTHING
    for row, mine in zip(draw_distinct(rng, size, k, own).tolist(), own.tolist(), strict=True):
        drawn = [one for one in row if one != NOTHING]
        assert len(row) == k
        assert len(set(drawn)) == len(drawn) == min(k, size - (mine != NOTHING))
        assert mine not in drawn or mine == NOTHING
        assert all(0 <= one < size for one in drawn)


def test_draws_are_as_uniform_as_those_of_a_real_roster() -> None:
    """60 authors, 2,000 draws of 16 by each: one chi-square cannot tell the two apart."""
    roster = Roster(StoreLimits(), Random(1))
    names = [PeerId(f"{number:064x}") for number in range(60)]
    for number in range(600):  # some are ten times as loud
        author = names[number % 60 if number < 300 else number % 6]
        roster.add(Item(number, "meadow", author, float(number), 100))
    owner = {number: names.index(roster._items[number].author) for number in roster._items}  # noqa: SLF001 - whose each is
    real = np.zeros(60)
    for _ in range(2_000):
        for number, _ in roster.draw("meadow", 16, PeerId("nobody")):
            real[owner[number]] += 1
    drawn = draw_distinct(np.random.default_rng(1), 60, 16, np.full(2_000, NOTHING))
    simulated = np.bincount(drawn.ravel(), minlength=60)
    assert real.sum() == simulated.sum() == 32_000
    assert float(((real - simulated) ** 2 / (real + simulated)).sum()) < CHI_SQUARE_59_P001


def test_the_sparse_way_is_uniform_too() -> None:
    """1,000 authors: drawing again what came twice favours nobody."""
    drawn = draw_distinct(np.random.default_rng(2), 1_000, 16, np.full(20_000, NOTHING))
    counts = np.bincount(drawn.ravel(), minlength=1_000)
    assert abs(counts - 320).max() < 5 * 320**0.5


rows_of_offers = st.lists(
    st.one_of(st.none(), st.lists(st.integers(0, 12), max_size=8)), min_size=3, max_size=3
)


@given(st.lists(rows_of_offers, min_size=1, max_size=5), st.integers(1, 7))
def test_merging_all_nodes_at_once_is_merging_each(
    nodes: list[list[list[int] | None]], want: int
) -> None:
    """Whatever came from whom, twice or short, the same labels in the same order."""
    offers = np.full((len(nodes), 3, 8), NOTHING)
    for row, node in enumerate(nodes):
        for place, offer in enumerate(node):
            offers[row, place, : len(offer or ())] = offer or ()
    answered = np.array([[offer is not None for offer in node] for node in nodes])
    merged = merge_rows(offers, answered, want)
    for node, labels in zip(nodes, merged.labels.tolist(), strict=True):
        made = [[received(label) for label in offer] for offer in node if offer is not None]
        one_by_one = [one.sequence for one in merge(made, want, once())]
        assert [label for label in labels if label != NOTHING] == one_by_one


def test_a_merge_says_what_came_from_whom() -> None:
    """No more than half from one, and each label next to its source."""
    offers: Ints = np.array([[[1, 2, 3, 4], [5, 6, 7, 8]]])
    merged = merge_rows(offers, np.array([[True, True]]), 4)
    assert merged.labels.tolist() == [[1, 5, 2, 6]]
    assert merged.sources.tolist() == [[0, 1, 0, 1]]


def test_gaps_go_to_the_end() -> None:
    """The rest keeps its order."""
    assert compact(np.array([[NOTHING, 3, NOTHING, 1]])).tolist() == [[3, 1, NOTHING, NOTHING]]
