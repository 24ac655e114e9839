"""What is kept of the swarm between rounds."""

from collections.abc import Sequence
from dataclasses import replace

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.rollouts.pool import PoolLimits, PoolState, RolloutPool
from core.rollouts.types import (
    Completion,
    ModelId,
    PeerId,
    PuzzleKey,
    Question,
    RolloutGroup,
    ScoredGroup,
    TaskId,
)

ANNE, BOB = PeerId("a" * 64), PeerId("b" * 64)


def scored(
    number: int, author: PeerId = ANNE, right: float = 1.0, round_number: int = 1
) -> ScoredGroup:
    """Two answers to a question that is not held out; flat if ``right`` is 0."""
    prompts = (f"{number}/{i}" for i in range(100))
    key = PuzzleKey(TaskId("t"), 1, number, 0)
    question = next(q for p in prompts if not (q := Question(key, p)).is_held_out)
    texts = (Completion(f"{number}", ended=True), Completion("?", ended=True))
    group = RolloutGroup(key, question.digest, author, ModelId("m"), round_number, texts)
    return ScoredGroup(question, group, (right, 0.0))


def numbers(pool: RolloutPool) -> list[int]:
    return [group.group.key.seed for group in pool]


def test_groups_wait_in_the_order_of_their_arrival() -> None:
    """What one round could not use, a later one finds."""
    pool = RolloutPool()
    pool.add([scored(1), scored(2)], 1)
    pool.add([scored(3)], 2)
    assert numbers(pool) == [1, 2, 3]
    assert len(pool) == 3


def test_flat_groups_take_no_room() -> None:
    """What teaches nothing is not kept."""
    pool = RolloutPool()
    pool.add([scored(1, right=0.0)], 1)
    assert len(pool) == 0


def test_groups_that_are_not_accepted_take_no_room() -> None:
    """And count as such that taught nothing, so that more of others is asked for."""
    pool, trusting = RolloutPool(), RolloutPool()
    one, other = scored(1), scored(2)
    pool.add([one, other], 1, lambda groups: [group for group in groups if group != other])
    trusting.add([one, other], 1)
    assert numbers(pool) == [1]
    assert pool.worth_asking_for(4) > trusting.worth_asking_for(4)


def test_what_was_accepted_is_kept_as_it_was_reduced() -> None:
    """And is known again, though some of its answers were left out."""
    pool = RolloutPool()
    pool.add([scored(1)], 1, lambda groups: [group.only([1, 0]) for group in groups])
    (kept,) = pool
    assert [completion.text for completion in kept.group.completions] == ["?", "1"]
    assert kept.rewards == (0.0, 1.0)
    pool.add([scored(1)], 1)
    assert len(pool) == 1
    pool.discard([kept])
    assert len(pool) == 0


def test_what_is_known_or_flat_is_not_asked_about() -> None:
    """Reading a group takes the whole model, and all new ones of a round are read at once."""
    asked: list[Sequence[ScoredGroup]] = []

    def accept(groups: Sequence[ScoredGroup]) -> Sequence[ScoredGroup]:
        asked.append(groups)
        return groups

    pool = RolloutPool()
    for _ in range(2):
        pool.add([scored(1), scored(2, right=0.0), scored(3)], 1, accept)
    assert asked == [(scored(1), scored(3))]


def test_old_groups_leave() -> None:
    """A group is kept for ``age`` rounds, counting the one that it arrived in."""
    pool = RolloutPool(PoolLimits(age=3))
    pool.add([scored(1)], 5)
    pool.expire(7)
    assert numbers(pool) == [1]
    pool.expire(8)
    assert numbers(pool) == []


def test_an_author_speaks_once_about_a_puzzle() -> None:
    """A second copy is refused, also as of another round, and after it was learnt from."""
    pool = RolloutPool()
    pool.add([scored(1), scored(1, round_number=2)], 1)
    assert numbers(pool) == [1]
    pool.discard(list(pool))
    assert len(pool) == 0
    pool.add([scored(1)], 2)
    assert len(pool) == 0


