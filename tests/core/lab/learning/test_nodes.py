"""Nodes of the lab are the engine's own parts around one policy each."""

from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace

import pytest

from core.api.events import RoundFinished
from core.engine.plan import RoundPlan
from core.engine.ports import Progress, Swarm
from core.engine.round import play_round
from core.errors import ModelError, UnknownModelError
from core.lab.learning.memory_swarm import InMemorySwarm, SharedRollouts
from core.lab.learning.nodes import (
    MOST_TRIED,
    ONESELF,
    AtOnce,
    InMemoryProgress,
    LabNode,
    LearningWorld,
    SelfSupply,
    open_nodes,
)
from core.lab.learning.plans import Arm, ArmRun, Setting, Source, peer_id
from core.rollouts.types import Completion, Question, RolloutGroup
from core.swarm.solo import SoloSwarm
from core.training.checkpoint_notes import CheckpointNote
from core.training.checkpoints import Checkpoint
from tests.core.lab.learning.small import CATALOG, ParityScorer
from tests.fakes import (
    MODEL,
    OWN,
    AddingScorer,
    CountingCurriculum,
    FakePolicy,
    fake_parts,
    peer_group,
)


def opened(source: Source, models: tuple[str, ...] = ("spark",), seed: int = 3) -> list[LabNode]:
    setting = Setting(models, rounds=1, learning_rate=2e-5)
    arm = Arm("any", 2, 3, group_size=5, recipe="waggle", source=source)
    return open_nodes(
        ArmRun(setting, arm, seed),
        LearningWorld(lambda *_: CountingCurriculum(), ParityScorer(), SharedRollouts(), CATALOG),
    )


def test_every_node_has_its_own_policy_chance_and_name() -> None:
    """Nothing is shared but the world; what arm and setting say is in every plan."""
    one, two = opened("swarm", ("spark", "spark"))
    assert one.policy is not two.policy
    assert [node.plan.author for node in (one, two)] == [peer_id(0), peer_id(1)]
    assert one.plan.seed != two.plan.seed
    for node in (one, two):
        plan = node.plan
        assert (plan.local_groups, plan.swarm_groups, plan.group_size) == (2, 3, 5)
        assert plan.recipe == "waggle"
        assert node.policy.spec.learning_rate == 2e-5
        assert node.recorder.author == plan.author
        assert isinstance(node.parts.swarm, InMemorySwarm)
    assert one.parts.pool is not two.parts.pool


@pytest.mark.parametrize("teaches", [True, False])
def test_an_arm_says_whether_decks_teach(*, teaches: bool) -> None:
    """As a person's settings do for a node of the product."""
    setting = Setting(("spark",), rounds=1, learning_rate=None)
    run = ArmRun(setting, Arm("any", 2, 0, source="nobody", teaches=teaches), seed=1)
    world = LearningWorld(
        lambda *_: CountingCurriculum(), ParityScorer(), SharedRollouts(), CATALOG
    )
    (node,) = open_nodes(run, world)
    assert node.plan.teaches == teaches


@pytest.mark.parametrize(("source", "kind"), [("self", SelfSupply), ("nobody", SoloSwarm)])
def test_an_arm_says_where_groups_come_from(source: Source, kind: type[object]) -> None:
    """From a swarm, from more of the own, or from nowhere."""
    (node,) = opened(source)
    assert isinstance(node.parts.swarm, kind)


def test_another_seed_is_another_chance() -> None:
    """For every node; arms of one seed share theirs, so that they try the same puzzles."""
    assert opened("nobody", seed=1)[0].plan.seed != opened("nobody", seed=2)[0].plan.seed
    assert opened("nobody", seed=1)[0].plan.seed == opened("self", seed=1)[0].plan.seed


def test_an_unknown_model_is_told() -> None:
    """By a name that a person can mend."""
    with pytest.raises(UnknownModelError, match="sparc"):
        opened("swarm", ("sparc",))


def test_a_call_is_done_where_it_is_submitted() -> None:
    """Its outcome waits for whoever awaits it, errors too."""
    said: list[str] = []
    future: Future[None] = AtOnce().submit(said.append, "now")
    assert said == ["now"]
    assert future.result() is None
    with pytest.raises(ModelError, match="broken"):
        AtOnce().submit(_fail).result()


