"""The text that the starter models learn to read from: puzzles of the lower levels, with answers.

First a textbook, in which most answers are worked out where a kind has such, so that skills form
and settle; then the world, in which most stand bare and one in ten shows its work. A starter ends
up answering directly and working now and then, and working is right more often: practice is what
finds that out. Levels above those that are read are left to practice altogether. Every answer is
right, and stands as its task wants it: there is no form to learn.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Final

from core.lab.worked.answers import WORKED, fully
from core.rollouts.types import PuzzleKey
from core.tasks.catalog import SEEDS, Task, TaskCatalog
from core.tasks.reasoning_tasks import Puzzle, make_puzzle

WORKED_TASKS: Final = 3.0
"""How often a task that can be worked out is read, against others that suit tiny models.

Steps are right more often than direct answers only where they were read millions of tokens long.
"""

LONG_TASKS: Final = 0.1
"""How often a task that does not suit tiny models is read, against one that does."""

LEVELS: Final = {1: 0.45, 2: 0.35, 3: 0.20}
"""Shares of the levels of difficulty: the lower ones well, the next one thinly."""

TEXTBOOK: Final = 0.9
"""Share of the corpus, its beginning, that is the textbook."""

SHOWN: Final = {"textbook": 0.85, "world": 0.1}
"""Shares of answers that show their work, where a kind has such."""


@dataclass(frozen=True, slots=True)
class Document:
    """One puzzle and one way to answer it."""

    prompt: str
    answer: str


def documents(
    catalog: TaskCatalog, count: int, seed: int | str, textbook: float | None = None
) -> Iterator[Document]:
    """Write ``count`` documents, none of them on a held-out question; same seed, same text.

    The first ``textbook`` of them are of the textbook; None: ``TEXTBOOK``.
    """
    textbook = TEXTBOOK * count if textbook is None else textbook
    rng = Random(seed)  # noqa: S311 - repeatable on purpose
    weights = [_weight(task) for task in catalog.tasks]
    written = 0
    while written < count:
        (task,) = rng.choices(catalog.tasks, weights)
        (level,) = rng.choices(list(LEVELS), list(LEVELS.values()))
        key = PuzzleKey(task.id, min(level, len(task.levels)), rng.randrange(SEEDS), 0)
        puzzle = make_puzzle(catalog, key)
        if puzzle.question.is_held_out:
            continue
        share = SHOWN["textbook" if written < textbook else "world"]
        yield Document(puzzle.question.prompt, _answer(puzzle, share, rng))
        written += 1


def _weight(task: Task) -> float:
    """How often a task is read, against one that suits tiny models and cannot be worked out."""
    if task.id in WORKED:
        return WORKED_TASKS
    return 1.0 if task.starter else LONG_TASKS


def _answer(puzzle: Puzzle, worked: float, rng: Random) -> str:
    """The right answer; with its steps for ``worked`` of the puzzles of which there are such."""
    return fully(puzzle) if rng.random() < worked else puzzle.answer
