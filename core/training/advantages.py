"""What a completion earned, relative to the others of its group, or to what was expected."""

from collections.abc import Callable, Mapping, Sequence
from statistics import fmean, pstdev
from typing import Final

from core.rollouts.prior import BetaPrior
from core.rollouts.recipes import Advantages


def group_advantages(rewards: Sequence[float]) -> list[float]:
    """(reward - mean) / standard deviation within one group (GRPO, arXiv 2402.03300, 4.1.2).

    The deviation is that of the population, and nothing is added to it: flat groups are dropped
    before, and a constant in the denominator would only mute the groups with one rare success.

    Raises:
        ValueError: all rewards are equal, so the group says nothing.
    """
    deviation = pstdev(rewards)
    if deviation == 0:
        raise ValueError("a flat group has no advantages")
    return [advantage / deviation for advantage in centred_advantages(rewards)]


def centred_advantages(rewards: Sequence[float]) -> list[float]:
    """Reward - mean within one group (Dr. GRPO, arXiv 2503.20783, 3.2)."""
    mean = fmean(rewards)
    return [reward - mean for reward in rewards]


def leave_one_out_advantages(rewards: Sequence[float]) -> list[float]:
    """Reward - mean of the others in its group (RLOO, arXiv 2402.14740, equation 8).

    A lone reward has nothing to be compared with, and an advantage of 0.
    """
    others = max(1, len(rewards) - 1)
    return [one * len(rewards) / others for one in centred_advantages(rewards)]


def shrunk_advantages(rewards: Sequence[float], prior: BetaPrior) -> list[float]:
    """Reward - posterior mean of its question; a shrinkage baseline (after arXiv 2511.03710).

    The mean of a few answers is a poor estimate of what a question earns, so it is shrunk towards
    that of its cell, which is older than all of them. It is the baseline of the others alone but
    for a factor that no reward moves, so the update keeps its direction. Answers that are all right
    or all wrong tell something, too.
    """
    expected = prior.posterior_mean(rewards)
    return [reward - expected for reward in rewards]


def stratified_advantages(
    rewards: Sequence[float], worked: Sequence[bool], effect: float, share: float
) -> list[float]:
    """Reward - mean of its stratum, and what the stratum is worth (Stratified GRPO, 2510.06214).

    Whoever chooses which answers to send chooses what the mean of a group teaches: bare right
    answers beside failures of working, each honestly meant, say that working does not pay. So
    answers that show their work are one stratum and all others the second. Not the group tells how
    much more the first earns (``effect``), nor, once such questions were tried here, how often the
    own policy works (``share``), against whose mean a stratum is held; see
    ``core.training.effect_of_working``. No right answer is unlearnt for how it was written, nor a
    wrong one learnt: where the sign is not that of reward - mean of the group, it is 0.

    Args:
        rewards: one per completion, each in [0, 1].
        worked: whether each shows its work.
        effect: expected reward of working less that of answering at once, in [-1, 1].
        share: expected share of worked ones among own answers to such a question, in [0, 1].
    """
    means = {
        stratum: fmean(r for r, shown in zip(rewards, worked, strict=True) if shown == stratum)
        for stratum in set(worked)
    }
    return [
        advantage
        if (advantage := reward - means[shown] + effect * (shown - share)) * plain > 0
        else 0.0
        for reward, shown, plain in zip(rewards, worked, centred_advantages(rewards), strict=True)
    ]


def credits_of_working(worked: Sequence[bool], effect: float, share: float) -> list[float]:
    """Expected reward of how each answer begins, less that of the policy's answers in the mean.

    Whether an answer shows its work is settled by its first token, or nearly so, and what that is
    worth is known from all tries so far: the advantage of that one action, Q - V, without the noise
    of this answer's reward. The reward is shared by all tokens of an answer, dozens where it is
    worked; and where all answers of a group are, it says nothing of how to begin.

    What earns less gets 0. Raising the one beginning lowers the other, and the gradient of a
    beginning that has become rare is the largest there is: to push it away spoils what it touches.

    Args:
        worked: whether each shows its work.
        effect: expected reward of working less that of answering at once, in [-1, 1].
        share: expected share of worked ones among own answers to such a question, in [0, 1].
    """
    return [max(0.0, effect * (shown - share)) for shown in worked]


PLAIN: Final[Mapping[Advantages, Callable[[Sequence[float]], list[float]]]] = {
    "scaled": group_advantages,
    "centred": centred_advantages,
    "shrunk": centred_advantages,
    "leave-one-out": leave_one_out_advantages,
}
"""Those that look at rewards alone; towards nothing, a mean is not shrunk."""