def _fail() -> None:
    raise ModelError("broken")


def test_a_drawer_keeps_the_newest() -> None:
    """One checkpoint, and none before the first."""
    store = InMemoryProgress()
    assert store.newest() is None
    for number in (1, 2):
        store.save(Checkpoint(CheckpointNote("m", "b", Progress(1, number, "sapo")), {}))
    newest = store.newest()
    assert newest is not None
    assert newest.note.progress.round == 2


PLAN = RoundPlan(MODEL, OWN, seed=7, local_groups=4, swarm_groups=4, group_size=8)


@dataclass
class Counted(FakePolicy):
    """Remembers how many questions it was given at a time, and which."""

    batches: list[int] = field(default_factory=list)
    asked: list[Question] = field(default_factory=list)

    def complete(
        self,
        questions: Sequence[Question],
        group_size: int,
        seed: int,
        *,
        most_tokens: int | None = None,
    ) -> list[tuple[Completion, ...]]:
        self.batches.append(len(questions))
        self.asked += questions
        return super().complete(questions, group_size, seed, most_tokens=most_tokens)


def supply(policy: FakePolicy) -> SelfSupply:
    return SelfSupply(PLAN, CountingCurriculum(), policy, AddingScorer())


async def drawn(policy: FakePolicy, number: int = 1) -> list[RolloutGroup]:
    """What it brings in a round."""
    own = replace(peer_group(1, 1, 1, OWN), round=number)
    return list((await supply(policy).exchange([own], want=99)).groups)


@pytest.mark.parametrize("skill", [0.03, 0.25, 0.9])
async def test_exactly_as_many_groups_that_teach_as_are_asked_for(skill: float) -> None:
    """However rare they are; each of them teaches, and none is on a question of the exam."""
    groups = await drawn(Counted(skill))
    assert len(groups) == PLAN.swarm_groups
    judged = await AddingScorer().judge(groups)
    assert not any(one.is_flat or one.question.is_held_out for one in judged)


@pytest.mark.parametrize("skill", [0.03, 0.25, 0.9])
async def test_no_question_is_tried_in_vain(skill: float) -> None:
    """Never more at a time than are missing: what it costs is what a swarm saves."""
    policy = Counted(skill)
    groups = await drawn(policy)
    last = {group.key for group in groups[-1:]}
    assert policy.asked[-1].key in last, "the last question tried completed the number"
    assert all(size <= PLAN.swarm_groups for size in policy.batches)
    assert policy.batches == sorted(policy.batches, reverse=True)


@pytest.mark.parametrize("skill", [0.0, 1.0])
async def test_it_gives_up_where_nothing_teaches(skill: float) -> None:
    """After so many questions, with what there is."""
    policy = Counted(skill)
    assert await drawn(policy) == []
    assert sum(policy.batches) == MOST_TRIED


async def test_the_same_round_brings_the_same_groups() -> None:
    """So that a resumed run is the same run; another round brings others."""
    first = await drawn(FakePolicy())
    assert first == await drawn(FakePolicy())
    assert first != await drawn(FakePolicy(), number=2)


async def test_the_nodes_own_figures_stay_those_of_its_own_questions() -> None:
    """In a round it stands for a swarm: the own score is that of a node alone, J groups come on."""
    policy = FakePolicy()
    swarm: Swarm = supply(policy)
    finished = await _played(policy, swarm)
    alone = await _played(FakePolicy(), SoloSwarm())
    assert (finished.score, finished.local_groups) == (alone.score, alone.local_groups)
    assert finished.useful_swarm == PLAN.swarm_groups
    others = [one for one in policy.trained_on[0] if one.group.author != OWN]
    assert {one.group.author for one in others} == {ONESELF}
    assert len(others) == PLAN.swarm_groups
    swarm.learnt_from([one.group for one in others])


async def _played(policy: FakePolicy, swarm: Swarm) -> RoundFinished:
    parts = fake_parts(policy, swarm)
    return (await play_round(1, PLAN, parts, lambda _: None)).finished
