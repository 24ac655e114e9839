"""Results of runs that were never played."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np

from core.lab.learning.plans import PLAN, Arm, ArmRun, Setting, plan_of
from core.lab.learning.records import (
    DONE,
    EXAMS,
    ROUNDS,
    WORKED,
    WORKING,
    Record,
    column_of,
    figure,
)
from core.lab.learning.results import Figures, RunResult
from core.rollouts.types import TaskId

TASKS = ("bf", "lcm", "base_conversion")
SETTING = Setting(("spark",) * 4, rounds=200, learning_rate=4e-5, exam_every=50, exam_puzzles=90)


def invent(
    name: str,
    seed: int = 1,
    setting: Setting = SETTING,
    speed: float = 1.0,
    tasks: Sequence[str] = TASKS,
) -> RunResult:
    """A run that learns at so much ``speed``, with chance by ``seed``; an arm is named I/J."""
    own, swarm = (int(part) for part in name.split("/"))
    run = ArmRun(setting, Arm(name, own, swarm), seed)
    rng = np.random.default_rng([seed, own, swarm])
    shape = setting.rounds, len(setting.models)
    reached = 0.03 + 0.3 * speed * (1 - np.exp(-np.arange(1, shape[0] + 1) / shape[0]))
    exam_rounds = np.array(setting.exam_rounds)
    at_exams = np.concatenate([[0.03], reached])[exam_rounds][:, None]
    exams = len(exam_rounds), shape[1]
    luck = 0.02 * rng.standard_normal() + 0.01 * rng.standard_normal(exams)
    scores = np.clip(at_exams + np.where(at_exams > 0.03, luck, 0), 0, 1)
    skew = np.linspace(0.2, 1.8, len(tasks))
    rewards = np.clip(reached[:, None] + 0.05 * rng.standard_normal(shape), 0, 1)
    return RunResult(
        run=run,
        cells=tuple((TaskId(task), 1) for task in tasks),
        rewards=rewards,
        tried=np.full(shape, float(own)),
        heard=np.full(shape, 2.0 * swarm),
        useful_own=rng.binomial(own, np.minimum(1, 2 * rewards)).astype(float),
        useful_swarm=np.full(shape, float(swarm)),
        generated=(own * rng.integers(80, 120, shape)).astype(float),
        trained=((own + swarm) * rng.integers(40, 60, shape)).astype(float),
        entropy=1 - 2 * rewards,
        working=np.clip(rewards, 0, 1),
        exam_rounds=exam_rounds,
        scores=scores,
        forgiven=np.clip(scores + 0.01, 0, 1),
        pass_8=np.clip(2 * scores, 0, 1),
        gains=scores - scores[0],
        gain_errors=np.full(exams, 0.02),
        drift=0.2 * (at_exams - 0.03) * np.ones(exams),
        unusual=np.full(exams, 0.01),
        signed=np.zeros(exams),
        worked_tasks=(tasks[0],),
        worked=np.clip(0.1 + at_exams, 0, 1)[..., None] * np.ones((*exams, 1)),
        scores_by_cell=np.clip(scores[..., None] * skew, 0, 1),
    )


def leave(runs: Sequence[ArmRun], root: Path) -> None:
    """The folders that the lab would have left of ``runs``; each learns from all it trains on."""
    root.mkdir(exist_ok=True)
    for run in runs:
        own, swarm = run.arm.local_groups, run.arm.swarm_groups
        result = invent(f"{own}/{swarm}", run.seed, run.setting, (own + 2 * swarm) / 8)
        write(replace(result, run=run), root)


def cell(value: float) -> str:
    """As the lab writes it."""
    return figure(None if np.isnan(value) else float(value))


def by_name(names: Sequence[str], figures: Figures) -> dict[str, str]:
    return {name: cell(value) for name, value in zip(names, figures, strict=True)}


def round_row(result: RunResult, number: int, node: int) -> dict[str, str]:
    at = number - 1, node
    return {
        "round": str(number),
        "node": str(node),
        "model": result.run.setting.models[node],
        "reward": cell(result.rewards[at]),
        "swarm_reward": "",
        "tried": cell(result.tried[at]),
        "heard": cell(result.heard[at]),
        "useful_own": cell(result.useful_own[at]),
        "useful_swarm": cell(result.useful_swarm[at]),
        "generated_tokens": cell(result.generated[at]),
        "trained_tokens": cell(result.trained[at]),
        "entropy": cell(result.entropy[at]),
        WORKING: cell(result.working[at]),
    }


def exam_row(result: RunResult, exam: int, node: int) -> dict[str, str]:
    at = exam, node
    return {
        "round": str(result.exam_rounds[exam]),
        "node": str(node),
        "model": result.run.setting.models[node],
        "score": cell(result.scores[at]),
        "forgiven": cell(result.forgiven[at]),
        "pass_8": cell(result.pass_8[at]),
        "gain": cell(result.gains[at]),
        "gain_error": cell(result.gain_errors[at]),
        "drift": cell(result.drift[at]),
        "unusual": cell(result.unusual[at]),
        "signed": cell(result.signed[at]),
        **by_name([f"{WORKED}{task}" for task in result.worked_tasks], result.worked[at]),
        **by_name([column_of(one) for one in result.cells], result.scores_by_cell[at]),
    }


def write(result: RunResult, root: Path) -> Path:
    """The folder that the lab would have left."""
    rounds, nodes = result.rewards.shape
    folder = root / result.run.name
    folder.mkdir()
    (folder / PLAN).write_bytes(msgspec.json.encode(plan_of(result.run)))
    Record(folder / ROUNDS).write(
        [round_row(result, n, node) for n in range(1, rounds + 1) for node in range(nodes)]
    )
    Record(folder / EXAMS).write(
        [exam_row(result, k, node) for k in range(len(result.exam_rounds)) for node in range(nodes)]
    )
    (folder / DONE).touch()
    return folder


def played(
    seeds: int = 3, models: tuple[str, ...] = SETTING.models, speed: float = 2.0
) -> list[RunResult]:
    """Two arms, of which 4/4 learns at so many times the speed of 8/0."""
    setting = msgspec.structs.replace(SETTING, models=models)
    return [
        invent(name, seed, setting, how)
        for name, how in (("8/0", 1.0), ("4/4", speed))
        for seed in range(1, seeds + 1)
    ]
