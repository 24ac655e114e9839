"""Intervals that know what was drawn: seeds first, then nodes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.lab.learning.intervals import Interval, difference_of, gain_of, interval_of
from core.lab.learning.results import Figures


def noise(seeds: int, nodes: int, spread_of_seeds: float, spread_of_nodes: float) -> Figures:
    rng = np.random.default_rng(3)
    of_seeds = rng.normal(5, spread_of_seeds, (seeds, 1))
    return of_seeds + rng.normal(0, spread_of_nodes, (seeds, nodes))


def test_what_never_varies_is_certain() -> None:
    """The interval is a point."""
    assert interval_of(np.full((3, 8), 2.5)) == Interval(2.5, 2.5, 2.5)


def test_an_interval_is_the_same_whenever_it_is_computed() -> None:
    """A page written again holds the same figures."""
    values = noise(3, 8, 1, 1)
    assert interval_of(values) == interval_of(values)


def test_nodes_that_only_repeat_their_seed_add_no_certainty() -> None:
    """Nodes of a swarm are not independent, so eight equal ones tell no more than one."""
    alone = noise(5, 1, 1, 0)
    many, one = interval_of(np.repeat(alone, 8, axis=1)), interval_of(alone)
    assert many.high - many.low == pytest.approx(one.high - one.low, rel=0.05)


def test_more_seeds_tell_more() -> None:
    """Where seeds differ, the interval of forty is much narrower than that of four."""
    few, many = interval_of(noise(4, 8, 1, 1)), interval_of(noise(40, 8, 1, 1))
    assert many.high - many.low < 0.6 * (few.high - few.low)


def test_nodes_without_differences_between_seeds_err_on_the_safe_side() -> None:
    """The interval is at most 1.4 times as wide as that of a mean, 3.92 standard errors."""
    one = interval_of(noise(30, 30, 0, 1))
    assert 3.92 / 30 < one.high - one.low < 1.5 * 3.92 / 30


def test_gains_are_paired_by_seed_and_node() -> None:
    """Twice as much on every node is a gain of exactly 1, however much nodes differ."""
    baseline = noise(3, 8, 1, 0.5)
    gain = gain_of(2 * baseline, baseline)
    assert gain is not None
    assert (gain.mean, gain.low, gain.high) == pytest.approx((1, 1, 1))


def test_differences_are_paired_by_seed_and_node() -> None:
    """One point more on every node is certain, however much nodes differ."""
    baseline = noise(3, 8, 5, 5)
    one = difference_of(baseline + 1, baseline)
    assert (one.mean, one.low, one.high) == pytest.approx((1, 1, 1))


def test_nothing_has_no_multiples() -> None:
    """A baseline that may have earned nothing gives no gain."""
    baseline = np.zeros((3, 2))
    baseline[0] = 1
    assert gain_of(np.ones((3, 2)), baseline) is None


def test_how_many_nodes_there_are_of_each_kind_is_no_chance() -> None:
    """Where all of one kind do the same in every seed, nothing is uncertain, however kinds differ.

    With one seed nothing is known of a kind that has one node, so all count as of one.
    """
    kinds = ["spark"] * 3 + ["ember"]
    values = np.tile([0.2, 0.2, 0.2, 0.6], (3, 1))
    for one in (
        interval_of(values, kinds),
        difference_of(values, 0 * values, kinds),
        gain_of(values, np.full_like(values, 0.15), kinds),
    ):
        assert one is not None
        assert one.high - one.low == pytest.approx(0)
    assert interval_of(values[:1], kinds) == interval_of(values[:1])
    assert interval_of(values, ["spark"] * 4) == interval_of(values)


@pytest.mark.parametrize(
    ("low", "high", "excludes"), [(0.1, 0.3, True), (-0.3, -0.1, True), (-0.1, 0.3, False)]
)
def test_a_loss_is_told_as_surely_as_a_gain(low: float, high: float, *, excludes: bool) -> None:
    """Both exclude zero."""
    assert Interval((low + high) / 2, low, high).excludes_zero is excludes


@given(st.integers(1, 4), st.integers(1, 5), st.integers(0, 99))
def test_an_interval_stays_within_what_was_seen(seeds: int, nodes: int, number: int) -> None:
    """No resample is better than the best node or worse than the worst."""
    values = np.random.default_rng(number).normal(size=(seeds, nodes))
    one = interval_of(values)
    assert values.min() - 1e-9 <= one.low <= one.high <= values.max() + 1e-9
