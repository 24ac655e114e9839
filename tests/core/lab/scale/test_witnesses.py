"""Nodes of the simulation that follow the product's own code."""

import numpy as np

from core.lab.scale.witnesses import Witness
from core.lab.scale.world import SimulationPlan, World
from core.swarm.membership import WITHHOLDING_BAN_S


def witness(plan: SimulationPlan) -> Witness:
    world = World(plan, np.random.default_rng(1))
    world.online[:] = True
    world.left_at[:, :] = plan.rounds  # whatever the round, everybody has items everywhere
    return Witness(world, 1)


def test_all_that_is_wanted_is_used() -> None:
    """Sixteen a round, once the hubs have filled."""
    plan = SimulationPlan(nodes=200, hostile=0, hostile_hubs=0, hubs_down=0)
    one = witness(plan)
    for number in range(10):
        one.play(number)
    assert one.used == one.honest == 16 * (10 - plan.warm_up)


def test_with_all_hubs_down_known_nodes_are_enough() -> None:
    """And without them there is nothing."""
    for contacts, used in ((8, 16), (0, 0)):
        plan = SimulationPlan(
            nodes=500, hostile=0, hostile_hubs=0, hubs_down=6, contacts=contacts, reachable=0.3
        )
        one = witness(plan)
        one.play(plan.outage.start)
        assert one.used == used


def test_a_hub_that_hands_out_its_own_is_found_out() -> None:
    """By the real audit, in a small swarm."""
    plan = SimulationPlan(nodes=40, hostile=0.1, hubs=2, hubs_down=0, rounds=400)
    one = witness(plan)
    for number in range(plan.rounds):
        one.play(number)
    assert one.found_in is not None


def test_an_honest_hub_is_never_left_alone() -> None:
    """However often the real audit looks at the only one there is."""
    plan = SimulationPlan(
        nodes=40, hostile=0, hostile_hubs=0, hubs=1, hubs_down=0, contacts=0, rounds=400
    )
    one = witness(plan)
    for number in range(plan.rounds):
        one.play(number)
    assert one.used == 16 * (plan.rounds - plan.warm_up)


def test_who_was_found_out_is_left_alone_for_hours() -> None:
    """As long as the product leaves it alone, which takes hours to find out."""
    plan = SimulationPlan(nodes=40, hostile=0, hubs=2, hubs_down=0, contacts=0, rounds=400)
    one = witness(plan)
    played = 0
    while one.found_in is None:
        one.play(played)
        played += 1
    assert one.honest < one.used
    fooled = one.used - one.honest
    for number in range(played, played + int(WITHHOLDING_BAN_S / plan.period_s) - 1):
        one.play(number)
    assert one.used - one.honest == fooled
