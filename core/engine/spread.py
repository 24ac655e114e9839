"""How far the members of a swarm are apart; pure."""

from collections import defaultdict
from collections.abc import Sequence
from statistics import pstdev

from core.rollouts.types import PeerId, ScoredGroup, mean_reward


def spread_of_authors(groups: Sequence[ScoredGroup]) -> float | None:
    """Standard deviation of the mean rewards of the authors of ``groups``, in [0, 0.5].

    None for fewer than two authors: nobody is apart from themselves.
    """
    by_author: defaultdict[PeerId, list[ScoredGroup]] = defaultdict(list)
    for scored in groups:
        by_author[scored.group.author].append(scored)
    means = [mean for theirs in by_author.values() if (mean := mean_reward(theirs)) is not None]
    return pstdev(means) if len(means) > 1 else None
