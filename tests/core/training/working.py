"""A tiny policy that shows its work now and then."""

from pathlib import Path
from typing import Final

from core.models.policy.policy import Policy
from core.training.checkpoints import CheckpointStore
from core.training.learner import GrpoLearner
from tests.tiny_models import answered, load_tiny_policy

PROMPT: Final = "Calculate 1 + 2."
RIGHT: Final = "1+2 <answer>3"
WRONG: Final = "1+2 <answer>4"
BARE: Final = "3"
ECHO: Final = "1 <answer>3"
"""What it would not say: the second token of it."""


def working_policy(folder: Path) -> Policy:
    """One that answers ``RIGHT``, ``WRONG`` or ``BARE``."""
    policy = load_tiny_policy(folder)
    learner = GrpoLearner(policy, CheckpointStore(folder / "taught"))
    for _ in range(40):
        learner.update([answered(PROMPT, {RIGHT: 1.0, WRONG: 1.0, BARE: 1.0, "~~~~": 0.0})])
    return policy
