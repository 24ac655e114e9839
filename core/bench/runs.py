"""The benchmarks themselves: what ``waggle bench`` runs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
import torch

from core.api.events import RoundFinished
from core.bench.contest import (
    Contestant,
    Figure,
    Lap,
    OnLap,
    hold_contest,
    ignore,
    summarise,
    timed,
)
from core.bench.job import dtype_name
from core.bench.material import NOBODY, LapWork, questions, scored_groups, with_length
from core.bench.memory import finish
from core.bench.report import ARITHMETIC, MEMORY, Report
from core.bench.roofline import (
    RooflineRates,
    Size,
    multiplying,
    sampling_floor,
    streaming,
    update_floor,
)
from core.bench.samplers import calibrated, samplers, scene
from core.bootstrap import NodeChoice, open_parts
from core.engine.plan import RoundPlan
from core.engine.round import Parts, play_round
from core.models.catalog.catalog import ModelSpec
from core.models.memory.budget import Budget, SharedBudget
from core.models.memory.compute import Compute, machine_of
from core.models.memory.fit import Rounds, roomiest_budget
from core.models.policy.loading import load_policy
from core.models.policy.policy import Policy
from core.rollouts.types import Question
from core.settings import PracticeSettings
from core.training.checkpoints import CheckpointStore
from core.training.learner import GrpoLearner


def updating(
    policy: Policy, asked: Sequence[Question], work: LapWork, recipe: str = "sapo"
) -> Callable[[], float]:
    """Make a task that takes one step on answers to ``asked``; returns the tokens in the loss."""
    store = CheckpointStore(Path("never-written"))
    learner = GrpoLearner(policy, store, recipe, SharedBudget(budget_of_node(policy, work)))
    groups = scored_groups(policy, asked, work)

    def update() -> float:
        tokens = learner.update(groups).trained_tokens
        finish(policy.device)
        return tokens

    return update


def budget_of_node(policy: Policy, work: LapWork) -> Budget:
    """What a node would do at once that plays rounds of ``work`` with the model."""
    rounds = Rounds(work.groups, work.members)
    return roomiest_budget(policy.spec, machine_of(policy.compute), rounds)


def practice_plan(spec: ModelSpec, practice: PracticeSettings) -> RoundPlan:
    """Plan rounds as this node would play them alone, always the same ones."""
    return RoundPlan(
        model=spec.model_id,
        author=NOBODY,
        seed=0,
        local_groups=practice.local_groups,
        swarm_groups=0,
        group_size=practice.group_size,
    )


async def play_laps(plan: RoundPlan, parts: Parts, laps: int) -> list[Lap]:
    """Play rounds one after the other, after one that is not counted; nothing is saved."""
    played = [
        (await play_round(number, plan, parts, lambda _: None)).finished
        for number in range(laps + 1)
    ]
    return [lap_of(finished) for finished in played[1:]]


def lap_of(finished: RoundFinished) -> Lap:
    """Read a round as a lap whose work is the tokens that were sampled."""
    parts = {
        "sampling": finished.sample_s,
        "judging": finished.judge_s,
        "learning": finished.train_s,
    }
    return Lap(sum(parts.values()), finished.tokens, parts=parts)


@dataclass(frozen=True, slots=True)
class BenchConditions:
    """How it is measured."""

    compute: Compute
    threads: int
    laps: int
    on_lap: OnLap = ignore

    def report(
        self, what: str, spec: ModelSpec, work: LapWork, figures: dict[str, Figure]
    ) -> Report:
        """Report ``figures``; the first one is ours."""
        where = f"{self.compute.device.type} in {dtype_name(self.compute.dtype)}"
        ours = next(iter(figures))
        return Report(what, spec.id, where, self.threads, self.laps, work, figures, ours)


def bench_sampler(spec: ModelSpec, work: LapWork, conditions: BenchConditions) -> Report:
    """Compare every way to draw completions; the one that a node would choose counts as ours."""
    torch.set_num_threads(conditions.threads)
    with scene(spec, work, conditions.compute, conditions.threads) as given:
        chosen = calibrated(given)
        with samplers(given) as tasks:
            contestants = {name: timed(task) for name, task in tasks.items()}
            contestants |= ceilings(conditions.compute)
            figures = hold_contest(contestants, conditions.laps, conditions.on_lap)
    size = Size.of(spec.shape, conditions.compute.dtype)
    floor = sampling_floor(size, work, rates(figures))
    report = conditions.report("sampling", spec, work, figures)
    ours = chosen if chosen in figures else report.ours
    return msgspec.structs.replace(report, ours=ours, floor=floor)


def bench_update(spec: ModelSpec, work: LapWork, conditions: BenchConditions) -> Report:
    """Time the learner's step beside what bounds it."""
    torch.set_num_threads(conditions.threads)
    policy = load_policy(with_length(spec, work), seed=0, compute=conditions.compute)
    asked = questions(lambda text: len(policy.encode_prompt(text)), work)
    contestants = {"update": timed(updating(policy, asked, work))}
    contestants |= ceilings(conditions.compute)
    figures = hold_contest(contestants, conditions.laps, conditions.on_lap)
    floor = update_floor(Size.of(spec.shape, conditions.compute.dtype), work, rates(figures))
    report = conditions.report("update", spec, work, figures)
    return msgspec.structs.replace(report, floor=floor)


async def bench_round(choice: NodeChoice, laps: int) -> Report:
    """Play real rounds alone, with this node's own settings; nothing of it is kept."""
    async with open_parts(choice) as bench:
        policy = bench.model.policy
        plan = practice_plan(policy.spec, choice.settings.practice)
        figures = {"round": summarise(await play_laps(plan, bench.parts, laps))}
        conditions = BenchConditions(policy.compute, torch.get_num_threads(), laps)
    longest = policy.spec.completion_tokens
    work = LapWork(plan.local_groups, plan.group_size, 0, longest)
    return conditions.report("round", policy.spec, work, figures)


def ceilings(compute: Compute) -> dict[str, Contestant]:
    """What bounds the others, measured in the same contest."""
    return {ARITHMETIC: timed(multiplying(compute)), MEMORY: timed(streaming(compute))}


def rates(figures: Mapping[str, Figure]) -> RooflineRates:
    """What the ceilings came to."""
    return RooflineRates(figures[ARITHMETIC].rate, figures[MEMORY].rate)
