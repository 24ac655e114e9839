"""A swarm in memory shares like a real one."""

from collections import Counter
from collections.abc import Iterable
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from core.engine.ports import Swarm
from core.lab.learning.memory_swarm import InMemorySwarm, SharedRollouts
from core.lab.learning.plans import peer_id
from core.rollouts.types import PeerId, RolloutGroup
from core.wire.codec import AUTHOR_SLOTS, MAX_EXCHANGE_ENVELOPES
from tests.core.lab.learning.small import ANNE, BOB, tried

LOUD, VISITOR = peer_id(99), peer_id(50)
DRAWS = 4_000


def crowd(*, by_author: bool) -> SharedRollouts:
    """Seven nodes with four groups each, and one with 64."""
    rollouts = SharedRollouts(by_author=by_author)
    for number in range(7):
        rollouts.share(peer_id(number), [tried(peer_id(number), i, "a") for i in range(4)])
    rollouts.share(LOUD, [tried(LOUD, i, "a") for i in range(64)])
    return rollouts


def chi_square(counts: Iterable[int], expected: float) -> float:
    return sum((count - expected) ** 2 / expected for count in counts)


def first_drawn(rollouts: SharedRollouts) -> list[RolloutGroup]:
    rng = Random(5)
    return [rollouts.draw(VISITOR, 1, rng)[0] for _ in range(DRAWS)]


def test_nothing_but_text_crosses_it() -> None:
    """Tokens and log-probabilities stay with whoever drew them; all else arrives."""
    rollouts = SharedRollouts()
    group = tried(ANNE, 1, "7", "8")
    rollouts.share(ANNE, [group])
    (drawn,) = rollouts.draw(BOB, 4, Random(1))
    assert [c.tokens for c in drawn.completions] == [None, None]
    assert [(c.text, c.ended) for c in drawn.completions] == [("7", True), ("8", True)]
    assert (drawn.key, drawn.digest, drawn.author, drawn.model, drawn.round) == (
        (group.key, group.digest, group.author, group.model, group.round)
    )
    assert all(c.tokens is not None for c in group.completions), "the own group is untouched"


def test_the_oldest_of_an_author_makes_room() -> None:
    """As much of an author is to be had as at a hub: the newest."""
    rollouts = SharedRollouts()
    for number in range(1, AUTHOR_SLOTS + 2):
        rollouts.share(ANNE, [tried(ANNE, number, "a", round_number=number)])
    there = {group.key.seed for group in rollouts.draw(BOB, 2 * AUTHOR_SLOTS, Random(1))}
    assert there == set(range(2, AUTHOR_SLOTS + 2))


def test_everybody_is_drawn_alike_however_much_they_send() -> None:
    """One that sends sixteen times as much is heard no more often (chi-square, 7 degrees)."""
    heard = Counter(group.author for group in first_drawn(crowd(by_author=True)))
    assert len(heard) == 8
    assert chi_square(heard.values(), DRAWS / 8) < 24.3  # p > 0.001


def test_the_groups_of_one_author_are_drawn_alike() -> None:
    """No place in a round is better than another (chi-square, 3 degrees)."""
    heard = Counter(g.key.seed for g in first_drawn(crowd(by_author=True)) if g.author == ANNE)
    assert len(heard) == 4
    assert chi_square(heard.values(), heard.total() / 4) < 16.3


def test_many_names_at_one_place_are_one_voice() -> None:
    """Fifty authors of one site are heard as often as one of another (chi-square, 7 degrees)."""
    rollouts = crowd(by_author=True)
    for number in range(100, 150):
        rollouts.share(peer_id(number), [tried(peer_id(number), 1, "a")], "one place")
    del rollouts.newest[LOUD]
    heard = Counter(group.site or group.author for group in first_drawn(rollouts))
    assert len(heard) == 8
    assert chi_square(heard.values(), DRAWS / 8) < 24.3  # p > 0.001


