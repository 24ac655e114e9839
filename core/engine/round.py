"""One round of SAPO (arXiv 2509.08721, algorithm 1), on one page.

ask -> answer -> judge -> share -> judge what others shared -> mix -> one optimiser step

Nothing here knows of sockets, processes or tensors: the parts are Protocols (``engine.ports``).
Saving is the loop's business, so that a round either counts as a whole or never happened.
"""

import asyncio
import math
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from random import Random
from typing import Final, Literal, ParamSpec, TypeVar

from core.api.events import Event, Phase, PhaseEntered, RoundFinished
from core.engine.plan import RoundPlan
from core.engine.ports import (
    Curriculum,
    Exchange,
    Learner,
    Progress,
    Sampler,
    Scorer,
    SkillEstimator,
    Swarm,
)
from core.engine.questions import new_questions
from core.engine.stopwatch import Stopwatch
from core.rollouts import mixing, teaching
from core.rollouts.pool import RolloutPool
from core.rollouts.probing import PROBE, SPARE, chance_to_teach, is_probed, most_promising
from core.rollouts.recipes import recipe_named
from core.rollouts.taught import TaughtCells
from core.rollouts.types import (
    Completion,
    Mix,
    Question,
    RolloutGroup,
    ScoredGroup,
    mean_reward,
)

FROM_OTHERS: Final = 8
"""Answers of a group of others that are looked at, where own groups have fewer."""

Purpose = Literal["questions", "sampling", "mixing"]


def stream(seed: int, round_number: int, purpose: Purpose) -> Random:
    """The generator of one purpose in one round; the same on every system and Python version."""
    return Random(f"{seed}/{round_number}/{purpose}")  # noqa: S311 - repeatable on purpose, no secret


