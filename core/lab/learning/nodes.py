"""A node of a simulated swarm: the engine's own parts around one policy."""

from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from typing import ParamSpec, TypeVar

import msgspec

from core.bootstrap import ADAPTER_SEED
from core.engine.ports import Curriculum, Scorer, Swarm
from core.engine.round import Parts, RoundPlan
from core.lab.learning.meadow import Meadow, Stall
from core.lab.learning.observed import Notepad, ObservedLearner, ObservedSampler, ObservedScorer
from core.lab.learning.plans import ArmRun, peer_id
from core.lab.learning.self_supply import SelfSupply
from core.lab.starters import base_spec
from core.models.policy.loading import load_policy
from core.models.policy.policy import Policy
from core.sampling.torch_sampler import TorchSampler
from core.swarm.solo import SoloSwarm
from core.training.checkpoints import Checkpoint
from core.training.learner import GrpoLearner

P = ParamSpec("P")
T = TypeVar("T")


class AtOnce(Executor):
    """Runs a call where it is submitted: one run of the lab is one thread, and so repeatable."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Run ``fn`` now."""
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:  # noqa: BLE001 - handed to whoever awaits, as executors do
            future.set_exception(error)
        return future


@dataclass(slots=True)
class Drawer:
    """Keeps a learner's newest checkpoint in memory; the lab saves all nodes in one file.

    Matches ``core.training.learner.ProgressStore``.
    """

    checkpoint: Checkpoint | None = None

    def save(self, checkpoint: Checkpoint) -> None:
        """Keep ``checkpoint`` in place of the one before."""
        self.checkpoint = checkpoint

    def newest(self) -> Checkpoint | None:
        """The one that was kept."""
        return self.checkpoint


@dataclass(slots=True)
class LabNode:
    """One node, ready to play rounds."""

    plan: RoundPlan
    parts: Parts
    policy: Policy
    notepad: Notepad
    drawer: Drawer


@dataclass(frozen=True, slots=True)
class LearningWorld:
    """What the nodes of a run share."""

    curriculum: Curriculum
    scorer: Scorer
    meadow: Meadow


def open_nodes(run: ArmRun, world: LearningWorld) -> list[LabNode]:
    """Load a policy for each of the run's models, and put its node together.

    Raises:
        UnknownModelError: the lab has no such base.
        ModelError: its files are missing or damaged.
    """
    return [_open_node(run, world, number) for number in range(len(run.setting.models))]


def _open_node(run: ArmRun, world: LearningWorld, number: int) -> LabNode:
    setting, arm = run.setting, run.arm
    spec = msgspec.structs.replace(
        base_spec(setting.models[number]), learning_rate=setting.learning_rate
    )
    policy = load_policy(spec, ADAPTER_SEED)
    plan = RoundPlan(
        model=spec.model_id,
        author=peer_id(number),
        seed=run.seed * 1_000 + number,
        local_groups=arm.local_groups,
        swarm_groups=arm.swarm_groups,
        group_size=setting.group_size,
        recipe=arm.recipe,
    )
    notepad, drawer = Notepad(plan.author), Drawer()
    sampler = ObservedSampler(TorchSampler(policy), notepad)
    scorer = ObservedScorer(world.scorer, notepad)
    learner = ObservedLearner(GrpoLearner(policy, drawer, arm.recipe), notepad)
    swarm: Swarm = SoloSwarm()
    if arm.source == "swarm":
        swarm = Stall(world.meadow, plan.author, run.seed)
    elif arm.source == "self":
        swarm = SelfSupply(plan, world.curriculum, sampler, scorer)
    parts = Parts(world.curriculum, scorer, sampler, swarm, learner, AtOnce())
    return LabNode(plan, parts, policy, notepad, drawer)
