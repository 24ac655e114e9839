"""Figures of a load."""

import pytest

from core.lab.scale.hub_children import ProcessUsage
from core.lab.scale.light_client import ClientStats
from core.lab.scale.load import LoadPlan, LoadResult
from core.lab.scale.load_report import HEADINGS, quantile, report, rows
from core.rollouts.types import PeerId


@pytest.mark.parametrize(
    ("share", "value"), [(0.0, 1), (0.01, 1), (0.5, 50), (0.99, 99), (0.991, 100), (1.0, 100)]
)
def test_a_quantile_is_the_smallest_that_so_many_do_not_exceed(share: float, value: int) -> None:
    """Of the numbers from 1 to 100."""
    assert quantile(range(1, 101), share) == value


def test_nothing_has_the_quantile_zero() -> None:
    """Rather than an error."""
    assert quantile([], 0.5) == 0


def test_figures_are_of_a_client_and_round() -> None:
    """And of all hubs together, per exchange."""
    stats = ClientStats(latencies_s=[0.1, 0.2], requests=5, rounds=4, bytes_up=400, bytes_down=800)
    stats.authors.update({PeerId("a"): 3, PeerId("b"): 1})
    stats.failures["refused"] = 2
    measured = LoadResult(
        LoadPlan(), stats, 2.0, [ProcessUsage(0.02, 1 << 20), ProcessUsage(0.04, 2 << 20)], 1.0
    )
    one = report(measured)
    assert (one.exchanges, one.exchanges_per_s, one.p50_ms, one.max_ms) == (2, 1, 100, 200)
    assert (one.requests_per_round, one.up_per_round, one.down_per_round) == (1.25, 100, 200)
    assert (one.drawn_per_round, one.authors, one.largest_share) == (1, 2, 0.75)
    assert list(one.hub_cpu_ms) == [10, 20]
    assert list(one.hub_load) == [0.01, 0.02]
    assert one.driver_load == 0.5
    assert ("failures", "2 refused") in [row[:2] for row in rows(one)]


def test_a_run_without_an_answer_has_a_report_too() -> None:
    """All zeros."""
    one = report(LoadResult(LoadPlan()))
    assert (one.exchanges, one.p99_ms, one.largest_share) == (0, 0, 0)
    assert all(len(row) == len(HEADINGS) for row in rows(one))
