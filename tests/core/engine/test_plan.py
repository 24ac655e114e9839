"""The parameters of a round."""

from core.engine.plan import RoundPlan
from tests.fakes import MODEL, OWN

PLAN = RoundPlan(MODEL, OWN, seed=7, local_groups=8, swarm_groups=4, group_size=8)


def test_groups_of_others_are_fewer_in_proportion() -> None:
    """However many would fit, there are never more than were planned."""
    sizes = [(one.local_groups, one.swarm_groups) for one in map(PLAN.with_questions, (2, 5, 8, 9))]
    assert sizes == [(2, 1), (5, 3), (8, 4), (8, 4)]
