"""Parts of swarms that are small enough for a test."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from core.engine.plan import RoundPlan
from core.engine.ports import Swarm
from core.engine.round import Parts
from core.lab.learning.hostile import Attackers, Claims, CredulousScorer, Target, hostile_nodes
from core.lab.learning.memory_swarm import InMemorySwarm, SharedRollouts
from core.lab.learning.nodes import AtOnce, InMemoryProgress, LabNode, LearningWorld
from core.lab.learning.observed import ObservedLearner, ObservedSampler, ObservedScorer, Recorder
from core.lab.learning.plans import Arm, ArmRun, Setting, peer_id
from core.lab.learning.poison_search import judge_openly
from core.lab.learning.records import EXAMS, ROUNDS
from core.lab.learning.run import Player, specialties
from core.models.policy.loading import load_policy
from core.models.policy.policy import Policy
from core.rollouts.types import (
    Completion,
    ModelId,
    PeerId,
    PuzzleKey,
    Question,
    RolloutGroup,
    SampledTokens,
    ScoredGroup,
)
from core.sampling.torch_sampler import TorchSampler
from core.tasks.catalog import PracticeMix, load_catalog
from core.tasks.reasoning_tasks import Puzzle, make_puzzle
from core.training.learner import GrpoLearner
from tests.fakes import CountingCurriculum, CountingSkills, question
from tests.tiny_models import tiny_spec

CATALOG = load_catalog()

ANNE, BOB = peer_id(1), peer_id(2)

RUN = ArmRun(
    Setting(("spark", "spark"), rounds=5, learning_rate=1e-3, exam_every=2, exam_puzzles=3),
    Arm("4/4", 3, 3, group_size=4),
    seed=1,
)
"""A run of seconds."""


def tried(author: PeerId, index: int, *texts: str, round_number: int = 1) -> RolloutGroup:
    """What ``author``, whose every token is the same, tried in a round."""
    completions = tuple(
        Completion(t, ended=True, tokens=SampledTokens((7,), (-1.0,))) for t in texts
    )
    asked = question(index)
    return RolloutGroup(asked.key, asked.digest, author, ModelId("m"), round_number, completions)


@lru_cache(maxsize=4096)
def puzzle(key: PuzzleKey) -> Puzzle:
    """As the judge would make it."""
    return make_puzzle(CATALOG, key)


class OpenScorer:
    """Judges like the isolated judge, without its process: what it judges here is our own."""

    async def ask(self, keys: Sequence[PuzzleKey]) -> list[Question]:
        return [puzzle(key).question for key in keys]

    async def judge(self, groups: Sequence[RolloutGroup]) -> list[ScoredGroup]:
        return [judged(group) for group in groups]


def judged(group: RolloutGroup) -> ScoredGroup:
    """What its completions truly earn, and which of them are odd."""
    return judge_openly(CATALOG.task(group.key.task), puzzle(group.key), group)


def rewards_of(group: RolloutGroup) -> tuple[float, ...]:
    """What its completions truly earn."""
    return judged(group).rewards


class ParityScorer:
    """Rewards answers of an odd number of letters, so that any model has something to learn."""

    async def ask(self, keys: Sequence[PuzzleKey]) -> list[Question]:
        return [question(key.seed) for key in keys]

    async def judge(self, groups: Sequence[RolloutGroup]) -> list[ScoredGroup]:
        return [
            ScoredGroup(
                question(group.key.seed),
                group,
                tuple(float(len(c.text) % 2) for c in group.completions),
            )
            for group in groups
        ]


@dataclass(frozen=True)
class Small:
    """A swarm of tiny models that rewards odd lengths."""

    nodes: list[LabNode]
    rollouts: SharedRollouts


def small_swarm(folder: Path, seed: int = 1, nodes: int = 2, recipe: str = "sapo") -> Small:
    """As ``open_nodes`` would put it together; all nodes have the model in ``folder``."""
    rollouts = SharedRollouts()
    return Small(
        [_node(folder, seed, number, recipe, rollouts) for number in range(nodes)], rollouts
    )


def _node(folder: Path, seed: int, number: int, recipe: str, rollouts: SharedRollouts) -> LabNode:
    policy = load_policy(tiny_spec(folder), 0)
    author = peer_id(number)
    plan = RoundPlan(ModelId("tiny"), author, seed * 1_000 + number, 2, 2, 4, recipe)
    return lab_node(plan, policy, InMemorySwarm(rollouts, author, seed))


def lab_node(plan: RoundPlan, policy: Policy, swarm: Swarm) -> LabNode:
    """A node around ``policy`` with everything else as small as can be."""
    recorder, store = Recorder(plan.author), InMemoryProgress()
    sampler = ObservedSampler(TorchSampler(policy), recorder)
    scorer = ObservedScorer(ParityScorer(), recorder)
    learner = ObservedLearner(GrpoLearner(policy, store, plan.recipe), recorder)
    parts = Parts(CountingCurriculum(), CountingSkills(), scorer, sampler, swarm, learner, AtOnce())
    return LabNode(plan, parts, policy, recorder, store)


def player(run: ArmRun, folder: Path) -> Player:
    """As ``play`` would put it together, but with the judge in this process."""
    folder.mkdir(exist_ok=True)
    mix, claims, scorer = PracticeMix(CATALOG, 1, specialties(CATALOG)), Claims(), OpenScorer()
    judge = scorer if run.arm.defended else CredulousScorer(scorer, claims)
    world = LearningWorld(
        lambda *_: mix, judge, SharedRollouts(by_author=run.arm.defended), CATALOG
    )
    return Player(run, folder, world, Attackers(hostile_nodes(run, Target(CATALOG, mix)), claims))


def rows(folder: Path) -> tuple[bytes, bytes]:
    """What a run has told so far: its rounds and its exams."""
    return (folder / ROUNDS).read_bytes(), (folder / EXAMS).read_bytes()
