"""How fast the learner takes one optimiser step."""

from collections.abc import Callable, Sequence
from pathlib import Path

from core.bench.material import LapWork, scored_groups
from core.models.policy.policy import Policy
from core.rollouts.types import Question
from core.training.checkpoints import CheckpointStore
from core.training.learner import GrpoLearner


def updating(policy: Policy, asked: Sequence[Question], work: LapWork) -> Callable[[], float]:
    """Make a task that takes one step on answers to ``asked``; returns the tokens in the loss."""
    learner = GrpoLearner(policy, CheckpointStore(Path("never-written")))
    groups = scored_groups(policy, asked, work)

    def update() -> float:
        return learner.update(groups).trained_tokens

    return update
