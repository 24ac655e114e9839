"""Which groups one update learns from: faithful SAPO (arXiv 2509.08721, section 3).

The paper's order matters: groups without advantage are dropped *first*, and J groups are drawn
uniformly from what is left of the swarm's, so that the share of others in an update does not
shrink when most of what they send is too easy or too hard. Pure: the same arguments, the same mix.
"""

from collections.abc import Iterable
from random import Random

from core.rollouts.types import Mix, ScoredGroup


def teaches(group: ScoredGroup) -> bool:
    """Whether an update may learn from ``group``: not flat, and no question of the exam."""
    return not group.is_flat and not group.question.is_held_out


def draw(
    own: Iterable[ScoredGroup], shared: Iterable[ScoredGroup], swarm_groups: int, rng: Random
) -> Mix:
    """Mix all own groups that teach with up to ``swarm_groups`` (J) of those ``shared``.

    Fewer than J where fewer teach; never filled up with own groups, as in the paper.
    """
    useful = [group for group in shared if teaches(group)]
    drawn = rng.sample(useful, min(swarm_groups, len(useful)))
    return Mix(local=tuple(group for group in own if teaches(group)), swarm=tuple(drawn))
