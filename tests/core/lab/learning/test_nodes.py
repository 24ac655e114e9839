"""Nodes of the lab are the engine's own parts around one policy each."""

from concurrent.futures import Future

import pytest

from core.engine.ports import Progress
from core.errors import ModelError, UnknownModelError
from core.lab.learning.meadow import Meadow, Stall
from core.lab.learning.nodes import AtOnce, Drawer, LabNode, LearningWorld, open_nodes
from core.lab.learning.plans import Arm, ArmRun, Setting, Source, peer_id
from core.lab.learning.self_supply import SelfSupply
from core.swarm.solo import SoloSwarm
from core.training.checkpoints import Checkpoint, CheckpointNote
from tests.core.lab.learning.small import ParityScorer
from tests.fakes import CountingCurriculum


def opened(source: Source, models: tuple[str, ...] = ("spark",), seed: int = 3) -> list[LabNode]:
    setting = Setting(models, rounds=1, learning_rate=2e-5, group_size=5)
    arm = Arm("any", 2, 3, recipe="waggle", source=source)
    return open_nodes(
        ArmRun(setting, arm, seed), LearningWorld(CountingCurriculum(), ParityScorer(), Meadow())
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
        assert node.notepad.author == plan.author
        assert isinstance(node.parts.swarm, Stall)
    assert one.parts.pool is not two.parts.pool


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
    drawer = Drawer()
    assert drawer.newest() is None
    for number in (1, 2):
        drawer.save(Checkpoint(CheckpointNote("m", "b", Progress(1, number, "sapo")), {}))
    newest = drawer.newest()
    assert newest is not None
    assert newest.note.progress.round == 2
