"""The text that the starter models learn to read from: puzzles, and answers of mixed quality.

A base model from the web has seen right answers, right answers in forms that earn nothing, and
wrong ones. The starters see the same on purpose: they then *know* more than they *show*, and that
room is what reinforcement learning grows into. A corpus of clean answers would leave nothing to
learn but arithmetic itself.
"""

from collections import defaultdict, deque
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Literal

from core.rollouts.types import PuzzleKey, TaskId
from core.tasks.catalog import TaskCatalog
from core.tasks.reasoning_tasks import make_puzzle

Style = Literal["bare", "wrapped", "guess"]

STYLES: dict[Style, float] = {"bare": 0.40, "wrapped": 0.35, "guess": 0.25}
"""Shares of documents: the answer as the task wants it; right, but wrapped in words; a guess."""

WRAPPINGS = ("The answer is {}.", "It is {}", "{} I think", "= {}")

LEVELS = {1: 0.85, 2: 0.12, 3: 0.03}
"""Shares of the levels of difficulty; a task with fewer levels stays at its hardest."""

SEEDS = 2**32


@dataclass(frozen=True, slots=True)
class Document:
    """One puzzle and one way to answer it."""

    prompt: str
    answer: str


def documents(catalog: TaskCatalog, count: int, seed: int) -> Iterator[Document]:
    """Write ``count`` documents, none of them on a held-out question; same seed, same text."""
    rng = Random(seed)  # noqa: S311 - repeatable on purpose
    tasks = list(catalog.tasks)
    lately: dict[tuple[TaskId, int], deque[str]] = defaultdict(lambda: deque(maxlen=64))
    written = 0
    while written < count:
        task = rng.choice(tasks)
        (level,) = rng.choices(list(LEVELS), list(LEVELS.values()))
        level = min(level, len(task.levels))
        key = PuzzleKey(task.id, level, rng.randrange(SEEDS), 0)
        puzzle = make_puzzle(catalog, key)
        if puzzle.question.is_held_out:
            continue
        others = lately[task.id, level]
        yield Document(puzzle.question.prompt, _answer(puzzle.answer, others, rng))
        others.append(puzzle.answer)
        written += 1


def _answer(right: str, others: deque[str], rng: Random) -> str:
    """Answer in one of the styles; a guess is the right answer to some other puzzle of the kind."""
    (style,) = rng.choices(list(STYLES), list(STYLES.values()))
    if style == "wrapped":
        return rng.choice(WRAPPINGS).format(right)
    if style == "guess" and others:
        return rng.choice(others)
    return right