def test_the_names_of_one_place_take_turns_with_the_others() -> None:
    """Nine names of one site beside five others: of eight groups one or two are theirs."""
    rollouts = SharedRollouts()
    for number in range(14):
        author = peer_id(number)
        tries = [tried(author, seed, "a") for seed in range(4)]
        rollouts.share(author, tries, "one place" if number < 9 else "")
    rng = Random(5)
    for _ in range(200):
        drawn = rollouts.draw(VISITOR, 8, rng)
        assert 1 <= sum(group.site == "one place" for group in drawn) <= 2


def test_without_the_defence_the_loudest_is_heard_most() -> None:
    """Where draws go by group, 64 of 92 groups are the flooder's."""
    heard = Counter(group.author for group in first_drawn(crowd(by_author=False)))
    assert abs(heard[LOUD] / DRAWS - 64 / 92) < 0.025  # more than three standard errors


@given(
    st.dictionaries(st.integers(0, 5).map(peer_id), st.integers(0, 6)),
    st.integers(0, 40),
    st.booleans(),
    st.integers(),
)
def test_a_draw_never_repeats_and_never_brings_what_is_own(
    shared: dict[PeerId, int],
    want: int,
    by_author: bool,  # noqa: FBT001 - drawn by Hypothesis, never written in a call
    seed: int,
) -> None:
    """As many different groups of others as wanted or as there are; the same for one seed."""
    rollouts = SharedRollouts(by_author=by_author)
    for author, count in shared.items():
        rollouts.share(author, [tried(author, i, "a") for i in range(count)])
    drawn = rollouts.draw(BOB, want, Random(seed))
    of_others = sum(count for author, count in shared.items() if author != BOB)
    assert len(drawn) == len(set(drawn)) == min(want, of_others)
    assert BOB not in {group.author for group in drawn}
    assert drawn == rollouts.draw(BOB, want, Random(seed))


async def test_a_node_meets_the_others_at_its_stall() -> None:
    """What one shares in a round, the next one draws; and the number of others is told."""
    rollouts = SharedRollouts()
    anne: Swarm = InMemorySwarm(rollouts, ANNE, 1)
    bob: Swarm = InMemorySwarm(rollouts, BOB, 1)
    first = await anne.exchange([tried(ANNE, 1, "a")], 4)
    second = await bob.exchange([tried(BOB, 2, "b")], 4)
    third = await anne.exchange([tried(ANNE, 3, "a", round_number=2)], 4)
    assert [g.author for g in (*first.groups, *second.groups, *third.groups)] == [ANNE, BOB]
    assert (first.peers, second.peers, third.peers) == (0, 1, 1)
    assert third.reachable
    anne.learnt_from(third.groups)


async def test_nobody_is_handed_the_same_twice() -> None:
    """As nodes drop what they had, however much they ask for; what is shared again is new."""
    swarm = InMemorySwarm(rollouts := crowd(by_author=True), VISITOR, 1)
    every = {group for groups in rollouts.newest.values() for group in groups}
    found = list((await swarm.exchange([], 1_000)).groups)
    assert len(found) == MAX_EXCHANGE_ENVELOPES
    for number in range(1, 9):
        found += (await swarm.exchange([tried(VISITOR, 1, "a", round_number=number)], 64)).groups
    assert len(found) == len(set(found)) == len(every)
    rollouts.share(ANNE, rollouts.newest[ANNE][:1])
    again = [
        (await swarm.exchange([tried(VISITOR, 1, "a", round_number=n)], 64)).groups
        for n in range(9, 12)
    ]
    assert [one for groups in again for one in groups] == [rollouts.newest[ANNE][0]]


async def test_the_chance_of_a_stall_is_its_own_in_every_round() -> None:
    """The same in the same round of the same seed; another for another round, node or seed."""

    async def drawn(owner: PeerId = VISITOR, seed: int = 1, round_number: int = 1) -> list[int]:
        swarm = InMemorySwarm(crowd(by_author=True), owner, seed)
        own = [tried(owner, 1, "a", round_number=round_number)]
        return [group.key.seed for group in (await swarm.exchange(own, 16)).groups]

    first = await drawn()
    assert first == await drawn()
    assert first != await drawn(round_number=2)
    assert first != await drawn(seed=2)
    assert first != await drawn(owner=peer_id(51))
