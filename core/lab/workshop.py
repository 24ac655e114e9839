"""From an order to a starter model in its folder, with its card and what it can do as it is."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Final

import msgspec
import torch

from core.engine.ports import Sampler
from core.lab.make_starter import Making, TrainingResources, make_starter
from core.lab.starters import Starter, starter
from core.lab.worked.answers import BEGINNING, WORKED
from core.models.catalog.catalog import ModelSpec, load_models
from core.models.policy.loading import load_policy
from core.rollouts.answers import final_answer
from core.rollouts.types import Completion, PuzzleKey, TaskId, cell_name
from core.sampling.torch_sampler import TorchSampler
from core.tasks.catalog import SEEDS, Task, TaskCatalog, load_catalog
from core.tasks.reasoning_tasks import Puzzle, check_ruleset, make_puzzle
from core.tasks.skills import BASE_SKILLS
from core.tasks.verifiers import verify

ATTEMPTS: Final = 4
SEED: Final = 1
SHOWN_LEVELS: Final = 5
"""Columns of the card's table; what lies above is in ``BASE_SKILLS``."""


@dataclass(frozen=True, slots=True)
class ReportCard:
    """Mean rewards of each cell, at temperature 1."""

    cells: dict[str, float]  # by ``cell_name``
    ended: float  # share of completions that the model closed itself
    worked: float  # of the completions of kinds that can be worked out, those that are
    puzzles: int  # of each cell
    begun: float  # the mean if it worked out whatever can be: what finding that out is worth

    @property
    def mean(self) -> float:
        """Every cell counts alike, as in the skill that a node is told."""
        return fmean(self.cells.values())


def grade(catalog: TaskCatalog, sampler: Sampler, begun: Sampler, puzzles: int) -> ReportCard:
    """Let ``sampler`` try so many ``puzzles`` of every cell, none of them of the exam.

    ``begun`` is the same whose answers go on from ``BEGINNING``. They are judged in this process,
    since the text is our own model's.
    """
    cells: dict[str, float] = {}
    if_begun: dict[str, float] = {}
    ended, worked = list[bool](), list[bool]()
    for task in catalog.tasks:
        for level in range(1, len(task.levels) + 1):
            # Seeds of its own: one that is easy in a cell tends to be easy in others.
            rng = Random(f"{SEED}/{cell_name(task.id, level)}")  # noqa: S311 - the same for all
            asked = _puzzles(catalog, task.id, level, puzzles, rng)
            drawn = rng.getrandbits(32)
            attempts = sampler.complete([p.question for p in asked], ATTEMPTS, drawn)
            name = cell_name(task.id, level)
            cells[name] = _solved(task, asked, attempts)
            ended += [completion.ended for tries in attempts for completion in tries]
            if task.id in WORKED:
                worked += [one.text.startswith(BEGINNING) for tries in attempts for one in tries]
                attempts = begun.complete([p.question for p in asked], ATTEMPTS, drawn)
                if_begun[name] = _solved(task, asked, attempts, BEGINNING)
    begun_mean = fmean((cells | if_begun).values())
    return ReportCard(cells, fmean(ended), fmean(worked), puzzles, begun_mean)


def _solved(
    task: Task, asked: Sequence[Puzzle], attempts: Sequence[Sequence[Completion]], begun: str = ""
) -> float:
    """Share of the ``attempts`` at what was ``asked`` that are right, each behind ``begun``."""
    return fmean(
        verify(task, puzzle, final_answer(begun + completion.text))
        for puzzle, tries in zip(asked, attempts, strict=True)
        for completion in tries
    )


def _puzzles(
    catalog: TaskCatalog, task: TaskId, level: int, count: int, rng: Random
) -> list[Puzzle]:
    found = list[Puzzle]()
    while len(found) < count:
        puzzle = make_puzzle(catalog, PuzzleKey(task, level, rng.randrange(SEEDS), 0))
        found += [] if puzzle.question.is_held_out else [puzzle]
    return found


