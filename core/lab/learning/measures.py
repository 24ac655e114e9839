"""What is read off a run: a figure for each of its nodes."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from core.lab.learning.results import Figures, RunResult

MILLION: Final = 1_000_000


def cumulative_reward(result: RunResult) -> Figures:
    """Mean rewards added up over all rounds, as [node]; the paper's figure is their sum."""
    total: Figures = result.rewards.sum(axis=0)
    return total


def compute(result: RunResult) -> Figures:
    """Tokens that were generated or trained on, as [round, node].

    Both count alike. A token of training costs about three times one of generation, but how much
    exactly depends on the machine.
    """
    return result.generated + result.trained


def common_budget(results: Sequence[RunResult]) -> float:
    """The compute that every node of all ``results`` has spent by its end, in tokens."""
    return min(float(compute(result).sum(axis=0).min()) for result in results)


def compute_per_round(results: Sequence[RunResult]) -> float:
    """Mean tokens of a node in a round, over all ``results``."""
    return float(np.mean([compute(result).mean() for result in results]))


def reward_at_equal_compute(result: RunResult, budget: float, per_round: float) -> Figures:
    """Cumulative reward when compute is the clock instead of rounds, as [node].

    The reward of a round is integrated over the compute that the round took, up to ``budget``
    tokens of each node; of a round that the budget ends in, its share. Divided by ``per_round``,
    the baseline's mean compute of a round, the unit is a round's worth of reward: for a run whose
    rounds all take ``per_round``, with the budget of all of them, it is the cumulative reward.

    Raises:
        ValueError: a node has not spent ``budget``.
    """
    spent = compute(result)
    after = spent.cumsum(axis=0)
    if (after[-1] < budget).any():
        raise ValueError("the budget is larger than what was spent")
    counted = np.clip(budget - (after - spent), 0, spent)
    rewards: Figures = (result.rewards * counted).sum(axis=0) / per_round
    return rewards


def reward_per_million(result: RunResult) -> Figures:
    """Cumulative reward for a million generated tokens, as [node]."""
    rate: Figures = MILLION * cumulative_reward(result) / result.generated.sum(axis=0)
    return rate


def final_exam(result: RunResult) -> Figures:
    """Score of the last exam, as [node]."""
    last: Figures = result.scores[-1]
    return last


def exam_at_equal_compute(result: RunResult, budget: float) -> Figures:
    """Score that an exam would have had after ``budget`` tokens of each node, as [node].

    On a straight line between the exams before and after.

    Raises:
        ValueError: a node has not spent ``budget``.
    """
    columns = zip(_spent_at_exams(result, budget).T, result.scores.T, strict=True)
    return np.array([np.interp(budget, tokens, scores) for tokens, scores in columns])


def exam_area(result: RunResult, budget: float) -> Figures:
    """Mean exam score over compute, from the start until ``budget`` tokens of each node, as [node].

    On straight lines from exam to exam: who learns the same earlier has more of it.

    Raises:
        ValueError: a node has not spent ``budget``.
    """
    areas = []
    for tokens, scores in zip(_spent_at_exams(result, budget).T, result.scores.T, strict=True):
        clock = np.append(tokens[tokens < budget], budget)
        areas.append(np.trapezoid(np.interp(clock, tokens, scores), clock) / budget)
    return np.array(areas)


WINDOW: Final = 10
"""Rounds over which ``rounds_to_work`` looks: a round has a few questions of these kinds."""


def rounds_to_work(result: RunResult) -> Figures:
    """After how many rounds own answers first showed their work in most cases, as [node].

    In the mean of the shares of the last ``WINDOW`` rounds (of all, in a shorter run) in which
    kinds were tried whose starters have seen it done; each counts alike, however many answers it
    had. Infinite where that never came.
    """
    reached = []
    window = min(WINDOW, len(result.working))
    for shares in result.working.T:
        known = ~np.isnan(shares)
        over = np.ones(window)
        counted = np.convolve(known, over, mode="valid")
        shown = np.convolve(np.where(known, shares, 0), over, mode="valid")
        (most,) = np.nonzero(shown > counted / 2)
        reached.append(most[0] + window if len(most) else np.inf)
    return np.array(reached)


def final_forgiven(result: RunResult) -> Figures:
    """Score of the last exam with the form forgiven, as [node]."""
    last: Figures = result.forgiven[-1]
    return last


def final_pass_8(result: RunResult) -> Figures:
    """Share of the last exam that is solved within eight tries, as [node]."""
    last: Figures = result.pass_8[-1]
    return last


def exam_gain(result: RunResult) -> Figures:
    """How much better the last exam went than the one before any practice, as [node]."""
    gain: Figures = final_exam(result) - result.scores[0]
    return gain


def useful_own_share(result: RunResult) -> Figures:
    """Own groups that were trained on, of those tried, as [node]."""
    return _share(result.useful_own, result.tried)


def useful_swarm_share(result: RunResult) -> Figures:
    """Groups of others that were trained on, of those judged, as [node]; NaN without any.

    A node trains on at most so many a round, so this is less than the share that would teach.
    """
    return _share(result.useful_swarm, result.heard)


def _spent_at_exams(result: RunResult, budget: float) -> Figures:
    """Tokens spent before each exam, as [exam, node]; refuses what was not played."""
    spent = np.vstack([np.zeros(result.scores.shape[1]), compute(result).cumsum(axis=0)])
    if (spent[-1] < budget).any():
        raise ValueError("the budget is larger than what was spent")
    at_exams: Figures = spent[result.exam_rounds]
    return at_exams


def _share(part: Figures, whole: Figures) -> Figures:
    parts, wholes = part.sum(axis=0), whole.sum(axis=0)
    shares: Figures = np.divide(parts, wholes, out=np.full(wholes.shape, np.nan), where=wholes > 0)
    return shares
