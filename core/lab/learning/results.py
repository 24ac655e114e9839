"""Finished runs as arrays, read back from their folders.

What is read was written by the lab itself, but perhaps by a run that was killed or a disk that was
full: a folder that does not hold the whole run is refused, never filled up with guesses.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import compress
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np
import numpy.typing as npt

from core.engine.exam import Cell
from core.errors import LabError
from core.lab.learning.plans import ArmRun, difference, read_plan
from core.lab.learning.records import (
    DONE,
    EXAMS,
    ROUNDS,
    WORKED,
    WORKING,
    Record,
    cells_of,
    column_of,
    damaged,
)
from core.rollouts.types import TaskId

Figures = npt.NDArray[np.float64]

_NUMBERED: Final = ("round", "node")
_WORDS: Final = "model"


@dataclass(frozen=True, slots=True, eq=False)
class RunResult:
    """What one run brought. The first exam was taken before the first round."""

    run: ArmRun
    cells: tuple[Cell, ...]
    rewards: Figures  # [round, node] mean reward of the own answers
    tried: Figures  # [round, node] own groups
    heard: Figures  # [round, node] groups of others that were judged
    useful_own: Figures  # [round, node] own groups that were trained on
    useful_swarm: Figures  # [round, node] groups of others that were trained on
    generated: Figures  # [round, node] tokens
    trained: Figures  # [round, node] tokens
    entropy: Figures  # [round, node] nats per token
    working: Figures  # [round, node] share of own answers that show their work; NaN: none might
    exam_rounds: npt.NDArray[np.int64]  # [exam] rounds played before it
    scores: Figures  # [exam, node] share solved at the first try
    forgiven: Figures  # [exam, node] the same with the form forgiven
    pass_8: Figures  # [exam, node] share solved within eight tries
    gains: Figures  # [exam, node] share solved more than in the first exam, puzzle by puzzle
    gain_errors: Figures  # [exam, node] standard errors of ``gains``
    drift: Figures  # [exam, node] estimated KL(policy || base), nats per token
    unusual: Figures  # [exam, node] share of the answers that are right in an odd form
    signed: Figures  # [exam, node] share of the answers with the phrase of hostile nodes
    worked_tasks: tuple[str, ...]  # whose answers may show their work
    worked: Figures  # [exam, node, worked task] share that does; NaN where the exam has none
    scores_by_cell: Figures  # [exam, node, cell] NaN where the exam has no puzzle of a cell

    @property
    def tasks(self) -> tuple[TaskId, ...]:
        """Of the cells, in their order."""
        return tuple(dict.fromkeys(task for task, _ in self.cells))

    @property
    def scores_by_task(self) -> Figures:
        """Mean over the cells of each task, as [exam, node, task]; NaN without a puzzle of it."""
        mine = np.array([[task == of for task, _ in self.cells] for of in self.tasks])
        known = ~np.isnan(self.scores_by_cell)
        solved = np.where(known, self.scores_by_cell, 0) @ mine.T
        counted = known @ mine.T.astype(float)
        means: Figures = np.divide(
            solved, counted, out=np.full(counted.shape, np.nan), where=counted > 0
        )
        return means


def read_runs(root: Path, runs: Sequence[ArmRun]) -> list[RunResult]:
    """Read the results of ``runs``, each from its folder in ``root``.

    Raises:
        LabError: one of them is not finished, is damaged, or is another experiment's.
    """
    return [_read_run(run, root / run.name) for run in runs]


def by_arm(results: Sequence[RunResult], baseline: str) -> dict[str, list[RunResult]]:
    """Sort ``results`` by arm and seed; the ``baseline`` is first, the others as they came.

    Raises:
        LabError: there is no such baseline, or the arms cannot be compared seed by seed and node
            by node.
    """
    arms: dict[str, list[RunResult]] = {baseline: []}
    for result in sorted(results, key=lambda one: one.run.seed):
        arms.setdefault(result.run.arm.name, []).append(result)
    if not arms[baseline]:
        raise LabError(f"There is no arm {baseline}. Compare with one of those that were played.")
    order = [baseline, *dict.fromkeys(result.run.arm.name for result in results)]
    for name, of_arm in arms.items():
        if _comparable(of_arm) != _comparable(arms[baseline]):
            raise LabError(
                f"{name} and {baseline} were not played with the same seeds, rounds and number of "
                "nodes. Play both with the same ones."
            )
    return {name: arms[name] for name in order}


def with_model(result: RunResult, model: str) -> RunResult:
    """The part of ``result`` that tells of nodes with ``model``: one half of a mixed swarm."""
    return of_nodes(result, [one == model for one in result.run.setting.models])


def of_nodes(result: RunResult, chosen: Sequence[bool]) -> RunResult:
    """The part of ``result`` that tells of the nodes that are ``chosen``."""
    run = result.run
    models = tuple(compress(run.setting.models, chosen))
    setting = msgspec.structs.replace(run.setting, models=models)
    arm = msgspec.structs.replace(run.arm, ahead=sum(chosen[: run.arm.ahead]))
    part = msgspec.structs.replace(run, setting=setting, arm=arm)
    arrays = {field.name: getattr(result, field.name) for field in fields(result)}
    by_node: dict[str, Any] = {
        name: values[:, np.array(chosen)]
        for name, values in arrays.items()
        if isinstance(values, np.ndarray) and values.ndim > 1
    }
    return replace(result, run=part, **by_node)


def strata(result: RunResult) -> list[tuple[str, bool]]:
    """What each node is one of: its model, and whether it had a head start."""
    ahead = result.run.arm.ahead
    return [(model, node < ahead) for node, model in enumerate(result.run.setting.models)]


def nodes_behind(arms: Mapping[str, Sequence[RunResult]]) -> dict[str, list[RunResult]]:
    """The nodes without a head start in any arm: the same in all, so that arms can be compared.

    Empty where no arm has a node ahead, or one has no other.
    """
    ahead = max(one.run.arm.ahead for results in arms.values() for one in results)
    nodes = min(len(one.run.setting.models) for results in arms.values() for one in results)
    if not 0 < ahead < nodes:
        return {}
    chosen = [number >= ahead for number in range(nodes)]
    return {name: [of_nodes(one, chosen) for one in results] for name, results in arms.items()}


def _comparable(results: Sequence[RunResult]) -> list[tuple[int, tuple[int, ...]]]:
    return [(one.run.seed, one.rewards.shape) for one in results]


def _read_run(run: ArmRun, folder: Path) -> RunResult:
    _check(run, folder)
    setting = run.setting
    nodes = len(setting.models)
    rounds = _read_table(folder / ROUNDS, range(1, setting.rounds + 1), nodes)
    exams = _read_table(folder / EXAMS, setting.exam_rounds, nodes)
    cells = exams.cells()
    if not cells:
        raise damaged(folder / EXAMS)
    worked = [name for name in exams.columns if name.startswith(WORKED)]
    return RunResult(
        run=run,
        cells=cells,
        rewards=rounds.full("reward"),
        tried=rounds.full("tried"),
        heard=rounds.full("heard"),
        useful_own=rounds.full("useful_own"),
        useful_swarm=rounds.full("useful_swarm"),
        generated=rounds.full("generated_tokens"),
        trained=rounds.full("trained_tokens"),
        entropy=rounds.full("entropy"),
        working=rounds.maybe(WORKING),
        exam_rounds=np.array(setting.exam_rounds),
        scores=exams.full("score"),
        forgiven=exams.full("forgiven"),
        pass_8=exams.full("pass_8"),
        gains=exams.full("gain"),
        gain_errors=exams.full("gain_error"),
        drift=exams.full("drift"),
        unusual=exams.full("unusual"),
        signed=exams.full("signed"),
        worked_tasks=tuple(name.removeprefix(WORKED) for name in worked),
        worked=exams.together(worked),
        scores_by_cell=exams.together([column_of(cell) for cell in cells]),
    )


def _check(run: ArmRun, folder: Path) -> None:
    if not (folder / DONE).exists():
        raise LabError(
            f"The run in {folder} is not finished. "
            "Start the same command again; it goes on where it was left."
        )
    if words := difference(read_plan(folder), run):
        raise LabError(f"{folder} holds {words}. Name the folder of this one.")


@dataclass(frozen=True, slots=True)
class _Table:
    """A CSV file of a run as numbers."""

    path: Path
    columns: Mapping[str, Figures]  # each [step, node]; NaN where a cell is empty

    def cells(self) -> tuple[Cell, ...]:
        """The cells that have a column."""
        try:
            return cells_of(self.columns)
        except ValueError as error:
            raise damaged(self.path) from error

    def full(self, name: str) -> Figures:
        """A column in which every cell holds a number."""
        column = self.columns.get(name)
        if column is None or np.isnan(column).any():
            raise damaged(self.path)
        return column

    def maybe(self, name: str) -> Figures:
        """A column whose cells may be empty; so are all where an older lab did not write it."""
        empty = np.full_like(next(iter(self.columns.values())), np.nan)
        return self.columns.get(name, empty)

    def together(self, names: Sequence[str]) -> Figures:
        """Columns side by side, as [step, node, name]; cells may be empty."""
        if not self.columns.keys() >= set(names):
            raise damaged(self.path)
        shape = next(iter(self.columns.values())).shape
        found = [self.columns[name][..., None] for name in names]
        return np.concatenate([np.empty((*shape, 0)), *found], axis=-1)


def _read_table(path: Path, steps: Sequence[int], nodes: int) -> _Table:
    """Read a file that holds a row for each of ``steps`` and node, in this order."""
    try:
        rows = Record(path).read()
        names = [name for name in rows[0] if name != _WORDS]
        cells = np.array([[_number(row[name]) for name in names] for row in rows])
    except (ValueError, LookupError) as error:
        raise damaged(path) from error
    expected = [(float(step), float(node)) for step in steps for node in range(nodes)]
    found = cells[:, [names.index(name) for name in _NUMBERED if name in names]]
    if not np.array_equal(found, np.array(expected)):
        raise damaged(path)
    shape = len(steps), nodes
    return _Table(path, {name: cells[:, i].reshape(shape) for i, name in enumerate(names)})


def _number(cell: str) -> float:
    """What a cell says; NaN where it is empty."""
    if cell == "":
        return float("nan")
    value = float(cell)
    if not np.isfinite(value):
        raise ValueError(cell)
    return value