def test_other_answers_or_another_spelling_are_no_other_group() -> None:
    """Or a few edits would give one puzzle any weight; seed and index are one number."""
    first = scored(1)
    edited = first.only([0, 0, 1])
    key = replace(first.group.key, seed=0, index=1)
    respelt = replace(first, group=replace(first.group, key=key))
    pool = RolloutPool()
    pool.add([first, edited, respelt], 1)
    assert list(pool) == [first]


def test_the_same_answers_of_another_author_are_another_group() -> None:
    """Nobody can keep a peer's group out by sending it first."""
    pool = RolloutPool()
    pool.add([scored(1, ANNE), scored(1, BOB)], 1)
    assert len(pool) == 2


def test_a_loud_author_displaces_only_itself() -> None:
    """Beyond its share an author's oldest group makes room for its newest."""
    pool = RolloutPool(PoolLimits(groups=10, per_author=2))
    pool.add([scored(0, BOB), *(scored(i) for i in range(1, 6))], 1)
    assert numbers(pool) == [0, 4, 5]


def test_the_pool_is_bounded() -> None:
    """Whatever arrives, no more than the limits allow is kept or remembered."""
    pool = RolloutPool(PoolLimits(groups=5, remembered=20))
    pool.add([scored(i, PeerId(f"{i:064x}")) for i in range(200)], 1)
    assert numbers(pool) == [195, 196, 197, 198, 199]
    pool.discard(list(pool))
    pool.add([scored(185, PeerId(f"{185:064x}")), scored(1, PeerId(f"{1:064x}"))], 2)
    assert numbers(pool) == [1], "the newest are remembered, the oldest forgotten"


def test_discarding_what_is_not_there_is_harmless() -> None:
    """A used group may have aged out meanwhile."""
    pool = RolloutPool()
    pool.discard([scored(1)])
    assert len(pool) == 0


def test_at_first_one_of_two_is_thought_to_teach() -> None:
    """Before anything came, twice as many are worth asking for; for none, none."""
    pool = RolloutPool()
    assert [pool.worth_asking_for(groups) for groups in (0, 1, 4)] == [0, 2, 8]


@pytest.mark.parametrize(
    ("useful", "flat", "worth"), [(8, 0, 4), (4, 4, 8), (2, 6, 16), (1, 7, 32)]
)
def test_as_many_are_asked_for_as_bring_what_is_wanted(useful: int, flat: int, worth: int) -> None:
    """Where one of eight teaches, 32 are asked for so that four do."""
    pool = RolloutPool()
    for number in range(1, 30):
        start = 100 * number
        good = [scored(start + i) for i in range(useful)]
        pool.add([*good, *(scored(start + 50 + i, right=0.0) for i in range(flat))], number)
    assert pool.worth_asking_for(4) == pytest.approx(worth, abs=1)


def test_what_is_already_known_did_not_teach() -> None:
    """Where the same groups come again, more have to be asked for."""
    pool = RolloutPool()
    for number in range(1, 10):
        pool.add([scored(1), scored(2)], number)
    assert pool.worth_asking_for(4) > 20


def test_what_cannot_be_judged_came_all_the_same() -> None:
    """Where a node practises few kinds and others send all, more have to be asked for."""
    pool = RolloutPool()
    for number in range(1, 30):
        pool.add([scored(number)], number, offered=4)
    assert pool.worth_asking_for(4) == pytest.approx(16, abs=1)


def test_better_times_are_noticed_within_rounds() -> None:
    """A hundred rounds in which nothing taught do not outweigh three in which all did."""
    pool = RolloutPool()
    for number in range(1, 101):
        pool.add([scored(number, right=0.0)], number)
    for number in range(101, 104):
        pool.add([scored(10 * number + i) for i in range(8)], number)
    assert pool.worth_asking_for(4) <= 6


