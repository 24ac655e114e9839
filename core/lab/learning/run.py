"""One run: a whole swarm, round after round, in one process and one thread.

The nodes of a round play one after another with the engine's own ``play_round``. The same run gives
the same rows, also after having been killed and resumed.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Final

import torch

from core.api.events import RoundFinished
from core.bootstrap import ADAPTER_SEED
from core.engine.exam import Cell, set_exam
from core.engine.exam_scores import gain
from core.engine.ports import Curriculum
from core.engine.round import play_round
from core.errors import LabError
from core.lab.learning.exams import LabExam, examine
from core.lab.learning.hostile import (
    Attackers,
    Claims,
    CredulousScorer,
    Target,
    hostile_nodes,
)
from core.lab.learning.memory_swarm import SharedRollouts
from core.lab.learning.nodes import LabNode, LearningWorld, open_nodes
from core.lab.learning.observed import Seen
from core.lab.learning.plans import ArmRun
from core.lab.learning.poison_search import search
from core.lab.learning.records import (
    DONE,
    EXAMS,
    ROUNDS,
    WORKED,
    WORKING,
    Record,
    Row,
    column_of,
    figure,
)
from core.lab.learning.saved_state import SavedState
from core.lab.worked import answers
from core.models.catalog.catalog import load_models
from core.models.policy.loading import load_policy
from core.paths import Home
from core.rollouts.recipes import recipe_named
from core.rollouts.types import Question, TaskId
from core.swarm.solo import SoloSwarm
from core.tasks.catalog import PracticeMix, TaskCatalog
from core.tasks.curriculum import curriculum_for
from core.tasks.deck_tasks import practised_catalog
from core.tasks.forms import form_reader
from core.tasks.scorer import IsolatedScorer, JudgeTimeouts
from core.tasks.skills import Skills

STATE: Final = "state.safetensors"
HEAD_START: Final = 8
"""Questions of a round in which a node practises alone before a run, whatever its arm."""

TIMEOUTS: Final = JudgeTimeouts(question_s=120.0, answer_s=60.0)
"""Of the judge: what a run earns may not depend on how busy the machine is."""


@dataclass(slots=True)
class Rows:
    """What a run has told so far."""

    rounds: list[dict[str, str]]
    exams: list[dict[str, str]]


def play(run: ArmRun, folder: Path, report: Callable[[int], object]) -> None:
    """Play ``run`` to its end, from where it was left; ``report`` is told every round.

    Raises:
        LabError: what was left in ``folder`` is damaged, or another experiment's.
        WaggleError: a part failed; what was saved stays.
    """
    asyncio.run(_play(run, folder, report))
    (folder / DONE).touch()  # first, or a crash in between would lose the whole run
    (folder / STATE).unlink(missing_ok=True)


async def _play(run: ArmRun, folder: Path, report: Callable[[int], object]) -> None:
    home = Home(folder.parent)
    catalog = practised_catalog(home, run.setting.kinds)
    claims = Claims()
    async with IsolatedScorer(catalog, home.decks, timeouts=TIMEOUTS) as scorer:
        mix = PracticeMix(catalog, run.setting.levels, _practised(run, catalog))
        judge = scorer if run.arm.defended else CredulousScorer(scorer, claims)
        rollouts = SharedRollouts(by_author=run.arm.defended)
        world = LearningWorld(practice(run, catalog), judge, rollouts, catalog)
        hostile = hostile_nodes(run, _target(run, catalog, mix))
        await Player(run, folder, world, Attackers(hostile, claims)).play(report)


def practice(run: ArmRun, catalog: TaskCatalog) -> Callable[[int, Skills], Curriculum]:
    """How a node of ``run`` chooses what to practise."""
    levels = run.arm.levels or run.setting.levels

    def chosen(node: int, skills: Skills) -> Curriculum:
        tasks = _of_node(node, run.arm.tasks_each, _practised(run, catalog))
        return curriculum_for(catalog, levels, skills, tasks)

    return chosen


def _of_node(node: int, each: int | None, tasks: list[TaskId]) -> list[TaskId]:
    """What node ``node`` practises of ``tasks``: all, or so many ``each``, which take turns."""
    if each is None:
        return tasks
    return [tasks[(node * each + n) % len(tasks)] for n in range(each)]


def exam_cells(run: ArmRun, catalog: TaskCatalog) -> list[Cell]:
    """What the exam of ``run`` covers: what it practises, so that few puzzles tell arms apart."""
    return catalog.cells(run.setting.levels, _practised(run, catalog))


def _practised(run: ArmRun, catalog: TaskCatalog) -> list[TaskId]:
    match run.setting.practice:
        case "specialties":
            return specialties(catalog)
        case "worked":
            return [task.id for task in catalog.tasks if task.id in answers.WORKED]
        case "everything":
            return [task.id for task in catalog.tasks]


def _target(run: ArmRun, catalog: TaskCatalog, mix: PracticeMix) -> Target:
    """What the hostile nodes of ``run`` know; some have a copy of the first node's base."""
    if run.arm.hostile != "optimised":
        return Target(catalog, mix)
    torch.set_num_threads(1)
    policy = load_policy(load_models().get(run.setting.models[0]), ADAPTER_SEED)
    rng = Random(f"{run.seed}/poison")  # noqa: S311 - repeatable on purpose
    return Target(catalog, mix, search(policy, recipe_named(run.arm.recipe), catalog, mix, rng))


