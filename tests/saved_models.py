"""Homes in which a model has practised, made without any practice; and an exam's result."""

import torch
from msgspec.structs import replace

from core.api.practice import ExamResult
from core.bootstrap import ADAPTER_SEED
from core.engine.exam import Grade
from core.engine.ports import Progress
from core.models.catalog.catalog import load_models
from core.models.policy.loading import load_policy
from core.paths import Home
from core.rollouts.types import TaskId
from core.services.exam import sum_up
from core.tasks.catalog import load_catalog
from core.training.checkpoints import CheckpointStore
from core.training.learner import GrpoLearner

MODEL = "spark"
_GCD, _LCM = TaskId("gcd"), TaskId("lcm")


def save_progress(home: Home, rounds: int) -> None:
    """Let the starter have learnt something strange in ``rounds`` rounds."""
    home.prepare()
    policy = load_policy(load_models().get(MODEL), ADAPTER_SEED)
    noise = torch.Generator().manual_seed(rounds)
    for parameter in policy.adapter().values():
        parameter.data += 0.05 * torch.randn(parameter.shape, generator=noise)
    learner = GrpoLearner(policy, CheckpointStore(home.checkpoints / MODEL))
    learner.save(Progress(seed=1, round=rounds, recipe="sapo"))


def invented_exam() -> ExamResult:
    """Four puzzles of two kinds and three cells, after seven rounds; one was wrong in form only."""
    before = [
        Grade(_GCD, 1, 0.25, 0.75, 1.0),
        Grade(_GCD, 2, 0.5, 0.5, 1.0),
        Grade(_GCD, 1, 0.75, 0.75, 1.0),
        Grade(_LCM, 1, 0.0, 0.0, 0.0),
    ]
    now = [
        Grade(_GCD, 1, 0.75, 0.75, 1.0),
        Grade(_GCD, 2, 0.5, 0.5, 1.0),
        Grade(_GCD, 1, 1.0, 1.0, 1.0),
        Grade(_LCM, 1, 0.5, 0.5, 1.0),
    ]
    return replace(sum_up(load_catalog(), MODEL, 7, before, now), at=1_700_000_000.0)
