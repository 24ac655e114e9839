"""Which hubs all nodes turn to: the same rules as one node's membership."""

from collections import Counter
from random import Random

import numpy as np
import pytest

from core.lab.scale.draws import NOTHING
from core.lab.scale.hub_choice import HubChoice, audits_until_found
from core.lab.scale.world import SimulationPlan, World
from core.swarm.backoff import FIRST_S
from core.swarm.exchange.audit import AUDIT_EVERY
from core.swarm.membership import MOST_HUBS, WITHHOLDING_BAN_S, Address, Membership, Source

NODES = 2_000


def choice_of(nodes: int = NODES, hubs: int = 5, hostile_hubs: int = 0) -> HubChoice:
    plan = SimulationPlan(nodes=nodes, hostile=0, hubs=hubs, hostile_hubs=hostile_hubs, rounds=400)
    rng = np.random.default_rng(1)
    return HubChoice(World(plan, rng), rng)


def test_three_different_hubs_the_named_one_among_them() -> None:
    """Of five."""
    choice = choice_of()
    chosen = choice.choose(0.0)
    assert chosen.shape == (NODES, MOST_HUBS)
    assert (chosen[:, 0] == choice.named).all()
    assert all(len(set(row)) == MOST_HUBS for row in chosen.tolist())


def test_with_one_hub_there_is_no_choice() -> None:
    """The other places stay empty."""
    chosen = choice_of(hubs=1).choose(0.0)
    assert (chosen[:, 0] == 0).all()
    assert (chosen[:, 1:] == NOTHING).all()


def test_the_choice_is_that_of_the_membership() -> None:
    """Hub 0 is named and fails, 1 answers, 2 fails, 3 and 4 are new: each as often as there."""
    choice = choice_of()
    choice.named[:] = 0
    everybody = np.arange(NODES)
    for hub, answered in ((0, False), (1, True), (2, False)):
        choice.note(hub, everybody, answered=answered, now=10.0)
    simulated = Counter(choice.choose(100.0).ravel().tolist())
    real: Counter[int] = Counter()
    rng = Random(1)
    for _ in range(NODES):
        members = Membership()
        order = rng.sample(range(1, 5), 4)
        members.add(Source(Address("0"), "hub", "named"))
        for hub in order:
            members.add(Source(Address(str(hub)), "hub", "dht"))
        members.failed(Address("0"))
        members.answered(Address("1"), 10.0, 16, 0)
        members.failed(Address("2"))
        real.update(int(one.address) for one in members.choose("hub", 100.0, rng))
    assert simulated[0] == real[0] == simulated[1] == real[1] == NODES
    for hub in (2, 3, 4):
        assert simulated[hub] == pytest.approx(NODES / 3, rel=0.12)
        assert real[hub] == pytest.approx(NODES / 3, rel=0.12)


def test_who_did_not_answer_is_left_alone_for_a_moment() -> None:
    """Back-off: a moment at first, up to a minute."""
    choice = choice_of()
    chosen = np.full((NODES, MOST_HUBS), 1)
    choice.note(1, np.arange(NODES), answered=False, now=0.0)
    assert not choice.tries(chosen, 0.4 * FIRST_S).any()
    assert choice.tries(chosen, 1.1 * FIRST_S).all()
    for _ in range(9):
        choice.note(1, np.arange(NODES), answered=False, now=2.0)
    assert not choice.tries(chosen, 31.0).any()
    assert choice.tries(chosen, 62.1).all()


def test_a_hub_that_is_found_out_is_banned_longer_each_time() -> None:
    """Hours, then twice as long; meanwhile it is not chosen."""
    choice = choice_of(nodes=40, hostile_hubs=1)
    everybody, hub = np.arange(40), 4
    tried = 0
    while (choice.choose(0.0) == hub).any():
        choice.note(hub, everybody, answered=True, now=0.0)
        tried += 1
    assert tried % AUDIT_EVERY == 0
    assert choice.was_found_out() == 1.0
    over = WITHHOLDING_BAN_S
    assert not (choice.choose(over - 1) == hub).any()
    assert (choice.choose(over) == hub).any()
    while (choice.choose(over) == hub).any():
        choice.note(hub, everybody, answered=True, now=over)
    assert not (choice.choose(3 * over - 1) == hub).any()


def test_the_larger_the_crowd_the_longer_a_hub_stays_unfound() -> None:
    """It hides among those it may claim: 12 audits among 20 authors, over 200 among 200."""
    few = [audits_until_found(Random(seed), 20, 20, 1_000) for seed in range(5)]
    some = [audits_until_found(Random(seed), 200, 200, 1_000) for seed in range(5)]
    assert max(few) < 15
    assert min(some) > 200
    assert audits_until_found(Random(1), 100_000, 100_000, 200) > 10**9
