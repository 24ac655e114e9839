"""Our own update and round, and the naive update, as contestants."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from random import Random
from typing import IO

import msgspec
import torch

from core.bench.contest import Lap, timed
from core.bench.material import (
    NOBODY,
    every_other,
    never_ending,
    scored_groups,
    with_length,
)
from core.bench.runs import lap_of, updating
from core.bench.samplers import another_runtime, swapping, temporary_place
from core.engine.ports import Sampler
from core.engine.round import Parts, RoundPlan, play_round
from core.models.memory.compute import choose_compute
from core.models.policy.loading import load_policy
from core.models.policy.policy import Policy
from core.rollouts.types import Cells, PuzzleKey, Question, RolloutGroup, ScoredGroup
from core.sampling.choice import SamplerName, open_sampler
from core.swarm.solo import SoloSwarm
from core.tasks.catalog import load_catalog
from core.tasks.scorer import IsolatedScorer
from core.tasks.skills import Skills
from core.training.checkpoints import CheckpointStore
from core.training.encoding import encode_group
from core.training.learner import GrpoLearner
from tests.benchmarks.job import Job
from tests.benchmarks.racing import serve
from tests.naive_update import naive_loss


def load(job: Job) -> Policy:
    """The policy of a job, whose completions all have the same length."""
    spec = with_length(job.spec, job.work)
    return load_policy(spec, seed=0, compute=choose_compute(spec.parameters))


def update(job: Job, pipe: IO[bytes]) -> None:
    """The learner's step, as a round takes it."""
    serve(timed(updating(load(job), job.asked, job.work)), pipe)


def naive(job: Job, pipe: IO[bytes]) -> None:
    """The same step with every prompt repeated, full logits, in the largest batches that fit."""
    policy = load(job)
    scored = scored_groups(policy, job.asked, job.work)
    groups = [group for s in scored if (group := encode_group(policy, s)) is not None]
    optimiser = torch.optim.Adam(policy.adapter().values(), lr=policy.spec.learning_rate)
    together = max(1, job.rows // job.work.members)
    batches = [groups[at : at + together] for at in range(0, len(groups), together)]

    def step() -> float:
        optimiser.zero_grad()
        for batch in batches:
            loss = naive_loss(policy.causal_lm, batch, policy.pad_id) / len(batches)
            loss.backward()
        optimiser.step()
        return job.work.tokens

    serve(timed(step), pipe)


@dataclass(frozen=True, slots=True)
class GivenQuestions:
    """Practises the questions of the job and no others."""

    asked: Sequence[Question]
    cells: Cells = field(default_factory=dict)

    def restore(self, cells: Cells) -> None:
        pass

    def observe(self, own: Sequence[ScoredGroup]) -> None:
        pass

    def draw(self, count: int, rng: Random) -> list[PuzzleKey]:
        del rng
        return [question.key for question in self.asked[:count]]


@dataclass(frozen=True, slots=True)
class EveryGroupCounts:
    """The real judge, whose rewards are replaced: rivals train on every group, too."""

    scorer: IsolatedScorer

    async def ask(self, keys: Sequence[PuzzleKey]) -> list[Question]:
        return await self.scorer.ask(keys)

    async def judge(self, groups: Sequence[RolloutGroup]) -> list[ScoredGroup]:
        judged = await self.scorer.judge(groups)
        return [replace(group, rewards=every_other(len(group.rewards))) for group in judged]


def play(job: Job, pipe: IO[bytes]) -> None:
    """Whole rounds: the questions made, answered, judged in isolation and learnt from."""
    policy = never_ending(load(job))
    work = job.work
    plan = RoundPlan(policy.spec.model_id, NOBODY, 0, work.groups, 0, work.members)
    learner = GrpoLearner(policy, CheckpointStore(Path("never-written")))
    with ExitStack() as stack:
        sampler, swap = _sampler(job, policy, stack)
        runner = stack.enter_context(asyncio.Runner())
        thread = stack.enter_context(ThreadPoolExecutor(1))
        thread.submit(torch.set_num_threads, job.threads).result()
        scorer = IsolatedScorer(load_catalog())
        runner.run(scorer.__aenter__())
        stack.callback(lambda: runner.run(scorer.__aexit__(None, None, None)))
        given, judge = GivenQuestions(job.asked), EveryGroupCounts(scorer)
        parts = Parts(given, Skills(load_catalog()), judge, sampler, SoloSwarm(), learner, thread)
        numbers = count(1)

        def lap() -> Lap:
            played = runner.run(play_round(next(numbers), plan, parts, lambda _: None)).finished
            return lap_of(played)

        serve(lambda: swap(lap()), pipe)


def _sampler(job: Job, policy: Policy, stack: ExitStack) -> tuple[Sampler, Callable[[Lap], Lap]]:
    """The sampler of the job, and what adds to a lap how much of it was the adapter's swap."""
    place = stack.enter_context(temporary_place(job.threads))
    name = msgspec.convert(job.sampler, SamplerName)
    sampler = open_sampler(policy, name, place)
    stack.callback(sampler.close)
    if name == "torch":
        return sampler, lambda lap: lap
    runtime = another_runtime(policy, name, place)
    stack.callback(runtime.close)
    swapped = timed(swapping(policy, runtime, place))

    def add_swap(lap: Lap) -> Lap:
        # Done once more and timed apart: in the round it is a part of sampling.
        return msgspec.structs.replace(lap, parts=lap.parts | {"swap": swapped().seconds})

    return sampler, add_swap


RACES = {"update": update, "naive": naive, "round": play}
