"""Sums over a simulation's rounds."""

import numpy as np
import pytest

from core.lab.scale.findings import ENVELOPE_BYTES, find, headings, rows
from core.lab.scale.simulation import RoundFigures, SimulationResult
from core.lab.scale.world import SimulationPlan

PLAN = SimulationPlan(nodes=10, rounds=8, hostile=0, want=10, hubs_down=1, outage_rounds=2)


def figures(number: int, used: int) -> RoundFigures:
    """A round of ten nodes, in which half of what was used is honest."""
    return RoundFigures(number, 10, used, used // 2, used // 4, 30.0, 80, 160, 1.5)


def course(*used: int) -> SimulationResult:
    """One that begins after the warm-up; hubs are down in rounds 4 and 5."""
    rounds = [figures(number, one) for number, one in enumerate(used, start=PLAN.warm_up)]
    made = SimulationResult(PLAN, rounds, np.zeros(10, np.int64), np.zeros(10, np.int64))
    made.times_used[:4], made.alive[:4] = [30, 10, 10, 10], 6
    made.waits = [0, 0, 1, 3]
    return made


def test_an_outage_is_told_apart_from_calm_rounds() -> None:
    """Its rate, and when the swarm is as it was."""
    one = find(course(100, 100, 20, 40, 80, 95))
    assert PLAN.outage == range(4, 6)
    assert one.exchange_rate == pytest.approx((100 + 100 + 80 + 95) / 400)
    assert one.exchange_rate_in_outage == pytest.approx(0.3)
    assert one.recovery_s == 120  # the second round after it is the first with 90 %


def test_a_swarm_that_does_not_recover_says_so() -> None:
    """There is no figure."""
    one = find(course(100, 100, 20, 40, 50, 60))
    assert one.recovery_s is None
    assert any("not in time" in row for row in rows([one]))


def test_costs_and_shares_are_of_a_node_and_round() -> None:
    """In bytes of envelopes."""
    one = find(course(100, 100, 100, 100, 100, 100))
    assert (one.requests, one.honest_share, one.by_hostile_hubs_late) == (3, 0.5, 0.25)
    assert one.bytes_up == 8 * ENVELOPE_BYTES
    assert one.bytes_down == 16 * ENVELOPE_BYTES
    assert one.largest_over_mean == pytest.approx(2)
    assert (one.company_p50_s, one.company_p99_s) == (0, 180)


def test_every_size_is_a_column() -> None:
    """With the figure's name before and a sentence behind them."""
    one = find(course(100, 100, 20, 40, 80, 95))
    assert headings([one, one]) == ["figure", "10", "10", "what it says"]
    assert all(len(row) == 4 and all(row) for row in rows([one, one]))