P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Parts:
    """The adapters that do the work of a round."""

    curriculum: Curriculum
    skills: SkillEstimator
    scorer: Scorer
    sampler: Sampler
    swarm: Swarm
    learner: Learner
    model_thread: Executor  # one thread: sampler and learner share one model
    taught: TaughtCells = field(default_factory=TaughtCells)
    pool: RolloutPool = field(default_factory=RolloutPool)

    def progress(self, before: Progress, number: int) -> Progress:
        """Where the run stands after round ``number``, which went on from ``before``."""
        return replace(
            before,
            round=number,
            cells=dict(self.skills.own),
            swarm_cells=dict(self.skills.swarm),
            disagreement=dict(self.skills.disagreement),
            reached=tuple(sorted(self.skills.reached)),
            taught=dict(self.taught.histories),
        )

    async def on_model_thread(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a blocking call of sampler or learner without holding up the event loop."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self.model_thread, lambda: call(*args, **kwargs))


@dataclass(frozen=True, slots=True)
class Round:
    """The result of a round: the figures, the state of the swarm behind them, and the answers."""

    finished: RoundFinished
    exchange: Exchange
    own: Sequence[ScoredGroup]
    received: Sequence[ScoredGroup]


async def play_round(
    number: int, plan: RoundPlan, parts: Parts, emit: Callable[[Event], None]
) -> Round:
    """Play round ``number`` (from 1) and update the policy once; same inputs, same outcome."""
    watch = Stopwatch()

    def enter(phase: Phase) -> None:
        watch.enter(phase)
        emit(PhaseEntered(round=number, phase=phase))

    recipe = recipe_named(plan.recipe)
    choice = _choice(plan)
    whole = choice.groups
    leaves_trying = recipe.tries_less and plan.learnt_groups is None
    parts.pool.expire(number)
    # Most of what others share in a round is learnt from in the same one, so little ever waits.
    expected = mixing.waiting(parts.pool, choice) + parts.pool.learnt if leaves_trying else 0
    plan = replace(plan, local_groups=mixing.own_tries(plan.local_groups, expected))
    probes = recipe.probes and is_probed(plan.group_size, is_small=plan.is_small)
    spare = math.ceil(SPARE * plan.local_groups) if probes else 0
    own, stopped = await _try_questions(OwnTries(number, plan, parts, enter), spare)
    tried = [one.group for one in own if one.question.key.task not in plan.unshared]
    every = [*own, *stopped]
    # Those that were gone on with were chosen by their first answers, which alone tell shares.
    first = [one.only(range(PROBE)) for one in every] if spare else every
    await parts.on_model_thread(parts.learner.observe, every)

    enter("sharing")
    others = _groups_of_others(plan, whole, own)
    want = parts.pool.worth_asking_for(whole if leaves_trying and others else others)
    exchange = await parts.swarm.exchange(tried, want, mean_reward(first))

    enter("judging")
    # A slow model looks at no more than in an own group: each answer costs a pass over it. What a
    # group may weigh is the learner's to bound.
    most = max(plan.group_size, FROM_OTHERS) if plan.is_small else plan.group_size
    offered = [group.at_most(most) for group in exchange.groups]
    received = await parts.scorer.judge(offered)
    await parts.on_model_thread(
        parts.pool.add, received, number, parts.learner.accept, offered=len(offered)
    )
    rng = stream(plan.seed, number, "mixing")
    mix = mixing.draw(own, parts.pool, replace(choice, groups=others), rng)
    parts.pool.discard(mix.swarm)

    enter("learning")
    # The hopeless ones first, which were given up after their first answers.
    lessons = teaching.lessons([*stopped, *own], plan.local_groups) if plan.teaches else []
    learnt, shown = await _learn(plan, parts, mix, lessons)
    parts.pool.learnt = len(learnt.swarm)
    parts.skills.observe(first, received)
    parts.taught.observe(every, learnt.swarm, shown)
    watch.stop()
    rewards = [reward for scored in every for reward in scored.rewards]
    finished = RoundFinished(
        round=number,
        score=mean_reward(first) or 0.0,
        swarm_score=mean_reward(received),
        local_groups=len(own),
        swarm_groups=len(received),
        useful_local=len(learnt.local),
        useful_swarm=len(learnt.swarm),
        tokens=sum(len(c.tokens.ids) for s in every for c in s.group.completions if c.tokens),
        sample_s=watch.seconds("sampling"),
        judge_s=watch.seconds("asking") + watch.seconds("judging"),
        share_s=watch.seconds("sharing"),
        train_s=watch.seconds("learning"),
        answers=len(rewards),
        solved=rewards.count(1.0),
        shared=len(tried) if exchange.reachable and exchange.peers else 0,
        skill=parts.skills.skill(),
        swarm_skill=parts.skills.swarm_skill(),
        looked_at=parts.skills.looked_at(),
        scope=plan.scope,
        taught=len(parts.taught.kinds()),
    )
    return Round(finished, exchange, own, received)


async def _learn(
    plan: RoundPlan, parts: Parts, mix: Mix, lessons: Sequence[ScoredGroup]
) -> tuple[Mix, Sequence[ScoredGroup]]:
    """Update the policy; of mix and lessons what it trained on, whose authors hear of it."""
    groups = [*mix.groups, *lessons]
    if not groups:
        return mix, lessons
    report = await parts.on_model_thread(parts.learner.update, groups, plan.learnt_answers)
    local, swarm, shown = (
        tuple(one for one in side if one in report.trained)
        for side in (mix.local, mix.swarm, lessons)
    )
    if swarm:
        parts.swarm.learnt_from([scored.group for scored in swarm])
    return Mix(local, swarm), shown


def _choice(plan: RoundPlan) -> mixing.Choice:
    """What an update takes: I + J groups if only others teach, and flat own ones up to I."""
    recipe, whole = recipe_named(plan.recipe), plan.local_groups + plan.swarm_groups
    # What fills an update up comes from elsewhere than its first J: no site is half of it alone.
    return mixing.Choice(
        whole, plan.swarm_groups, recipe.selects_by_variance, filled_to=plan.local_groups
    )


def _groups_of_others(plan: RoundPlan, whole: int, own: Sequence[ScoredGroup]) -> int:
    """J, or what fills an update of ``whole`` groups up beside those ``own``, if it may."""
    useful = sum(map(mixing.has_signal, own))
    others = plan.swarm_groups
    if recipe_named(plan.recipe).tops_up and others:
        others = whole - useful
    if plan.learnt_groups is None:
        return others
    return max(0, min(others, plan.learnt_groups - useful))


@dataclass(frozen=True, slots=True)
class OwnTries:
    """A round, as far as its own tries need it."""

    number: int
    plan: RoundPlan
    parts: Parts
    enter: Callable[[Phase], None]

    async def answer(
        self, questions: Sequence[Question], attempts: int, rng: Random
    ) -> list[tuple[Completion, ...]]:
        """So many answers to each question."""
        self.enter("sampling")
        seed = rng.getrandbits(62)
        sampler, most = self.parts.sampler, self.plan.answer_tokens
        return await self.parts.on_model_thread(
            sampler.complete, questions, attempts, seed, most_tokens=most
        )

    async def judge(
        self, questions: Sequence[Question], answers: Sequence[tuple[Completion, ...]]
    ) -> list[ScoredGroup]:
        """The groups that these answers make."""
        self.enter("judging")
        plan = self.plan
        return await self.parts.scorer.judge(
            [
                RolloutGroup(q.key, q.digest, plan.author, plan.model, self.number, completions)
                for q, completions in zip(questions, answers, strict=True)
            ]
        )


async def _try_questions(
    tries: OwnTries, spare: int
) -> tuple[list[ScoredGroup], list[ScoredGroup]]:
    """I groups of G answers, and what was stopped early (``core.rollouts.probing``).

    ``spare``: questions that are tried beyond those that are gone on with; 0 stops none.
    """
    plan, parts = tries.plan, tries.parts
    tries.enter("asking")
    lots = stream(plan.seed, tries.number, "questions")
    wanted = plan.local_groups + spare
    questions = await new_questions(parts.curriculum, parts.scorer, wanted, lots)
    rng = stream(plan.seed, tries.number, "sampling")
    first = await tries.answer(questions, PROBE if spare else plan.group_size, rng)
    judged = await tries.judge(questions, first)
    if not spare:
        shrinks = recipe_named(plan.recipe).own_advantages == "shrunk"
        return parts.skills.with_priors(judged) if shrinks else judged, []
    left = plan.group_size - PROBE
    priors = [parts.skills.prior(one.question.key.cell) for one in judged]
    chances = [chance_to_teach(one.rewards, p, left) for one, p in zip(judged, priors, strict=True)]
    chosen = most_promising(chances, plan.local_groups)
    # By what was judged, and not by what was asked: the judge may have left a group out.
    promising = [judged[n] for n in chosen]
    questions = [one.question for one in promising]
    rest = await tries.answer(questions, left, rng)
    whole = [one.group.completions + more for one, more in zip(promising, rest, strict=True)]
    stopped = [one for n, one in enumerate(judged) if n not in chosen]
    return await tries.judge(questions, whole), stopped
