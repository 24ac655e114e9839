"""What the arms of an experiment reached, beside each other."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.lab.learning import measures
from core.lab.learning.intervals import Interval, difference_of, gain_of, interval_of
from core.lab.learning.results import Figures, RunResult, strata

Arms = Mapping[str, Sequence[RunResult]]
"""Runs by arm, the baseline first, as ``results.by_arm`` sorts them."""

Measure = Callable[[RunResult], Figures]


@dataclass(frozen=True, slots=True)
class Against:
    """A figure of an arm, and how it stands against that of the baseline."""

    reached: Interval
    gain: Interval | None
    """Share that it is more; None where the baseline earned nothing that could be more of."""
    difference: Interval


@dataclass(frozen=True, slots=True)
class Compared:
    """One arm against the baseline; shares and tokens are means over seeds."""

    name: str
    local_groups: int  # I
    swarm_groups: int  # J
    reward: Against  # cumulative, of the swarm
    equal_compute: Against  # the same at equal compute, in rounds of the baseline
    per_million: Against  # cumulative reward for a million generated tokens
    exam: Against  # score of the last one
    exam_equal_compute: Against  # score at equal compute, between two exams
    exam_area: Against  # mean score until the same compute
    forgiven: Against  # score of the last one with the form forgiven
    pass_8: Against  # share of the last one that is solved within eight tries
    exam_gain: float  # from the first exam to the last
    useful_own: float  # share of the own groups that were trained on
    useful_swarm: float  # share of the groups of others that were trained on; NaN without any
    generated: float  # tokens of the swarm
    trained: float  # tokens of the swarm


def compare(arms: Arms) -> list[Compared]:
    """Hold every arm against the baseline, which comes first and is held against itself."""
    baseline = next(iter(arms.values()))
    budget = measures.common_budget([result for results in arms.values() for result in results])
    per_round = measures.compute_per_round(baseline)
    nodes = len(baseline[0].run.setting.models)

    def reward(result: RunResult) -> Figures:
        return nodes * measures.cumulative_reward(result)  # the mean of these is the swarm's sum

    def equal_compute(result: RunResult) -> Figures:
        return nodes * measures.reward_at_equal_compute(result, budget, per_round)

    def exam_equal_compute(result: RunResult) -> Figures:
        return measures.exam_at_equal_compute(result, budget)

    def exam_area(result: RunResult) -> Figures:
        return measures.exam_area(result, budget)

    return [
        Compared(
            name=name,
            local_groups=results[0].run.arm.local_groups,
            swarm_groups=results[0].run.arm.swarm_groups,
            reward=_against(results, baseline, reward),
            equal_compute=_against(results, baseline, equal_compute),
            per_million=_against(results, baseline, measures.reward_per_million),
            exam=_against(results, baseline, measures.final_exam),
            exam_equal_compute=_against(results, baseline, exam_equal_compute),
            exam_area=_against(results, baseline, exam_area),
            forgiven=_against(results, baseline, measures.final_forgiven),
            pass_8=_against(results, baseline, measures.final_pass_8),
            exam_gain=_mean(results, measures.exam_gain),
            useful_own=_mean(results, measures.useful_own_share),
            useful_swarm=_mean(results, measures.useful_swarm_share),
            generated=_tokens(results, lambda one: one.generated),
            trained=_tokens(results, lambda one: one.trained),
        )
        for name, results in arms.items()
    ]


def exam_by_task(results: Sequence[RunResult], exam: int) -> dict[str, float]:
    """Mean score of each task over seeds and nodes, NaN without puzzles; exam -1 is the last."""
    scores = np.stack([result.scores_by_task[exam] for result in results]).mean(axis=(0, 1))
    return dict(zip(results[0].tasks, map(float, scores), strict=True))


def _against(
    results: Sequence[RunResult], baseline: Sequence[RunResult], measure: Measure
) -> Against:
    values = np.stack([measure(result) for result in results])
    below = np.stack([measure(result) for result in baseline])
    own = strata(results[0])
    both = list(zip(own, strata(baseline[0]), strict=True))
    return Against(
        interval_of(values, own),
        gain_of(values, below, both),
        difference_of(values, below, both),
    )


def _mean(results: Sequence[RunResult], measure: Measure) -> float:
    return float(np.mean([measure(result) for result in results]))


def _tokens(results: Sequence[RunResult], of: Measure) -> float:
    return float(np.mean([of(result).sum(axis=0).sum() for result in results]))
