"""Arms held against a baseline."""

from dataclasses import replace

import numpy as np
import pytest
from msgspec import structs

from core.lab.learning.comparison import Compared, compare, exam_by_task
from core.lab.learning.results import RunResult, by_arm
from tests.core.lab.learning.invented import invent

SEEDS = (1, 2, 3)
ALONE = [invent("8/0", seed) for seed in SEEDS]


def shared(factor: float, tokens: float = 1.0) -> list[RunResult]:
    """An arm that earns so many times as much as 8/0, at so many times the tokens."""
    arm = invent("4/4").run.arm
    return [
        replace(
            one,
            run=type(one.run)(one.run.setting, arm, one.run.seed),
            rewards=factor * one.rewards,
            generated=tokens * one.generated,
            trained=tokens * one.trained,
            scores=one.scores + 0.01,
        )
        for one in ALONE
    ]


def compared(*others: RunResult) -> list[Compared]:
    return compare(by_arm([*ALONE, *others], "8/0"))


def test_the_baseline_gains_nothing_over_itself() -> None:
    """It comes first, with figures of its own."""
    (one,) = compared()
    assert (one.name, one.local_groups, one.swarm_groups) == ("8/0", 8, 0)
    assert one.reward.gain is not None
    assert one.reward.gain.mean == 0
    assert one.reward.difference.mean == 0


def test_cumulative_reward_is_the_swarm_s_mean_over_seeds() -> None:
    """All nodes and rounds of a run added up."""
    (one,) = compared()
    sums = [float(result.rewards.sum()) for result in ALONE]
    assert one.reward.reached.mean == pytest.approx(np.mean(sums))
    assert min(sums) * 0.9 < one.reward.reached.low <= one.reward.reached.high < max(sums) * 1.1


def test_models_are_drawn_among_themselves() -> None:
    """So are nodes ahead: with no other difference between nodes or seeds nothing is uncertain."""
    models = ("spark", "spark", "ember", "ember")
    results = []
    for one in [*ALONE, *shared(1.5)]:
        setting = structs.replace(one.run.setting, models=models)
        ahead = int(one.run.arm.name == "4/4")
        plan = structs.replace(one.run.arm, ahead=ahead)
        scores = np.tile([0.4 + 0.2 * ahead, 0.4, 0.6, 0.6], (len(one.scores), 1))
        run = type(one.run)(setting, plan, one.run.seed)
        results.append(replace(one, run=run, scores=scores))
    for arm in compare(by_arm(results, "8/0")):
        for interval in (arm.exam.reached, arm.exam.gain, arm.exam.difference):
            assert interval is not None
            assert interval.high - interval.low == pytest.approx(0)


def test_a_known_gain_is_found() -> None:
    """Half as much again in practice, at the same costs; a point more in the exam."""
    _, one = compared(*shared(1.5))
    for figure in (one.reward, one.equal_compute, one.per_million):
        assert figure.gain is not None
        assert figure.gain.mean == pytest.approx(0.5)
        assert figure.gain.excludes_zero
    assert one.exam.difference.mean == pytest.approx(0.01)


def test_a_loss_is_found_as_well() -> None:
    """A fifth less."""
    _, one = compared(*shared(0.8))
    assert one.reward.gain is not None
    assert one.reward.gain.mean == pytest.approx(-0.2)
    assert one.reward.gain.excludes_zero


def test_what_costs_less_is_better_at_equal_compute() -> None:
    """With the same rewards for half of the tokens, rounds are equal and compute is not."""
    _, one = compared(*shared(1.0, tokens=0.5))
    assert one.reward.gain is not None
    assert one.reward.gain.mean == pytest.approx(0)
    assert one.equal_compute.gain is not None
    assert one.equal_compute.gain.low > 0.1  # rewards grow, and it is further on by then
    assert one.per_million.gain is not None
    assert one.per_million.gain.mean == pytest.approx(1)
    assert one.generated == pytest.approx(compared()[0].generated / 2)


def test_shares_are_of_the_own_and_of_what_was_heard() -> None:
    """Alone, nothing was heard."""
    arms = by_arm([*ALONE, *(invent("4/4", seed) for seed in SEEDS)], "8/0")
    alone, four = compare(arms)
    assert np.isnan(alone.useful_swarm)
    assert four.useful_swarm == pytest.approx(0.5)
    assert 0 < four.useful_own < 1


def test_exams_by_task_are_means_over_seeds_and_nodes() -> None:
    """Of the exam that is asked for."""
    scores = exam_by_task(ALONE, -1)
    assert list(scores) == list(ALONE[0].tasks)
    assert scores["bf"] == pytest.approx(np.mean([one.scores_by_task[-1, :, 0] for one in ALONE]))
    assert exam_by_task(ALONE, 0)["bf"] < scores["bf"]
