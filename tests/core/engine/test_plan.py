"""The parameters of a round."""

from dataclasses import replace

import pytest

from core.engine.plan import RoundPlan
from tests.fakes import MODEL, OWN

PLAN = RoundPlan(MODEL, OWN, seed=7, local_groups=8, swarm_groups=4, group_size=8)


@pytest.mark.parametrize(
    ("swarm_groups", "sizes"),
    [
        (8, [(2, 2), (5, 5), (8, 8), (8, 8)]),
        (4, [(2, 1), (5, 3), (8, 4), (8, 4)]),
        (2, [(2, 1), (5, 2), (8, 2), (8, 2)]),
        (0, [(2, 0), (5, 0), (8, 0), (8, 0)]),
    ],
)
def test_groups_of_others_keep_their_share(swarm_groups: int, sizes: list[tuple[int, int]]) -> None:
    """Rounded up, so that a swarm is never left out; none stay none, and none are added."""
    plan = replace(PLAN, swarm_groups=swarm_groups)
    fitted = map(plan.with_questions, (2, 5, 8, 9))
    assert [(one.local_groups, one.swarm_groups) for one in fitted] == sizes
