"""The lines of the pictures, before anything is drawn."""

from dataclasses import replace

import numpy as np
import pytest

from core.lab.learning import curves
from tests.core.lab.learning.invented import invent

RESULTS = [invent("4/4", seed) for seed in (1, 2, 3)]


def test_a_straight_line_stays_one() -> None:
    """A moving average stands at the middle of what it averages, so that nothing is shifted."""
    rounds = np.arange(1, 101, dtype=np.float64)
    averages, middles = curves.smoothed(rounds)
    np.testing.assert_allclose(averages, middles)
    assert (middles[0], middles[-1]) == (3, 98)  # 5 of 100 rounds each


def test_few_rounds_are_shown_as_they_are() -> None:
    """Five percent of a round is not averaged."""
    averages, middles = curves.smoothed(np.array([0.1, 0.9]))
    assert list(averages) == pytest.approx([0.1, 0.9])
    assert list(middles) == [1, 2]


def test_the_band_goes_from_the_lowest_to_the_highest_seed() -> None:
    """And the line runs between, at their mean."""
    curve = curves.exam(RESULTS)
    by_seed = np.stack([one.scores.mean(axis=1) for one in RESULTS])
    assert list(curve.x) == [0, 50, 100, 150, 200]
    np.testing.assert_allclose(curve.mean, by_seed.mean(axis=0))
    assert ((curve.low <= curve.mean) & (curve.mean <= curve.high)).all()
    np.testing.assert_allclose(curve.high, by_seed.max(axis=0))


def test_rounds_in_which_nobody_could_show_work_are_bridged() -> None:
    """On a straight line between those before and after; nothing is made up where none are."""
    shares = np.full_like(RESULTS[0].rewards, np.nan)
    nothing = replace(RESULTS[0], working=shares.copy())
    assert not curves.working([nothing]).mean.any()
    shares[0], shares[-1, 0] = 0.0, 1.0
    curve = curves.working([replace(RESULTS[0], working=shares)])
    assert (np.diff(curve.mean) > 0).all()


def test_useful_questions_are_a_share_of_those_tried() -> None:
    """Three of four that taught are 75 %."""
    result = replace(RESULTS[0], useful_own=np.full_like(RESULTS[0].tried, 3.0))
    assert set(curves.useful_own([result]).mean.round(9)) == {0.75}


def test_cost_is_what_the_whole_swarm_generated() -> None:
    """Four nodes with 1,000 tokens a round have a million after 250 rounds of 4,000."""
    result = replace(RESULTS[0], generated=np.full_like(RESULTS[0].rewards, 1_000.0))
    curve = curves.cost([result])
    np.testing.assert_allclose(curve.x * 250, curves.practice([result]).x)


def test_drift_and_entropy_are_means_over_nodes() -> None:
    """At exams the one, by round the other."""
    drift, entropy = curves.drift(RESULTS[:1]), curves.entropy(RESULTS[:1])
    np.testing.assert_allclose(drift.mean, RESULTS[0].drift.mean(axis=1))
    assert entropy.mean[0] == pytest.approx(RESULTS[0].entropy[:10].mean())
