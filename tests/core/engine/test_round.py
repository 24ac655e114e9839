"""The page that is the algorithm."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from statistics import fmean

import pytest

from core.api.events import Event, PhaseEntered
from core.engine.plan import RoundPlan
from core.engine.ports import Exchange, UpdateReport
from core.engine.round import FROM_OTHERS, play_round, stream
from core.rollouts import mixing
from core.rollouts.pool import MOST_ASKED
from core.rollouts.probing import PROBE
from core.rollouts.taught import CellHistory
from core.rollouts.types import (
    Completion,
    PeerId,
    PuzzleKey,
    Question,
    RolloutGroup,
    ScoredGroup,
    mean_reward,
)
from core.swarm.solo import SoloSwarm
from tests.fakes import (
    CELL,
    MODEL,
    OWN,
    AddingScorer,
    CountingSkills,
    FakePolicy,
    ScriptedSwarm,
    fake_parts,
    peer_group,
    question,
    solution,
)

PLAN = RoundPlan(MODEL, OWN, seed=7, local_groups=4, swarm_groups=2, group_size=8)


def nobody(_: Event) -> None:
    """Nobody listens."""


def trainable(count: int) -> list[int]:
    """Indices of questions that are not held out."""
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
    played = await play_round(1, PLAN, fake_parts(policy, swarm), nobody)

    (trained,) = policy.trained_on
    assert all(not group.is_flat for group in trained)
    assert played.finished.swarm_groups == 4
    assert played.finished.useful_swarm == 2
    assert played.finished.useful_local == len(trained) - 2
    assert played.finished.swarm_score == pytest.approx(14 / 32)


async def test_the_same_inputs_give_the_same_round() -> None:
    """All randomness of a round comes from (seed, round)."""
    first = await play_round(3, PLAN, fake_parts(FakePolicy()), nobody)
    again = await play_round(3, PLAN, fake_parts(FakePolicy()), nobody)
    other = await play_round(3, replace(PLAN, seed=8), fake_parts(FakePolicy()), nobody)
    assert first.finished.score == again.finished.score
    assert first.finished.score != other.finished.score


async def test_everything_tried_is_shared_whether_it_taught_or_not() -> None:
    """The swarm decides for itself what is useful; own groups are offered unjudged."""
    swarm = ScriptedSwarm()
    await play_round(1, PLAN, fake_parts(FakePolicy(skill=1.0), swarm), nobody)
    assert len(swarm.shared) == PLAN.local_groups


async def test_what_is_not_to_be_shared_is_learnt_from_and_stays_here() -> None:
    """Nor does it count as given."""
    swarm = ScriptedSwarm([Exchange((), 3, reachable=True, words="")])
    policy = FakePolicy(skill=0.5)
    seen = await play_round(1, PLAN, fake_parts(policy, swarm), nobody)
    kinds = frozenset(one.question.key.task for one in seen.own)
    swarm = ScriptedSwarm([Exchange((), 3, reachable=True, words="")])
    own = replace(PLAN, unshared=kinds)
    played = await play_round(1, own, fake_parts(policy, swarm), nobody)
    assert swarm.shared == []
    assert played.finished.shared == 0
    assert played.finished.useful_local > 0


async def test_answers_are_counted_with_those_that_were_right() -> None:
    """The score is the share of the two; a round that was tried alone shared nothing."""
    played = await play_round(1, PLAN, fake_parts(FakePolicy(skill=0.5)), nobody)
    done = played.finished
    assert done.answers == PLAN.local_groups * PLAN.group_size
    assert done.solved is not None
    assert 0 < done.solved < done.answers
    assert done.score == pytest.approx(done.solved / done.answers)
    assert done.shared == 0


@pytest.mark.parametrize(
    ("peers", "reachable", "shared"), [(3, True, PLAN.local_groups), (3, False, 0), (0, True, 0)]
)
async def test_groups_count_as_shared_while_others_are_there(
    *, peers: int, reachable: bool, shared: int
) -> None:
    """What waits for others to come is not counted as given."""
    swarm = ScriptedSwarm([Exchange((), peers, reachable=reachable, words="")])
    played = await play_round(1, PLAN, fake_parts(FakePolicy(), swarm), nobody)
    assert played.finished.shared == shared


async def test_a_round_without_anything_to_learn_updates_nothing() -> None:
    """A policy that is always right has flat groups only; no step is taken on nothing."""
    policy = FakePolicy(skill=1.0)
    played = await play_round(1, PLAN, fake_parts(policy), nobody)
    assert policy.trained_on == []
    assert played.finished.score == 1.0
    assert played.finished.swarm_score is None


async def test_groups_on_other_questions_and_held_out_ones_are_ignored() -> None:
    """A peer cannot slip in a question of its own, nor one of the exam."""
    held_out = next(i for i in range(1_000) if question(i).is_held_out)
    forged = replace(peer_group(trainable(1)[0], 4, 4), digest="0" * 16)
    swarm = ScriptedSwarm(
        [Exchange((forged, peer_group(held_out, 4, 4)), 1, reachable=True, words="")]
    )
    played = await play_round(1, PLAN, fake_parts(FakePolicy(), swarm), nobody)
    assert played.finished.useful_swarm == 0


async def test_phases_are_told_in_order() -> None:
    """The window can show what the round is doing."""
    told: list[Event] = []
    await play_round(1, PLAN, fake_parts(FakePolicy()), told.append)
    phases = [event.phase for event in told if isinstance(event, PhaseEntered)]
    assert phases == ["asking", "sampling", "judging", "sharing", "judging", "learning"]


async def test_a_peer_is_no_louder_than_an_own_group() -> None:
    """Of a group with more completions than the own ones, only as many are judged and learnt.

    The last ones: by the first a group may have been chosen.
    """
    policy = FakePolicy()
    loud = peer_group(trainable(1)[0], 29, 3)
    swarm = ScriptedSwarm([Exchange((loud,), 1, reachable=True, words="")])
    await play_round(1, PLAN, fake_parts(policy, swarm), nobody)
    others = [g for g in policy.trained_on[0] if g.group.author == loud.author]
    assert [len(group.rewards) for group in others] == [PLAN.group_size]


@pytest.mark.parametrize(
    ("plan", "looked_at"),
    [(replace(PLAN, group_size=4), FROM_OTHERS), (replace(PLAN, group_size=4, is_small=False), 4)],
)
async def test_small_models_look_at_more_of_others_than_of_their_own(
    plan: RoundPlan, looked_at: int
) -> None:
    """Of a larger group as many as it may have; where each takes long, the last ones."""
    policy, loud = FakePolicy(), peer_group(trainable(1)[0], 29, 3)
    swarm = ScriptedSwarm([Exchange((loud,), 1, reachable=True, words="")])
    await play_round(1, plan, fake_parts(policy, swarm), nobody)
    others = [g for g in policy.trained_on[0] if g.group.author == loud.author]
    assert [len(group.rewards) for group in others] == [looked_at]


@dataclass
class PlentifulSwarm:
    """Has as many groups as anybody wants, the first of which in every ``one_in`` teaches."""

    one_in: int = 1
    sites: int = 100  # from so many places, in turn
    wanted: list[int] = field(default_factory=list)
    next: int = 0

    async def exchange(
        self, own: Sequence[RolloutGroup], want: int, score: float | None = None
    ) -> Exchange:
        del own, score
        self.wanted.append(want)
        fresh = trainable(self.next + want)[self.next :]
        self.next += want
        groups = [
            peer_group(index, 3, 5) if place % self.one_in == 0 else peer_group(index, 0, 8)
            for place, index in enumerate(fresh)
        ]
        placed = [replace(g, site=str(place % self.sites)) for place, g in enumerate(groups)]
        return Exchange(tuple(placed), 1, reachable=True, words="")

    def learnt_from(self, groups: Sequence[RolloutGroup]) -> None:
        """It needs no thanks."""


async def asked(swarm: PlentifulSwarm, plan: RoundPlan = PLAN, rounds: int = 1) -> list[int]:
    """How much was asked for in each of so many rounds."""
    parts = fake_parts(FakePolicy(), swarm)
    for number in range(1, rounds + 1):
        await play_round(number, plan, parts, nobody)
    return swarm.wanted


async def test_at_first_twice_as_much_is_asked_for_as_is_trained_on() -> None:
    """Some of what comes will be flat; nobody knows yet how much."""
    assert await asked(PlentifulSwarm()) == [2 * PLAN.swarm_groups]


async def test_the_less_teaches_the_more_is_asked_for() -> None:
    """J groups that teach are wanted, however many have to be looked at for them."""
    rich = await asked(PlentifulSwarm(one_in=1), rounds=6)
    poor = await asked(PlentifulSwarm(one_in=5), rounds=6)
    assert rich[-1] <= PLAN.swarm_groups + 1
    assert poor[-1] >= 3 * PLAN.swarm_groups
    assert poor == sorted(poor)


async def test_there_is_an_end_to_asking() -> None:
    """Where nothing teaches, at most so many times J, or a swarm of beginners would drown."""
    wanted = await asked(PlentifulSwarm(one_in=10**9), rounds=12)
    assert max(wanted) == wanted[-1] == MOST_ASKED * PLAN.swarm_groups


async def test_who_wants_nothing_of_others_asks_for_nothing() -> None:
    """Plain GRPO stays plain GRPO, also under a recipe that fills up."""
    for recipe in ("sapo", "waggle"):
        alone = replace(PLAN, swarm_groups=0, recipe=recipe)
        assert await asked(PlentifulSwarm(), alone, rounds=3) == [0, 0, 0]


async def test_flat_groups_of_ones_own_are_made_up_for_where_the_recipe_fills() -> None:
    """Then an update has I + J groups if the swarm has enough; in the paper it has fewer."""
    clumsy = FakePolicy(skill=0.05)
    sizes = {}
    for recipe in ("sapo", "waggle"):
        policy = replace(clumsy, trained_on=[])
        plan = replace(PLAN, recipe=recipe)
        played = await play_round(1, plan, fake_parts(policy, PlentifulSwarm()), nobody)
        assert played.finished.useful_local < PLAN.local_groups
        sizes[recipe] = (len(policy.trained_on[0]), played.finished.useful_local)
    assert sizes["waggle"][0] == PLAN.local_groups + PLAN.swarm_groups
    assert sizes["sapo"][0] == sizes["sapo"][1] + PLAN.swarm_groups


@pytest.mark.parametrize("recipe", ["waggle", "waggle-adaptive"])
@pytest.mark.parametrize("most", [2, 4])
async def test_where_updates_are_slow_others_only_stand_in(recipe: str, most: int) -> None:
    """For own groups that teach nothing; what the own ones teach is always learnt."""
    policy = FakePolicy(skill=0.05)
    plan = replace(PLAN, recipe=recipe, learnt_groups=most)
    played = await play_round(1, plan, fake_parts(policy, PlentifulSwarm()), nobody)
    own = played.finished.useful_local
    assert 0 < own < PLAN.local_groups
    assert len(policy.trained_on[0]) == max(most, own)


async def test_a_lone_place_does_not_fill_an_update_up() -> None:
    """It gives J, as in the paper; so no place is more than half of a full update of I + J."""
    policy = FakePolicy(skill=0.05)
    plan = replace(PLAN, recipe="waggle")
    played = await play_round(1, plan, fake_parts(policy, PlentifulSwarm(sites=1)), nobody)
    assert played.finished.useful_local < PLAN.local_groups
    assert played.finished.useful_swarm == PLAN.swarm_groups


@pytest.mark.parametrize("recipe", ["sapo", "waggle"])
async def test_what_the_learner_does_not_believe_takes_no_place(recipe: str) -> None:
    """Under no recipe: another is learnt from in its stead, and nobody is thanked for it."""
    a, b, *_ = trainable(2)
    strange, familiar = peer_group(a, 4, 4), peer_group(b, 1, 7, PeerId("c" * 64))
    plan = replace(PLAN, recipe=recipe, swarm_groups=1, local_groups=0)
    for seed in range(5):
        policy = FakePolicy(unlikely=solution(strange.key))
        swarm = ScriptedSwarm([Exchange((strange, familiar), 2, reachable=True, words="")])
        await play_round(1, replace(plan, seed=seed), fake_parts(policy, swarm), nobody)
        assert [group.group.key for group in policy.trained_on[0]] == [familiar.key]
        assert swarm.thanked == [familiar]


@dataclass
class SkippingPolicy(FakePolicy):
    """Trains on no group of which ``skips`` is true."""

    skips: Callable[[ScoredGroup], bool] = field(kw_only=True)

    def update(
        self, groups: Sequence[ScoredGroup], answers_each: int | None = None
    ) -> UpdateReport:
        report = super().update(groups, answers_each)
        return replace(report, trained=tuple(g for g in groups if not self.skips(g)))


@pytest.mark.parametrize("all_of_it", [True, False], ids=["no step", "others do not fit"])
async def test_nobody_is_thanked_for_what_was_not_trained_on(*, all_of_it: bool) -> None:
    """Nothing was learnt from it, whatever else the update trained on: nor is it counted."""
    (index,) = trainable(1)
    strange, familiar = peer_group(index, 4, 4), peer_group(index, 1, 7, PeerId("c" * 64))
    swarm = ScriptedSwarm([Exchange((strange, familiar), 2, reachable=True, words="")])
    policy = SkippingPolicy(skips=lambda one: all_of_it or one.group.author == strange.author)
    parts = fake_parts(policy, swarm)
    played = await play_round(1, PLAN, parts, nobody)
    assert (played.finished.useful_local > 0) is not all_of_it
    assert swarm.thanked == ([] if all_of_it else [familiar])
    assert played.finished.useful_swarm == len(swarm.thanked)


@pytest.mark.parametrize(("skipped", "begun"), [("lessons", 0), ("all", None)])
async def test_what_was_not_trained_on_taught_nothing(skipped: str, begun: int | None) -> None:
    """Neither what others solved nor what a deck shows makes a cell theirs."""
    heard = (peer_group(trainable(1)[0], 4, 4),)
    swarm = ScriptedSwarm([Exchange(heard, 1, reachable=True, words="")])
    policy = SkippingPolicy(skill=0.0, skips=lambda one: one.trusted or skipped == "all")
    parts = replace(fake_parts(policy, swarm), scorer=TeachingScorer())
    await play_round(1, replace(TAUGHT, local_groups=8), parts, nobody)
    assert parts.taught.histories == {CELL: CellHistory(failed=64, since=begun)}


async def test_own_tries_are_not_left_to_groups_that_are_too_old_to_be_learnt_from() -> None:
    """A swarm that was plentiful and is gone leaves a node to try all itself, a round later."""
    plan = replace(PLAN, recipe="waggle-adaptive")
    parts = fake_parts(FakePolicy(), PlentifulSwarm())
    await play_round(1, plan, parts, nobody)
    assert mixing.waiting(parts.pool, mixing.Choice(8, 8)) > 0
    late = 1 + parts.pool.limits.age
    lonely = replace(parts, swarm=ScriptedSwarm())
    alone = [await play_round(number, plan, lonely, nobody) for number in (late, late + 1)]
    assert alone[-1].finished.local_groups == plan.local_groups


async def test_an_adaptive_recipe_leaves_the_trying_to_others_where_they_have_enough() -> None:
    """Then it tries half of its questions and still trains on I + J groups; alone, it tries all."""
    plan = replace(PLAN, recipe="waggle-adaptive", swarm_groups=4)
    for swarm, tried in ((PlentifulSwarm(), [4, 2, 2]), (SoloSwarm(), [4, 4, 4])):
        policy = FakePolicy()
        parts = fake_parts(policy, swarm)
        played = [await play_round(number, plan, parts, nobody) for number in (1, 2, 3)]
        assert [one.finished.local_groups for one in played] == tried
        if isinstance(swarm, PlentifulSwarm):
            assert swarm.wanted[0] == 2 * (plan.local_groups + plan.swarm_groups)
            assert len(policy.trained_on[-1]) == plan.local_groups + plan.swarm_groups


async def test_a_guiding_recipe_chooses_among_what_came() -> None:
    """Always the most balanced of the groups are learnt from, where the paper draws by lot."""
    indices = trainable(8)
    heard = [peer_group(i, 1, 7, PeerId(f"{i:064x}")) for i in indices[:6]]
    even = [peer_group(i, 4, 4, PeerId(f"{i:064x}")) for i in indices[6:]]
    hits = {"sapo": 0, "waggle-fixed": 0}
    for recipe in hits:
        for seed in range(10):
            policy, plan = FakePolicy(), replace(PLAN, recipe=recipe, seed=seed)
            swarm = ScriptedSwarm([Exchange((*heard, *even), 8, reachable=True, words="")])
            await play_round(1, plan, fake_parts(policy, swarm), nobody)
            others = {g.group.author for g in policy.trained_on[0]} - {OWN}
            hits[recipe] += others == {group.author for group in even}
    assert hits["waggle-fixed"] == 10
    assert hits["sapo"] < 5


def test_a_stream_is_named_by_seed_round_and_purpose() -> None:
    """Equal names draw equal numbers; any difference in the name draws others."""
    draw = stream(1, 2, "mixing").getrandbits(64)
    assert draw == stream(1, 2, "mixing").getrandbits(64)
    others = [stream(2, 2, "mixing"), stream(1, 3, "mixing"), stream(1, 2, "sampling")]
    assert draw not in [other.getrandbits(64) for other in others]


def test_a_stream_is_the_same_on_every_machine() -> None:
    """A checkpoint taken on one system resumes on another."""
    assert stream(7, 1, "sampling").getrandbits(32) == 1_118_423_348


PROBED = replace(PLAN, recipe="waggle")


async def test_only_whole_groups_are_shared_and_what_was_stopped_is_counted() -> None:
    """Of six questions that were tried three times, four are gone on with to all eight answers."""
    swarm = ScriptedSwarm([Exchange((), 2, reachable=True, words="")])
    parts = fake_parts(FakePolicy(skill=0.3), swarm)
    played = await play_round(1, PROBED, parts, nobody)
    assert [len(group.completions) for group in swarm.shared] == [8] * 4
    assert played.finished.answers == 4 * 8 + 2 * PROBE
    assert played.finished.local_groups == 4
    _, groups = parts.skills.own[CELL]
    assert groups == 6


async def test_the_learner_sees_all_own_tries_before_those_of_others() -> None:
    """What it accepts may depend on them; those that were stopped tell as much as any."""
    seen: list[list[int]] = []

    class Watchful(FakePolicy):
        def observe(self, tries: Sequence[ScoredGroup]) -> None:
            seen.append([len(scored.rewards) for scored in tries])

        def accept(self, groups: Sequence[ScoredGroup]) -> list[ScoredGroup]:
            seen.append([0])
            return super().accept(groups)

    heard = Exchange((peer_group(trainable(1)[0], 4, 4),), 2, reachable=True, words="")
    await play_round(1, PROBED, fake_parts(Watchful(skill=0.3), ScriptedSwarm([heard])), nobody)
    assert seen == [[8] * 4 + [PROBE] * 2, [0]]


async def test_a_plan_without_probing_tries_what_it_goes_on_with() -> None:
    """And nothing more, whatever the recipe says."""
    played = await play_round(1, replace(PROBED, is_small=False), fake_parts(FakePolicy()), nobody)
    assert played.finished.answers == 4 * 8


@pytest.mark.parametrize(
    ("recipe", "is_small", "learns"),
    [
        ("waggle", False, True),
        ("waggle-unshrunk", False, False),
        ("waggle", True, False),
        ("waggle-unprobed", True, False),
        ("waggle-unprobed-pairs", True, False),
    ],
)
async def test_equal_answers_teach_where_the_recipe_expects_something(
    recipe: str,
    is_small: bool,  # noqa: FBT001 - a parameter
    learns: bool,  # noqa: FBT001 - a parameter
) -> None:
    """Nothing is expected of questions that a probe chose, nor by an ablation of just probing."""
    policy = FakePolicy(skill=1.0)
    plan = replace(PROBED, recipe=recipe, is_small=is_small)
    await play_round(1, plan, fake_parts(policy), nobody)
    assert bool(policy.trained_on) is learns


async def test_what_the_judge_leaves_out_is_not_gone_on_with() -> None:
    """And no other question is taken for it: each is observed once, whole or stopped."""
    lost, observed = list[PuzzleKey](), list[PuzzleKey]()

    class LosingScorer(AddingScorer):
        async def judge(self, groups: Sequence[RolloutGroup]) -> list[ScoredGroup]:
            if len(groups) > PROBED.local_groups:  # the first answers
                lost.append(groups[0].key)
            return [one for one in await super().judge(groups) if one.group.key not in lost]

    class AttentiveSkills(CountingSkills):
        def observe(self, own: Sequence[ScoredGroup], received: Sequence[ScoredGroup]) -> None:
            del received
            observed.extend(scored.question.key for scored in own)

    parts = fake_parts(FakePolicy(skill=0.3))
    parts = replace(parts, scorer=LosingScorer(), skills=AttentiveSkills())
    for number in range(1, 4):
        played = await play_round(number, PROBED, parts, nobody)
        assert [len(scored.rewards) for scored in played.own] == [8] * 4
    assert len(observed) == len(set(observed)) == 3 * 5
    assert not set(lost) & set(observed)


async def test_the_score_is_what_the_policy_usually_earns() -> None:
    """Here, for the swarm and for skills: no group counts more for having been gone on with.

    Half of the questions are solved now and then here, and it is these that are gone on with.
    """
    told: list[float | None] = []

    class AttentiveSwarm(ScriptedSwarm):
        async def exchange(
            self, own: Sequence[RolloutGroup], want: int, score: float | None = None
        ) -> Exchange:
            told.append(score)
            return await super().exchange(own, want, score)

    class AttentiveSkills(CountingSkills):
        def observe(self, own: Sequence[ScoredGroup], received: Sequence[ScoredGroup]) -> None:
            del received
            seen.append(mean_reward(own))

    scores, seen, answers, solved = list[float](), list[float | None](), 0, 0
    for number in range(1, 301):
        parts = fake_parts(HalfKnowing(skill=0.5), AttentiveSwarm())
        parts = replace(parts, skills=AttentiveSkills())
        done = (await play_round(number, PROBED, parts, nobody)).finished
        scores.append(done.score)
        answers, solved = answers + (done.answers or 0), solved + (done.solved or 0)
    assert told == seen == scores
    assert fmean(scores) == pytest.approx(0.25, abs=0.01)
    assert solved / answers > 0.28


async def test_probing_finds_more_groups_that_teach() -> None:
    """Of a policy that is hardly ever right, over many rounds."""
    useful = {plan.recipe: 0 for plan in (PLAN, PROBED)}
    for plan in (PLAN, PROBED):
        for number in range(1, 301):
            played = await play_round(number, plan, fake_parts(FakePolicy(skill=0.06)), nobody)
            useful[plan.recipe] += played.finished.useful_local
    assert useful["waggle"] > 1.05 * useful["sapo"]


@dataclass
class TeachingScorer(AddingScorer):
    """Judges additions of a deck, which tells how it would answer."""

    held_out: frozenset[int] = frozenset()  # places in a round that are of the exam after all

    def _told(self, asked: Question, place: int = -1) -> Question:
        kept = place in self.held_out
        return replace(asked, held_out=kept, lesson=f"see: {solution(asked.key)}")

    async def ask(self, keys: Sequence[PuzzleKey]) -> list[Question]:
        return [self._told(asked) for asked in await super().ask(keys)]

    async def judge(self, groups: Sequence[RolloutGroup]) -> list[ScoredGroup]:
        judged = await super().judge(groups)
        return [
            replace(one, question=self._told(one.question, place))
            for place, one in enumerate(judged)
        ]


TAUGHT = replace(PLAN, teaches=True)


async def taught(
    policy: FakePolicy, plan: RoundPlan = TAUGHT, scorer: AddingScorer | None = None
) -> list[ScoredGroup]:
    """All groups that one round alone was learnt from."""
    parts = replace(fake_parts(policy), scorer=scorer or TeachingScorer())
    await play_round(1, plan, parts, nobody)
    return [group for update in policy.trained_on for group in update]


async def test_where_all_own_answers_fail_the_deck_shows_its_own() -> None:
    """As the one success of a group that is learnt from; nobody else is told of it."""
    swarm, policy = ScriptedSwarm(), FakePolicy(skill=0.0)
    parts = replace(fake_parts(policy, swarm), scorer=TeachingScorer())
    await play_round(1, TAUGHT, parts, nobody)
    ((lesson,),) = policy.trained_on
    *failures, shown = lesson.group.completions
    assert shown.text == f"see: {solution(lesson.question.key)}"
    assert lesson.rewards == (0.0,) * len(failures) + (1.0,)
    assert lesson.trusted
    shared = [completion for group in swarm.shared for completion in group.completions]
    assert shown not in shared


@pytest.mark.parametrize(
    ("skill", "plan", "scorer"),
    [
        (0.0, PLAN, TeachingScorer()),
        (0.0, TAUGHT, AddingScorer()),
        (0.0, TAUGHT, TeachingScorer(held_out=frozenset(range(99)))),
        (1.0, TAUGHT, TeachingScorer()),
    ],
    ids=["switched off", "no deck", "held out", "solved"],
)
async def test_otherwise_nobody_teaches(
    skill: float, plan: RoundPlan, scorer: AddingScorer
) -> None:
    """Nor where there is a right answer already, and never what the exam asks."""
    assert await taught(FakePolicy(skill=skill), plan, scorer) == []


async def test_what_is_found_in_part_is_learnt_from_as_it_is() -> None:
    """A single right answer is better than any lesson."""
    groups = await taught(FakePolicy(skill=0.5))
    assert groups
    assert not any(group.trusted for group in groups)


class HalfKnowing(FakePolicy):
    """Solves every second question now and then, and the others never."""

    def _attempt(self, asked: Question, rng: Random) -> Completion:
        made = super()._attempt(asked, rng)
        return replace(made, text="?") if asked.key.seed % 2 else made


@pytest.mark.parametrize("recipe", ["sapo", "waggle"])
async def test_what_is_given_up_early_is_taught_all_the_same(recipe: str) -> None:
    """Beside questions that promise more, a hopeless one is tried no further: it needs a lesson."""
    plan, lessons = replace(TAUGHT, recipe=recipe, local_groups=4), 0
    for number in range(1, 31):
        policy = HalfKnowing(skill=0.5)
        parts = replace(fake_parts(policy), scorer=TeachingScorer())
        await play_round(number, plan, parts, nobody)
        lessons += sum(group.trusted for update in policy.trained_on for group in update)
    assert lessons >= 25


@pytest.mark.parametrize(("recipe", "tries"), [("sapo", PLAN.group_size), ("waggle", PROBE)])
async def test_lessons_are_few(recipe: str, tries: int) -> None:
    """One for each four questions of a round, those first that were given up after few tries."""
    plan = replace(TAUGHT, recipe=recipe, local_groups=8)
    lessons = await taught(FakePolicy(skill=0.0), plan)
    assert [len(group.rewards) for group in lessons] == [tries + 1] * 2
