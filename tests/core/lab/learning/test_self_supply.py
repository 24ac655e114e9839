"""The control: as many groups that teach as a swarm would give, made by oneself."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import pytest

from core.api.events import RoundFinished
from core.engine.ports import Swarm
from core.engine.round import Parts, RoundPlan, play_round
from core.lab.learning.self_supply import MOST_TRIED, ONESELF, SelfSupply
from core.rollouts.types import Completion, Question, RolloutGroup
from core.swarm.solo import SoloSwarm
from tests.fakes import (
    MODEL,
    OWN,
    AddingScorer,
    CountingCurriculum,
    FakePolicy,
    SameThread,
    peer_group,
)

PLAN = RoundPlan(MODEL, OWN, seed=7, local_groups=4, swarm_groups=4, group_size=8)


@dataclass
class Counted(FakePolicy):
    """Remembers how many questions it was given at a time, and which."""

    batches: list[int] = field(default_factory=list)
    asked: list[Question] = field(default_factory=list)

    def complete(
        self, questions: Sequence[Question], group_size: int, seed: int
    ) -> list[tuple[Completion, ...]]:
        self.batches.append(len(questions))
        self.asked += questions
        return super().complete(questions, group_size, seed)


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
    parts = Parts(CountingCurriculum(), AddingScorer(), policy, swarm, policy, SameThread())
    return (await play_round(1, PLAN, parts, lambda _: None)).finished
