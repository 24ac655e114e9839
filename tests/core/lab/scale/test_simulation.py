"""What a simulated swarm shows; every claim for a fixed seed."""

from dataclasses import astuple, replace

import numpy as np
import pytest

from core.lab.scale.findings import ScaleFindings, find
from core.lab.scale.simulation import simulate, spread
from core.lab.scale.world import SimulationPlan
from core.swarm.membership import MOST_STRANGERS

CALM = SimulationPlan(
    nodes=2_000, rounds=14, hostile=0, hostile_hubs=0, hubs=3, hubs_down=0, contacts=0, witnesses=0
)


def found(plan: SimulationPlan) -> ScaleFindings:
    return find(simulate(plan))


def test_the_same_seed_gives_the_same_course() -> None:
    """And another one another."""
    plan = replace(CALM, nodes=300, hostile=0.1)
    once, again = simulate(plan), simulate(plan)
    assert [astuple(one) for one in once.rounds] == [astuple(one) for one in again.rounds]
    assert np.array_equal(once.times_used, again.times_used)
    assert not np.array_equal(once.times_used, simulate(replace(plan, seed=2)).times_used)


@pytest.mark.parametrize("hostile", [0.1, 0.3])
def test_sybils_get_about_their_share(hostile: float) -> None:
    """In an open swarm keys are free: of all authors alive, the hostile ones' share of the draws.

    Honest nodes are there seven tenths of the time and their items ten minutes longer; Sybils
    always are. So it is a little more than their share of all identities, and said so.
    """
    course = simulate(replace(CALM, hostile=hostile))
    alive = course.alive.sum() / len(course.rounds)
    expected = course.admitted / (course.admitted + alive)
    share = 1 - find(course).honest_share
    assert share == pytest.approx(expected, abs=0.01)
    assert hostile < share < 1.4 * hostile


def test_few_addresses_keep_sybils_few() -> None:
    """600 identities at one address are 64 to every hub."""
    crowd, one_site = found(replace(CALM, hostile=0.3)), found(replace(CALM, hostile=0.3, sites=1))
    assert crowd.admitted == 600
    assert one_site.admitted == 64
    assert one_site.honest_share > 0.92
    assert crowd.honest_share < 0.7


def test_a_hostile_hub_loses_its_influence_once_it_is_found() -> None:
    """In a swarm of 20 that takes every node up to four hours; the ban lasts for longer."""
    one = found(replace(CALM, nodes=20, rounds=400, hostile=0.1, hostile_hubs=1))
    assert one.by_hostile_hubs_early > 0.15
    assert one.found_out == 1
    assert one.by_hostile_hubs_late == 0


def test_in_a_larger_swarm_a_hostile_hub_keeps_its_share_for_long() -> None:
    """Among 300 nobody finds it within 200 rounds; the half that one hub may give is the fence."""
    one = found(replace(CALM, nodes=300, rounds=200, hostile=0.1, hostile_hubs=1))
    assert one.found_out == 0
    assert one.by_hostile_hubs_late == pytest.approx(one.by_hostile_hubs_early, abs=0.02)
    assert one.by_hostile_hubs_late < 0.5


def test_no_hub_gives_more_than_half() -> None:
    """With two hubs, of which one is hostile, half of what is used is honest."""
    one = found(replace(CALM, hubs=2, hostile_hubs=1))
    assert one.by_hostile_hubs_early == pytest.approx(0.5, abs=0.01)


def test_with_all_hubs_down_those_who_know_nodes_go_on() -> None:
    """And others wait until they are back: one round, or the back-off."""
    alone = found(replace(CALM, hubs_down=3))
    assert alone.exchange_rate_in_outage == 0
    assert alone.recovery_s is not None
    assert alone.recovery_s <= 120
    with_nodes = found(replace(CALM, hubs_down=3, contacts=8, reachable=0.2))
    assert with_nodes.exchange_rate_in_outage is not None
    assert with_nodes.exchange_rate_in_outage > 0.6


def test_the_cost_does_not_grow_with_the_swarm() -> None:
    """Requests and bytes of a node and round, from 100 nodes to 5,000: within a tenth."""
    plan = replace(CALM, hubs_down=1, contacts=8)
    small, large = (found(replace(plan, nodes=nodes)) for nodes in (100, 5_000))
    assert large.requests == pytest.approx(small.requests, rel=0.1)
    assert large.bytes_up == pytest.approx(small.bytes_up, rel=0.1)
    assert large.bytes_down == pytest.approx(small.bytes_down, rel=0.1)


def test_a_hub_draws_evenly() -> None:
    """The spread over its authors is that of chance."""
    one = found(CALM)
    assert one.hub_spread is not None
    assert one.hub_spread == pytest.approx(1, abs=0.1)
    assert one.exchange_rate == 1


def test_a_new_node_has_company_at_once() -> None:
    """In the round in which it comes, as long as a hub is there."""
    one = found(CALM)
    assert (one.company_p50_s, one.company_p99_s, one.lonely) == (0, 0, 0)


def test_the_simulation_agrees_with_the_products_own_code() -> None:
    """Witnesses use as much, and as much of it is honest, within 0.05."""
    plan = replace(
        CALM,
        hostile=0.15,
        hostile_hubs=1,
        contacts=MOST_STRANGERS,
        rounds=30,
        hubs_down=2,
        witnesses=24,
    )
    course = simulate(plan)
    one = find(course)
    assert one.witness_honest_share == pytest.approx(one.honest_share, abs=0.05)
    used = sum(witness.used for witness in course.witnesses)
    rate = used / (len(course.witnesses) * len(course.rounds) * plan.want)
    assert rate == pytest.approx(one.exchange_rate, abs=0.05)


def test_nodes_ask_as_many_strangers_as_the_product() -> None:
    """Where there are hubs; three of these, an audit now and then, and so many nodes."""
    one = found(replace(CALM, contacts=SimulationPlan().contacts))
    assert one.requests == pytest.approx(found(CALM).requests + MOST_STRANGERS)


def test_a_round_in_which_nobody_is_there_is_played() -> None:
    """Of three nodes that come and go, all may be gone."""
    course = simulate(SimulationPlan(nodes=3, churn=0.5, reachable=1))
    assert 0 in {one.nodes for one in course.rounds}


def test_spread_is_one_for_chance_and_large_for_favour() -> None:
    """Of draws of four out of 50."""
    rng = np.random.default_rng(1)
    fair = np.bincount(np.array([rng.permutation(50)[:4] for _ in range(2_000)]).ravel())
    assert spread(fair, 4) == pytest.approx(1, abs=0.4)
    fair[0] *= 3
    assert spread(fair, 4) > 5
