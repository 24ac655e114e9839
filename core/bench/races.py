"""Our own sampler, update and round, and transformers' ``generate``, as contestants."""

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
from core.bench.job import BenchJob
from core.bench.material import (
    NOBODY,
    every_other,
    never_ending,
    questions,
    with_length,
)
from core.bench.racing import serve
from core.bench.runs import budget_of_node, lap_of, updating
from core.bench.samplers import (
    another_runtime,
    completing,
    generating,
    scene,
    swapping,
    temporary_place,
)
from core.engine.plan import RoundPlan
from core.engine.ports import Sampler
from core.engine.round import Parts, play_round
from core.models.memory.budget import SharedBudget
from core.models.policy.language import read_language
from core.models.policy.loading import load_policy
from core.models.policy.policy import Policy
from core.rollouts.types import Cells, PuzzleKey, Question, RolloutGroup, ScoredGroup
from core.sampling.choice import SamplerName, open_sampler
from core.swarm.solo import SoloSwarm
from core.tasks.catalog import load_catalog
from core.tasks.scorer import IsolatedScorer
from core.tasks.skills import Skills
from core.training.checkpoints import CheckpointStore
from core.training.learner import GrpoLearner


def load(job: BenchJob) -> Policy:
    """The policy of a job, whose completions all have the same length."""
    spec = with_length(job.spec, job.work)
    return load_policy(spec, seed=0, compute=job.compute)


def sample(job: BenchJob, pipe: IO[bytes]) -> None:
    """Completions of the torch sampler."""
    device = job.compute.device
    with scene(job.spec, job.work, job.compute, job.threads, job.together) as given:
        sampler = open_sampler(given.policy, "torch", given.place)
        serve(timed(completing(given, sampler)), pipe, device)


def generate(job: BenchJob, pipe: IO[bytes]) -> None:
    """Completions of transformers' ``generate``, of the same prompts."""
    language = read_language(job.spec.folder, chat=job.spec.chat)
    asked = questions(lambda text: len(language.encode_prompt(text)), job.work)
    prompts = [language.encode_prompt(question.prompt) for question in asked]
    spec = with_length(job.spec, job.work)
    serve(timed(generating(spec, job.compute, prompts, job.work)), pipe, job.compute.device)


def update(job: BenchJob, pipe: IO[bytes]) -> None:
    """The learner's step, as a round takes it."""
    policy = load(job)
    serve(timed(updating(policy, job.asked, job.work)), pipe, policy.device)


@dataclass(frozen=True, slots=True)
class GivenQuestions:
    """Practises the questions of the job and no others."""

    asked: Sequence[Question]
    cells: Cells = field(default_factory=dict)

    def restore(self, cells: Cells) -> None:
        """Remember nothing."""

    def observe(self, own: Sequence[ScoredGroup]) -> None:
        """Learn nothing of it."""

    def draw(self, count: int, rng: Random) -> list[PuzzleKey]:
        """The first ``count`` of them."""
        del rng
        return [question.key for question in self.asked[:count]]


@dataclass(frozen=True, slots=True)
class EveryGroupCounts:
    """The real judge, whose rewards are replaced: rivals train on every group, too."""

    scorer: IsolatedScorer

    async def ask(self, keys: Sequence[PuzzleKey]) -> list[Question]:
        """Make the questions anew, as the judge does."""
        return await self.scorer.ask(keys)

    async def judge(self, groups: Sequence[RolloutGroup]) -> list[ScoredGroup]:
        """Judge, and reward every other answer."""
        judged = await self.scorer.judge(groups)
        return [replace(group, rewards=every_other(len(group.rewards))) for group in judged]


def play(job: BenchJob, pipe: IO[bytes]) -> None:
    """Whole rounds: the questions made, answered, judged in isolation and learnt from."""
    policy = never_ending(load(job))
    work = job.work
    plan = RoundPlan(policy.spec.model_id, NOBODY, 0, work.groups, 0, work.members)
    budget = SharedBudget(budget_of_node(policy, work))
    learner = GrpoLearner(policy, CheckpointStore(Path("never-written")), budget=budget)
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

        serve(lambda: swap(lap()), pipe, policy.device)


def _sampler(
    job: BenchJob, policy: Policy, stack: ExitStack
) -> tuple[Sampler, Callable[[Lap], Lap]]:
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


RACES = {"sampling": sample, "generate": generate, "update": update, "round": play}
