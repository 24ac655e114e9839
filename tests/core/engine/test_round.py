"""The page that is the algorithm."""

from dataclasses import replace

import pytest

from core.engine.events import Event, PhaseEntered
from core.engine.ports import Exchange
from core.engine.round import Parts, RoundPlan, draw_questions, play_round
from core.rollouts.types import PeerId
from tests.fakes import (
    MODEL,
    OWN,
    AddingScorer,
    CountingCurriculum,
    FakePolicy,
    SameThread,
    ScriptedSwarm,
    peer_group,
)

PLAN = RoundPlan(MODEL, OWN, seed=7, local_groups=4, swarm_groups=2, group_size=8)


def make_parts(policy: FakePolicy, swarm: ScriptedSwarm | None = None) -> Parts:
    return Parts(
        CountingCurriculum(),
        AddingScorer(),
        policy,
        swarm or ScriptedSwarm(),
        policy,
        SameThread(),
    )


def nobody(_: Event) -> None:
    """Nobody listens."""


def trainable(count: int) -> list[int]:
    """Indices of questions that are not held out."""
    from tests.fakes import question

    return [i for i in range(1_000) if not question(i).is_held_out][:count]


async def test_a_round_trains_on_own_and_others_groups_that_teach() -> None:
    """Flat groups, own or others', never reach the learner; the rest does, up to J of others."""
    policy = FakePolicy()
    a, b, c, d = trainable(4)
    heard = (
        peer_group(a, 3, 5),
        peer_group(b, 8, 0),
        peer_group(c, 1, 7, PeerId("c" * 64)),
        peer_group(d, 2, 6, PeerId("d" * 64)),
    )
    swarm = ScriptedSwarm([Exchange(heard, 3, reachable=True, words="")])
    played = await play_round(1, PLAN, make_parts(policy, swarm), nobody)

    (trained,) = policy.trained_on
    assert all(not group.is_flat for group in trained)
    assert played.finished.swarm_groups == 4
    assert played.finished.useful_swarm == 2
    assert played.finished.useful_local == len(trained) - 2
    assert played.finished.swarm_score == pytest.approx(14 / 32)


async def test_the_same_inputs_give_the_same_round() -> None:
    """All randomness of a round comes from (seed, round)."""
    first = await play_round(3, PLAN, make_parts(FakePolicy()), nobody)
    again = await play_round(3, PLAN, make_parts(FakePolicy()), nobody)
    other = await play_round(3, replace(PLAN, seed=8), make_parts(FakePolicy()), nobody)
    assert first.finished.score == again.finished.score
    assert first.finished.score != other.finished.score


async def test_everything_tried_is_shared_whether_it_taught_or_not() -> None:
    """The swarm decides for itself what is useful; own groups are offered unjudged."""
    swarm = ScriptedSwarm()
    await play_round(1, PLAN, make_parts(FakePolicy(skill=1.0), swarm), nobody)
    assert len(swarm.shared) == PLAN.local_groups


async def test_a_round_without_anything_to_learn_updates_nothing() -> None:
    """A policy that is always right has flat groups only; no step is taken on nothing."""
    policy = FakePolicy(skill=1.0)
    played = await play_round(1, PLAN, make_parts(policy), nobody)
    assert policy.trained_on == []
    assert played.finished.score == 1.0
    assert played.finished.swarm_score is None


async def test_groups_on_other_questions_and_held_out_ones_are_ignored() -> None:
    """A peer cannot slip in a question of its own, nor one of the exam."""
    from tests.fakes import question

    held_out = next(i for i in range(1_000) if question(i).is_held_out)
    forged = replace(peer_group(trainable(1)[0], 4, 4), digest="0" * 16)
    swarm = ScriptedSwarm(
        [Exchange((forged, peer_group(held_out, 4, 4)), 1, reachable=True, words="")]
    )
    played = await play_round(1, PLAN, make_parts(FakePolicy(), swarm), nobody)
    assert played.finished.useful_swarm == 0


async def test_practice_never_touches_the_exam() -> None:
    """No question drawn in a hundred rounds is held out, and each round has all of its I."""
    parts = make_parts(FakePolicy())
    for number in range(1, 101):
        drawn = await draw_questions(number, PLAN, parts)
        assert len(drawn) == PLAN.local_groups
        assert not any(q.is_held_out for q in drawn)


async def test_phases_are_told_in_order() -> None:
    """The window can show what the round is doing."""
    told: list[Event] = []
    await play_round(1, PLAN, make_parts(FakePolicy()), told.append)
    phases = [event.phase for event in told if isinstance(event, PhaseEntered)]
    assert phases == ["asking", "sampling", "judging", "sharing", "judging", "learning"]


async def test_a_peer_is_no_louder_than_an_own_group() -> None:
    """Of a group with more completions than the own ones, only as many are judged and learnt."""
    policy = FakePolicy()
    loud = peer_group(trainable(1)[0], 3, 29)
    swarm = ScriptedSwarm([Exchange((loud,), 1, reachable=True, words="")])
    await play_round(1, PLAN, make_parts(policy, swarm), nobody)
    others = [g for g in policy.trained_on[0] if g.group.author == loud.author]
    assert [len(group.rewards) for group in others] == [PLAN.group_size]