def test_silence_tells_nothing() -> None:
    """However long nobody else was there, the first to come is asked as at first."""
    pool = RolloutPool()
    for number in range(1, 5_000):
        pool.add([], number)
    assert pool.worth_asking_for(4) == 8


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 40)), max_size=30), st.integers(0, 16))
def test_never_fewer_are_asked_for_than_are_wanted(
    rounds: list[tuple[int, int]], wanted: int
) -> None:
    """Whatever came: a group that came counts at most once as one that taught."""
    pool = RolloutPool(PoolLimits(groups=4, remembered=8))
    for number, (useful, flat) in enumerate(rounds, 1):
        good = [scored(100 * number + i) for i in range(useful)]
        pool.add([*good, *(scored(i, right=0.0) for i in range(flat))], number)
    assert pool.worth_asking_for(wanted) >= wanted


def test_a_restored_pool_goes_on_as_the_one_before() -> None:
    """Also from JSON: what waits and since when, what is not taken again, how much teaches."""
    pool = RolloutPool(PoolLimits(age=3))
    pool.add([scored(1), scored(2), scored(3, right=0.0)], 1)
    pool.add([scored(4, BOB)], 2)
    pool.discard([scored(2)])
    pool.learnt = 1
    state = msgspec.json.decode(msgspec.json.encode(pool.snapshot()), type=PoolState)
    other = RolloutPool(PoolLimits(age=3))
    other.add([scored(9)], 1)
    other.restore(state)
    assert list(other) == list(pool)
    for one in (pool, other):
        one.expire(4)
        one.add([scored(2), scored(5)], 4)
    assert numbers(other) == numbers(pool) == [4, 5]
    assert other.snapshot() == pool.snapshot()
    assert other.worth_asking_for(100) == pool.worth_asking_for(100)
    assert other.learnt == pool.learnt == 1


def test_a_snapshot_leaves_out_what_the_learner_made_of_the_groups() -> None:
    """It is as large as the texts, and whoever restores it encodes them with its own tokenizer."""
    pool = RolloutPool()
    pool.add([scored(1)], 1, lambda groups: [replace(one, encoded=(7, 8)) for one in groups])
    assert [one.encoded for one in pool] == [(7, 8)]
    assert [one.encoded for _, one in pool.snapshot().groups] == [None]


def at(site: str, *groups: ScoredGroup) -> list[ScoredGroup]:
    """The same groups, as if they came from that place."""
    return [replace(one, group=replace(one.group, site=site)) for one in groups]


def crowd(site: str, first: int, count: int) -> list[ScoredGroup]:
    """A group each of many authors at one place."""
    return at(site, *(scored(first + n, PeerId(f"{first + n:064x}")) for n in range(count)))


def test_a_place_of_many_names_leaves_room_for_others() -> None:
    """Where others are there, it has its share of the pool and replaces its own."""
    pool = RolloutPool(PoolLimits(groups=8, per_author=2, per_site=2))
    pool.add(at("quiet", scored(1)), 1)
    pool.add(crowd("loud", 10, 30), 1)
    assert numbers(pool) == [1, 38, 39]


def test_a_lone_place_may_use_the_whole_pool_until_others_come() -> None:
    """A school behind one address wants to practise, too; whoever comes later gets its room."""
    pool = RolloutPool(PoolLimits(groups=4, per_author=2, per_site=2))
    pool.add(crowd("school", 10, 6), 1)
    assert numbers(pool) == [12, 13, 14, 15]
    pool.add(crowd("home", 1, 3), 1)
    assert numbers(pool) == [14, 15, 2, 3]


def test_a_pool_of_the_last_release_can_be_restored() -> None:
    """It knows no places: its groups count for their authors."""
    pool = RolloutPool()
    pool.add([scored(1)], 1)
    kept = msgspec.to_builtins(pool.snapshot())
    del kept["groups"][0][1]["group"]["site"]
    again = RolloutPool()
    again.restore(msgspec.convert(kept, PoolState))
    assert list(again) == list(pool)