def specialties(catalog: TaskCatalog) -> list[TaskId]:
    """The nine tasks of the SAPO paper."""
    return [task.id for task in catalog.tasks if task.specialty]


def _check_columns(before: Sequence[Row], new: Sequence[Row], record: Record) -> None:
    """Refuse, before hours are lost, to go on with a table that another release of the lab began.

    Raises:
        LabError: the rows do not fit together.
    """
    if before and before[0].keys() != new[0].keys():
        raise LabError(
            f"{record.path} was begun by another release of Waggle, which noted other figures. Go "
            "on with that one, or move the folder away and start the same command again."
        )


class Player:
    """Plays one run."""

    def __init__(
        self, run: ArmRun, folder: Path, world: LearningWorld, attackers: Attackers
    ) -> None:
        self._run = run
        self._world = world
        self._attackers = attackers
        self._rounds, self._exams = Record(folder / ROUNDS), Record(folder / EXAMS)
        self._state = SavedState(folder / STATE)
        self._nodes = open_nodes(run, world)
        self._bases = {
            name: load_policy(load_models().get(name), ADAPTER_SEED)
            for name in set(run.setting.models)
        }
        self._cells = exam_cells(run, world.catalog)
        self._reader = form_reader(world.catalog)
        self._tasks = tuple(dict.fromkeys(task for task, _ in self._cells))
        self._worked = [task for task in self._tasks if task in answers.WORKED]
        self._first: list[LabExam] = []  # of each node, before any practice

    async def play(self, report: Callable[[int], object]) -> None:
        """Play on from the saved state to the last round."""
        torch.set_num_threads(1)  # sums over several threads differ in their last digits
        setting = self._run.setting
        exam = await set_exam(self._cells, self._world.scorer, setting.exam_puzzles)
        # Also where the run goes on: later exams are held against it puzzle by puzzle.
        before = await self._examine_first(exam)
        reached = self._state.restore(self._nodes, self._world.rollouts)
        rows = self._told(reached)
        if reached == 0:
            rows.exams += before
            for node in self._nodes[: self._run.arm.ahead]:
                await self._practise_before(node)
        _check_columns(rows.exams, before, self._exams)
        for number in range(reached + 1, setting.rounds + 1):
            self._attackers.attack(number, self._world.rollouts)
            played = [await self._play_node(number, i) for i in range(len(self._nodes))]
            _check_columns(rows.rounds, played, self._rounds)
            rows.rounds += played
            if number in setting.exam_rounds:
                rows.exams += await self._examine(number, exam)
                self._save(number, rows)
            report(number)

    def _told(self, reached: int) -> Rows:
        """The rows up to round ``reached``; what came after the last save is played again."""
        nodes = len(self._nodes)
        exams = [number for number in self._run.setting.exam_rounds if number <= reached]
        return Rows(
            self._rounds.read_steps(range(1, reached + 1), nodes),
            self._exams.read_steps(exams if reached else [], nodes),
        )

    async def _practise_before(self, node: LabNode) -> None:
        """Give ``node`` its head start: it practises alone, by the seed of nobody else."""
        alone = replace(
            node.plan, local_groups=HEAD_START, swarm_groups=0, seed=-1 - node.plan.seed
        )
        parts = replace(node.parts, swarm=SoloSwarm())
        for number in range(1, self._run.setting.head_start + 1):
            await play_round(number, alone, parts, lambda _: None)
        node.recorder.take()

    async def _play_node(self, number: int, index: int) -> dict[str, str]:
        node = self._nodes[index]
        played = await play_round(number, node.plan, node.parts, lambda _: None)
        return self._row(index, played.finished, node.recorder.take())

    async def _examine_first(self, exam: Sequence[Question]) -> list[dict[str, str]]:
        """Examine one node of each model: before any practice they are alike."""
        models = self._run.setting.models
        found: dict[str, LabExam] = {}
        for model, node in zip(models, self._nodes, strict=True):
            if model not in found:
                found[model] = await examine(node, self._bases[model], exam, self._reader)
        self._first = [found[model] for model in models]
        return [self._exam_row(0, index, result) for index, result in enumerate(self._first)]

    async def _examine(self, number: int, exam: Sequence[Question]) -> list[dict[str, str]]:
        rows = []
        for index, node in enumerate(self._nodes):
            base = self._bases[self._run.setting.models[index]]
            result = await examine(node, base, exam, self._reader)
            rows.append(self._exam_row(number, index, result))
        return rows

    def _save(self, number: int, rows: Rows) -> None:
        self._rounds.write(rows.rounds)
        self._exams.write(rows.exams)
        self._state.save(number, self._nodes, self._world.rollouts)

    def _row(self, index: int, finished: RoundFinished, seen: Seen) -> dict[str, str]:
        return {
            "round": str(finished.round),
            "node": str(index),
            "model": self._run.setting.models[index],
            "reward": figure(finished.score),
            "swarm_reward": figure(finished.swarm_score),
            "tried": str(finished.local_groups),
            "heard": str(finished.swarm_groups),
            "useful_own": str(finished.useful_local),
            "useful_swarm": str(finished.useful_swarm),
            "generated_tokens": str(seen.sampled_tokens),
            "trained_tokens": str(seen.update.trained_tokens),
            "entropy": figure(seen.entropy),
            "gradient": figure(seen.update.grad_norm),
            WORKING: figure(seen.worked),
            **{task: figure(seen.reward_of(task)) for task in self._tasks},
        }

    def _exam_row(self, number: int, index: int, result: LabExam) -> dict[str, str]:
        by_cell, scores = result.by_cell(), result.scores
        since_first = gain(self._first[index].grades, result.grades).solved
        return {
            "round": str(number),
            "node": str(index),
            "model": self._run.setting.models[index],
            "score": figure(scores.solved.mean),
            "forgiven": figure(scores.forgiven.mean),
            "pass_8": figure(scores.pass_8.mean),
            "gain": figure(since_first.mean),
            "gain_error": figure(since_first.standard_error),
            "drift": figure(result.drift),
            "unusual": figure(result.unusual),
            "signed": figure(result.signed),
            **{f"{WORKED}{task}": figure(result.worked.get(task)) for task in self._worked},
            **{column_of(cell): figure(by_cell.get(cell)) for cell in self._cells},
        }
