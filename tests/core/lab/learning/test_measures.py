"""Figures of a run, on runs whose figures are known."""

from dataclasses import replace

import numpy as np
import pytest

from core.lab.learning import measures
from core.lab.learning.results import RunResult
from tests.core.lab.learning.invented import invent

PLAYED = invent("4/4")


def with_costs(result: RunResult, generated: float, trained: float) -> RunResult:
    """Every round of every node costs the same."""
    shape = result.rewards.shape
    return replace(result, generated=np.full(shape, generated), trained=np.full(shape, trained))


def test_cumulative_reward_is_a_sum_over_rounds() -> None:
    """As in the paper's table."""
    result = replace(PLAYED, rewards=np.array([[0.5, 0.0], [0.25, 1.0]]))
    assert list(measures.cumulative_reward(result)) == [0.75, 1.0]


def test_at_equal_costs_of_all_rounds_compute_is_just_another_clock() -> None:
    """Reward at equal compute is then the cumulative reward."""
    result = with_costs(PLAYED, 100, 60)
    budget, per_round = measures.common_budget([result]), measures.compute_per_round([result])
    assert (budget, per_round) == (200 * 160, 160)
    np.testing.assert_allclose(
        measures.reward_at_equal_compute(result, budget, per_round),
        measures.cumulative_reward(result),
    )


def test_who_pays_twice_for_the_same_rounds_has_half_of_them() -> None:
    """At equal compute it is cut off half-way, and each of its rounds lasts for two."""
    cheap, dear = with_costs(PLAYED, 50, 50), with_costs(PLAYED, 100, 100)
    budget = measures.common_budget([cheap, dear])
    np.testing.assert_allclose(
        measures.reward_at_equal_compute(dear, budget, 100), 2 * PLAYED.rewards[:100].sum(axis=0)
    )


def test_of_a_round_in_which_the_budget_ends_its_share_counts() -> None:
    """A quarter of a round brings a quarter of its reward."""
    rewards = np.array([[0.4], [0.8]])
    result = replace(
        PLAYED, rewards=rewards, generated=np.full((2, 1), 30.0), trained=np.full((2, 1), 10.0)
    )
    assert measures.reward_at_equal_compute(result, 50, 40) == pytest.approx(0.4 + 0.8 / 4)


def test_a_budget_that_nobody_spent_is_refused() -> None:
    """What was not played is not made up."""
    with pytest.raises(ValueError, match="budget"):
        measures.reward_at_equal_compute(PLAYED, measures.common_budget([PLAYED]) + 1, 100)


def test_the_common_budget_is_the_thriftiest_node_s() -> None:
    """So that nobody is asked for more than it spent."""
    thrifty = with_costs(PLAYED, 10, 0)
    assert measures.common_budget([PLAYED, thrifty]) == 2_000


def test_reward_per_million_counts_generated_tokens_only() -> None:
    """Training on what others generated is not charged there."""
    result = with_costs(PLAYED, 50, 10_000)
    np.testing.assert_allclose(
        measures.reward_per_million(result), 1e6 * PLAYED.rewards.sum(axis=0) / (50 * 200)
    )


def test_the_exam_gain_is_from_the_first_to_the_last() -> None:
    """Whatever happened in between."""
    result = replace(PLAYED, scores=np.array([[0.1, 0.2], [0.9, 0.9], [0.4, 0.1]]))
    assert list(measures.final_exam(result)) == [0.4, 0.1]
    assert list(measures.exam_gain(result)) == pytest.approx([0.3, -0.1])


def test_shares_are_of_all_rounds_together() -> None:
    """A round with many groups weighs more than one with few."""
    result = replace(
        PLAYED,
        tried=np.array([[4.0], [4.0]]),
        useful_own=np.array([[1.0], [3.0]]),
        heard=np.array([[0.0], [8.0]]),
        useful_swarm=np.array([[0.0], [2.0]]),
    )
    assert list(measures.useful_own_share(result)) == [0.5]
    assert list(measures.useful_swarm_share(result)) == [0.25]


def test_who_heard_nobody_has_no_share() -> None:
    """It is no number, and no warning."""
    assert np.isnan(measures.useful_swarm_share(invent("8/0"))).all()


def test_an_exam_at_equal_compute_lies_between_those_before_and_after() -> None:
    """Who pays twice for the same rounds is asked half-way; between two exams, in between."""
    cheap, dear = with_costs(PLAYED, 50, 50), with_costs(PLAYED, 100, 100)
    budget = measures.common_budget([cheap, dear])
    np.testing.assert_allclose(measures.exam_at_equal_compute(cheap, budget), PLAYED.scores[-1])
    np.testing.assert_allclose(measures.exam_at_equal_compute(dear, budget), PLAYED.scores[2])
    np.testing.assert_allclose(
        measures.exam_at_equal_compute(cheap, 25 * 100), PLAYED.scores[:2].mean(axis=0)
    )
    for measure in (measures.exam_at_equal_compute, measures.exam_area):
        with pytest.raises(ValueError, match="budget"):
            measure(cheap, budget + 1)


def test_who_learns_the_same_earlier_has_more_area() -> None:
    """The mean score over compute: of a straight line its middle, of a step its share."""
    line = with_costs(replace(PLAYED, scores=np.linspace(0, 1, 5)[:, None] * np.ones(4)), 50, 50)
    assert measures.exam_area(line, 200 * 100) == pytest.approx(0.5)
    assert measures.exam_area(line, 50 * 100) == pytest.approx(0.125), "until the second exam"
    early = replace(line, scores=np.array([0, 1, 1, 1, 1])[:, None] * np.ones(4))
    assert measures.exam_area(early, 200 * 100) == pytest.approx(0.875)


def test_most_of_the_last_rounds_must_show_their_work() -> None:
    """One round is not enough, rounds without such kinds do not count, and some never do."""
    shares = np.zeros((40, 4))
    shares[20:, 0] = 1.0  # six of ten in round 26
    shares[5, 1] = 1.0  # a round by chance
    shares[:20, 2] = np.nan
    shares[20:, 2] = 0.6
    result = replace(PLAYED, working=shares)
    assert list(measures.rounds_to_work(result)) == [26, np.inf, 21, np.inf]


@pytest.mark.parametrize("rounds", [1, 3, 9, 10])
def test_a_run_has_no_more_rounds_to_work_than_it_has(rounds: int) -> None:
    """All of a short one are looked at: who works from the first round on does by its end."""
    result = replace(PLAYED, working=np.tile([1.0, 0.0], (rounds, 1)))
    assert list(measures.rounds_to_work(result)) == [rounds, np.inf]
