"""What a completion was worth beside its siblings."""

from collections.abc import Sequence
from statistics import fmean, pstdev


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
