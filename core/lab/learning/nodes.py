"""A node of a simulated swarm: the engine's own parts around one policy."""

from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from random import Random
from typing import ParamSpec, TypeVar

import msgspec

from core.bootstrap import ADAPTER_SEED
from core.engine.plan import RoundPlan
from core.engine.ports import Curriculum, Exchange, Sampler, Scorer, Swarm
from core.engine.questions import new_questions
from core.engine.round import Parts
from core.lab.learning.memory_swarm import InMemorySwarm, SharedRollouts
from core.lab.learning.observed import ObservedLearner, ObservedSampler, ObservedScorer, Recorder
from core.lab.learning.plans import ArmRun, peer_id, recipe_of
from core.models.catalog.catalog import load_models
from core.models.policy.loading import load_policy
from core.models.policy.policy import Policy
from core.rollouts.mixing import has_signal
from core.rollouts.types import PeerId, RolloutGroup
from core.sampling.torch_sampler import TorchSampler
from core.swarm.solo import SoloSwarm
from core.tasks.catalog import TaskCatalog
from core.tasks.skills import Skills, load_base_skills
from core.training.checkpoints import Checkpoint
from core.training.learner import GrpoLearner

ONESELF = PeerId("self")
"""Whose these groups are said to be, so that the own figures stay those of the I questions."""

MOST_TRIED = 64
"""Questions that a round tries, or a model that knows nothing would try forever."""


@dataclass(frozen=True, slots=True)
class SelfSupply:
    """Answers the node's request for groups with more of its own; matches ``ports.Swarm``."""

    plan: RoundPlan
    curriculum: Curriculum
    sampler: Sampler
    scorer: Scorer

    async def exchange(
        self, own: Sequence[RolloutGroup], want: int, score: float | None = None
    ) -> Exchange:
        """Try more questions until J groups teach something; no more than are missing at a time."""
        del want, score
        rng = Random(f"{self.plan.seed}/{own[0].round}/more")  # noqa: S311 - repeatable on purpose
        found: list[RolloutGroup] = []
        tried = 0
        while tried < MOST_TRIED and len(found) < self.plan.swarm_groups:
            missing = min(self.plan.swarm_groups - len(found), MOST_TRIED - tried)
            found += await self._try_more(missing, own[0].round, rng)
            tried += missing
        return Exchange(tuple(found), peers=0, reachable=True, words="")

    def learnt_from(self, groups: Sequence[RolloutGroup]) -> None:
        """There is nobody to thank."""

    async def _try_more(self, count: int, number: int, rng: Random) -> list[RolloutGroup]:
        questions = await new_questions(self.curriculum, self.scorer, count, rng)
        answers = self.sampler.complete(questions, self.plan.group_size, rng.getrandbits(62))
        tried = [
            RolloutGroup(q.key, q.digest, ONESELF, self.plan.model, number, completions)
            for q, completions in zip(questions, answers, strict=True)
        ]
        return [scored.group for scored in await self.scorer.judge(tried) if has_signal(scored)]


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
class InMemoryProgress:
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
    recorder: Recorder
    store: InMemoryProgress


@dataclass(frozen=True, slots=True)
class LearningWorld:
    """What the nodes of a run share."""

    practice: Callable[[int, Skills], Curriculum]  # of a node, by number and by what it can do
    scorer: Scorer
    rollouts: SharedRollouts
    catalog: TaskCatalog


def open_nodes(run: ArmRun, world: LearningWorld) -> list[LabNode]:
    """Load a policy for each of the run's models, and put its node together.

    Raises:
        UnknownModelError: the lab has no such base.
        ModelError: its files are missing or damaged.
    """
    return [_open_node(run, world, number) for number in range(len(run.setting.models))]


def _open_node(run: ArmRun, world: LearningWorld, number: int) -> LabNode:
    setting, arm = run.setting, run.arm
    recipe = recipe_of(arm, number)
    spec = load_models().get(setting.models[number])
    if setting.learning_rate is not None:
        spec = msgspec.structs.replace(spec, learning_rate=setting.learning_rate)
    policy = load_policy(spec, ADAPTER_SEED)
    plan = RoundPlan(
        model=spec.model_id,
        author=peer_id(number),
        seed=run.seed * 1_000 + number,
        local_groups=arm.local_groups,
        swarm_groups=arm.swarm_groups,
        group_size=run.group_size,
        recipe=recipe,
        teaches=arm.teaches,
    )
    recorder, store = Recorder(plan.author), InMemoryProgress()
    sampler = ObservedSampler(TorchSampler(policy), recorder)
    scorer = ObservedScorer(world.scorer, recorder)
    learner = ObservedLearner(GrpoLearner(policy, store, recipe), recorder)
    skills = Skills(world.catalog, load_base_skills(spec.folder))
    curriculum = world.practice(number, skills)
    swarm: Swarm = SoloSwarm()
    if arm.source == "swarm":
        swarm = InMemorySwarm(world.rollouts, plan.author, run.seed)
    elif arm.source == "self":
        swarm = SelfSupply(plan, curriculum, sampler, scorer)
    parts = Parts(curriculum, skills, scorer, sampler, swarm, learner, AtOnce())
    return LabNode(plan, parts, policy, recorder, store)
