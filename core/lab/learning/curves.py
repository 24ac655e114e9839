"""The lines of the lab's pictures: what an arm's seeds did on average, and their range."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.lab.learning.measures import MILLION
from core.lab.learning.results import Figures, RunResult

SMOOTHED: Final = 0.05
"""The share of the rounds that is averaged into one point of a curve."""


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """One arm's line with its band; all are [point]."""

    x: Figures
    mean: Figures  # over seeds
    low: Figures  # of the seeds
    high: Figures


def practice(results: Sequence[RunResult]) -> Curve:
    """Mean reward of a node, by round."""
    return _smooth(results, lambda one: one.rewards.mean(axis=1))


def useful_own(results: Sequence[RunResult]) -> Curve:
    """Own groups that were trained on, of those tried, by round."""
    return _smooth(results, lambda one: one.useful_own.sum(axis=1) / one.tried.sum(axis=1))


def entropy(results: Sequence[RunResult]) -> Curve:
    """Entropy of a node's answers in nats per token, by round."""
    return _smooth(results, lambda one: one.entropy.mean(axis=1))


def working(results: Sequence[RunResult]) -> Curve:
    """Share of the answers of all nodes that show their work, by round."""
    return _smooth(results, _working_by_round)


def _working_by_round(one: RunResult) -> Figures:
    """On straight lines over rounds in which nobody might have; 0 where there is no other."""
    counted = (~np.isnan(one.working)).sum(axis=1)
    (known,) = np.nonzero(counted)
    if not len(known):
        return np.zeros(len(counted))
    shares = np.nansum(one.working, axis=1)[known] / counted[known]
    by_round: Figures = np.interp(np.arange(len(counted)), known, shares)
    return by_round


def exam(results: Sequence[RunResult]) -> Curve:
    """Mean exam score of a node, by the rounds played before it."""
    return _over_seeds(_exam_rounds(results), [one.scores.mean(axis=1) for one in results])


def drift(results: Sequence[RunResult]) -> Curve:
    """Mean estimated KL(policy || base) in nats per token, by the rounds played before it."""
    return _over_seeds(_exam_rounds(results), [one.drift.mean(axis=1) for one in results])


def cost(results: Sequence[RunResult]) -> Curve:
    """Mean reward of a node, by the tokens that the swarm had generated until then, in millions."""
    rewards = practice(results)
    tokens = np.mean([one.generated.sum(axis=1).cumsum() for one in results], axis=0)
    rounds = np.arange(1, len(tokens) + 1)
    x = np.interp(rewards.x, rounds, tokens) / MILLION
    return Curve(x, rewards.mean, rewards.low, rewards.high)


def smoothed(values: Figures) -> tuple[Figures, Figures]:
    """The moving average of what is [round], and the round in the middle of what each averages."""
    window = max(1, round(SMOOTHED * len(values)))
    averages = np.convolve(values, np.full(window, 1 / window), mode="valid")
    middles = np.arange(len(averages), dtype=np.float64) + (window + 1) / 2
    return averages, middles


def _smooth(results: Sequence[RunResult], figure: Callable[[RunResult], Figures]) -> Curve:
    pairs = [smoothed(figure(result)) for result in results]
    return _over_seeds(pairs[0][1], [averages for averages, _ in pairs])


def _over_seeds(x: Figures, by_seed: Sequence[Figures]) -> Curve:
    stacked = np.stack(by_seed)
    return Curve(x, stacked.mean(axis=0), stacked.min(axis=0), stacked.max(axis=0))


def _exam_rounds(results: Sequence[RunResult]) -> Figures:
    return results[0].exam_rounds.astype(np.float64)
