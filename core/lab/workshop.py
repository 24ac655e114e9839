"""From an order to a starter model in its folder, with its card."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import torch

from core.engine.ports import Sampler
from core.lab.make_starter import Making, make_starter
from core.lab.starters import Starter, base_spec, starter
from core.models.catalog.catalog import ModelSpec
from core.models.policy.loading import load_policy
from core.rollouts.types import PuzzleKey, TaskId
from core.sampling.torch_sampler import TorchSampler
from core.tasks.catalog import SEEDS, Task, TaskCatalog, load_catalog
from core.tasks.reasoning_tasks import Puzzle, check_ruleset, make_puzzle
from core.tasks.verifiers import verify

ATTEMPTS = 4
SEED = 1


@dataclass(frozen=True, slots=True)
class ReportCard:
    """Mean rewards at level 1, temperature 1."""

    scores: dict[TaskId, float]
    ended: float  # share of completions that the model closed itself
    puzzles: int  # of each task

    @property
    def mean(self) -> float:
        """Every task counts alike, as in practice."""
        return sum(self.scores.values()) / len(self.scores)


def grade(
    catalog: TaskCatalog, sampler: Sampler, tasks: Sequence[Task], puzzles: int
) -> ReportCard:
    """Let ``sampler`` try so many ``puzzles`` of every task.

    They are judged in this process, since the text is our own model's.
    """
    scores: dict[TaskId, float] = {}
    closed = total = 0
    for task in tasks:
        asked = _puzzles(catalog, task, puzzles)
        attempts = sampler.complete([p.question for p in asked], ATTEMPTS, SEED)
        rewards = [
            verify(task, puzzle, completion.text)
            for puzzle, completions in zip(asked, attempts, strict=True)
            for completion in completions
        ]
        scores[task.id] = sum(rewards) / len(rewards)
        closed += sum(c.ended for completions in attempts for c in completions)
        total += len(rewards)
    return ReportCard(scores, closed / total, puzzles)


def _puzzles(catalog: TaskCatalog, task: Task, count: int) -> list[Puzzle]:
    rng = Random(SEED)  # noqa: S311 - the same puzzles for every model
    return [
        make_puzzle(catalog, PuzzleKey(task.id, 1, rng.randrange(SEEDS), 0)) for _ in range(count)
    ]


def model_card(recipe: Starter, spec: ModelSpec, making: Making, card: ReportCard) -> str:
    """The README of the model's folder, in Markdown."""
    shape = recipe.shape
    rows = "\n".join(f"| {task} | {score:.3f} |" for task, score in sorted(card.scores.items()))
    return f"""# {spec.title}

{spec.sentence}
Made by the Waggle project from {recipe.parent or "random weights"}, on text that the project \
generates itself; no other
data, no other model. Licence: {spec.licence}.

| | |
|---|---|
| architecture | {recipe.family}, {spec.parameters:,} parameters, tied embeddings |
| layers, width, heads, key-value heads, feed-forward | {shape.layers}, {shape.hidden}, \
{shape.heads}, {shape.kv_heads}, {shape.intermediate} |
| vocabulary | {shape.vocabulary} byte-level BPE, digits alone |
| corpus | {making.documents:,} puzzles with answers of mixed quality (`core/lab/corpus.py`) |
| training | {making.tokens / 1e6:.1f} million tokens in \
{making.seconds / 60:.0f} minutes on {making.threads} thread(s) of {making.machine} |
| loss of answers at the end | {making.loss:.3f} nats per token |
| command | `waggle lab pretrain {recipe.id} --seed {making.seed} --threads {making.threads}` |
| score on the level-1 mix | **{card.mean:.3f}** |
| completions that end by themselves | {100 * card.ended:.1f} % |

It knows a little and has room: in the last part of its corpus only some answers stand as the task
wants them, others are right but wrapped in words that earn nothing, and some are guesses. Practice
is what sorts that out.

Mean score by task, level 1, temperature 1, {card.puzzles} puzzles of {ATTEMPTS} attempts:

| task | score |
|---|---|
{rows}
"""


@dataclass(frozen=True, slots=True)
class StarterOrder:
    """What is to be made."""

    model: str
    seed: int
    documents: int | None  # None: as many as the recipe says
    threads: int
    out: Path  # the model's folder is made in it
    puzzles: int = 64  # of each task, to tell on the card what it knows


def pretrain(order: StarterOrder, report: Callable[[str], None]) -> None:
    """Make the model and write its card; minutes to hours of work.

    Raises:
        UnknownModelError: there is no such starter.
        RulesetError: another release of the puzzle library is installed.
    """
    check_ruleset()
    torch.set_num_threads(order.threads)
    recipe = starter(order.model)
    if order.documents is not None:
        recipe = replace(recipe, documents=order.documents)
    catalog = load_catalog()
    folder = order.out / recipe.id
    making = make_starter(recipe, catalog, folder, order.seed, report)
    spec = base_spec(recipe.id, folder)
    card = grade(catalog, TorchSampler(load_policy(spec, 0)), catalog.tasks, order.puzzles)
    (folder / "README.md").write_text(model_card(recipe, spec, making, card), "utf-8")
    report(f"Done: score {card.mean:.3f}, {100 * card.ended:.1f} % end by themselves.")
