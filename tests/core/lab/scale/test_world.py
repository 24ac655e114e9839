"""The simulated swarm's nodes and hubs."""

from collections.abc import Callable

import numpy as np
import pytest

from core.errors import UsageError
from core.lab.scale.world import ONLINE, SimulationPlan, World, admitted
from core.wire.codec import NETWORK_AUTHORS, SITE_AUTHORS

PLAN = SimulationPlan(nodes=2_000, hostile=0.1, hubs=4, hostile_hubs=1, hubs_down=2)


def world(plan: SimulationPlan = PLAN) -> World:
    return World(plan, np.random.default_rng(1))


@pytest.mark.parametrize(
    ("identities", "sites", "heard"),
    [
        (1_000, 1, SITE_AUTHORS),
        (1_000, 2, 2 * SITE_AUTHORS),
        (1_000, 256, NETWORK_AUTHORS),
        (1_000, 257, NETWORK_AUTHORS + 3),
        (10, 1, 10),
        (1_000, None, 1_000),
    ],
)
def test_a_hub_hears_as_many_sybils_as_their_addresses_allow(
    identities: int, sites: int | None, heard: int
) -> None:
    """So many of an address, so many of a network; a botnet is not held back."""
    assert admitted(identities, sites) == heard


def test_as_many_are_there_at_any_time() -> None:
    """Those who come make up for those who leave."""
    one = world()
    for _ in range(200):
        one.turn_over()
    assert abs(one.online.mean() - ONLINE) < 0.05
    assert (one.online[one.arrived]).all()


def test_an_item_lives_for_ten_minutes() -> None:
    """Ten rounds of a minute, then its author is no longer drawn."""
    one = world()
    one.left_at[7, 0] = 3
    assert one.living(0, 13).tolist() == [7]
    assert one.living(0, 14).tolist() == []


def test_a_hostile_hub_hands_out_its_own_only() -> None:
    """Others hand out honest items and those of the hostile nodes that they let in."""
    one = world()
    one.left_at[:, :] = 0
    hostile = one.pool(3, 1)
    assert one.is_hostile(3)
    assert hostile.min() >= PLAN.honest_nodes
    assert np.array_equal(one.pool(0, 1), np.arange(2_000))


def test_hubs_are_down_when_the_plan_says_so() -> None:
    """The first ones, honest, in the middle."""
    one = world()
    down = [number for number in range(PLAN.rounds) if not one.is_up(0, number)]
    assert down == list(PLAN.outage) == [15, 16, 17, 18]
    assert one.is_up(2, 15)


def test_hostile_nodes_always_answer() -> None:
    """Honest ones do while they are there."""
    one = world()
    nodes = np.array([0, 1, PLAN.honest_nodes, PLAN.nodes - 1])
    assert one.answers(nodes).tolist() == [bool(one.online[0]), bool(one.online[1]), True, True]
    assert set(range(PLAN.honest_nodes, PLAN.nodes)) <= set(one.addresses().tolist())


@pytest.mark.parametrize(
    "impossible",
    [
        lambda: SimulationPlan(hostile=1.0),
        lambda: SimulationPlan(churn=1.5),
        lambda: SimulationPlan(rounds=1),
        lambda: SimulationPlan(hubs=2, hostile_hubs=3),
    ],
)
def test_an_impossible_swarm_is_refused(impossible: Callable[[], SimulationPlan]) -> None:
    """In words, before anything is simulated."""
    with pytest.raises(UsageError, match="honest nodes"):
        impossible()