def model_card(recipe: Starter, spec: ModelSpec, making: Making, card: ReportCard) -> str:
    """The README of the model's folder, in Markdown."""
    shape, continued = recipe.shape, recipe.origin is not None
    return f"""# {spec.title}

{spec.sentence}
Made by the Waggle project from random weights, on text that the project generates itself; no other
data, no other model. Licence: {spec.licence}.

| | |
|---|---|
| architecture | {recipe.family}, {spec.parameters:,} parameters, tied embeddings |
| layers, width, heads, key-value heads, feed-forward | {shape.layers}, {shape.hidden}, \
{shape.heads}, {shape.kv_heads}, {shape.intermediate} |
| vocabulary | {shape.vocabulary} byte-level BPE, digits alone |
| corpus | {making.documents:,} puzzles of levels 1 to 3 with right answers (`core/lab/corpus.py`) |
| training | {making.tokens / 1e6:.1f} million tokens in \
{making.seconds / 60:.0f} minutes on {making.machine}\
{f", from the weights of the {recipe.id} before it" * continued} |
| loss of answers at the end | {making.loss:.3f} nats per token |
| command | `waggle lab pretrain {recipe.id} --seed {making.seed} {making.options} \
--documents {making.documents}{" --from DIR" * continued}` |
| solved, mean over all kinds and levels | **{100 * card.mean:.1f} %** |
| completions that end by themselves | {100 * card.ended:.1f} % |
| answers that show their work, where that is known | {100 * card.worked:.1f} % |
| solved, if it worked out whatever it can | {100 * card.begun:.1f} % |

It has read the lower levels of every kind and nothing of those above, answers directly most of the
time, and works an answer out now and then. The rest is left to practice.

Solved at temperature 1, in per cent, {card.puzzles} puzzles of {ATTEMPTS} attempts each:

| kind | {" | ".join(f"level {level}" for level in range(1, SHOWN_LEVELS + 1))} |
|---{"|---" * SHOWN_LEVELS}|
{_rows(card.cells)}
"""


def _rows(cells: dict[str, float]) -> str:
    levels = range(1, SHOWN_LEVELS + 1)
    kinds = sorted({name.partition("/")[0] for name in cells})
    shares = ([cells.get(cell_name(kind, level)) for level in levels] for kind in kinds)
    told = (
        " | ".join("" if share is None else f"{100 * share:.0f}" for share in row) for row in shares
    )
    return "\n".join(f"| {kind} | {row} |" for kind, row in zip(kinds, told, strict=True))


@dataclass(frozen=True, slots=True)
class StarterOrder:
    """What is to be made."""

    model: str
    seed: int
    documents: int | None  # None: as many as the recipe says
    threads: int
    out: Path  # the model's folder is made in it
    origin: Path | None = None  # folder of a model to go on from; None: random weights
    puzzles: int = 16  # of each cell, to tell what it can do as it is
    resources: TrainingResources = field(default_factory=TrainingResources)
    graded: TaskCatalog = field(default_factory=load_catalog)  # what the card tells of


def pretrain(order: StarterOrder, report: Callable[[str], None]) -> None:
    """Make the model, and write its card and its skills; hours of work that can be interrupted.

    Raises:
        UnknownModelError: there is no such starter.
        UsageError: more was read already than is asked for.
        RulesetError: another release of the puzzle library is installed.
    """
    check_ruleset()
    torch.set_num_threads(order.threads)
    recipe = replace(starter(order.model), origin=order.origin)
    if order.documents is not None:
        recipe = replace(recipe, documents=order.documents)
    folder = order.out / recipe.id
    making = make_starter(recipe, folder, order.seed, report, order.resources)
    spec = msgspec.structs.replace(load_models().get(recipe.id), folder=folder)
    policy = load_policy(spec, 0)
    begun = TorchSampler(policy.going_on_from(BEGINNING))
    card = grade(order.graded, TorchSampler(policy), begun, order.puzzles)
    skills = {"cells": {name: round(share, 3) for name, share in card.cells.items()}}
    (folder / BASE_SKILLS).write_bytes(msgspec.json.format(msgspec.json.encode(skills), indent=0))
    (folder / "README.md").write_text(model_card(recipe, spec, making, card), "utf-8")
    report(
        f"Done: solves {100 * card.mean:.1f} %, {100 * card.ended:.1f} % end by themselves, "
        f"{100 * card.worked:.1f} % show their work."
    )
