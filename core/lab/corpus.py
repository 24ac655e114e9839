"""The text that the starter models learn to read from: first a textbook, then the world.

The textbook gives right answers only, so that skills form. The world is what a base model meets on
the web: right answers, right answers in forms that earn nothing, and wrong ones. A starter ends up
*knowing* more than it *shows*, and that room is what reinforcement learning grows into; a corpus of
clean answers alone would leave nothing to learn but arithmetic itself.
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

TEXTBOOK = 0.7
"""Share of the corpus, its beginning, in which every answer is bare and right."""

STYLES: dict[Style, float] = {"bare": 0.45, "wrapped": 0.35, "guess": 0.20}
"""Shares in the rest: the answer as the task wants it; right, but wrapped in words; a guess."""

LONG_TASKS = 0.25
"""How often a task that does not suit tiny models is read, against one that does."""

WRAPPINGS = ("The answer is {}.", "It is {}", "{} I think", "= {}")

LEVELS = {1: 0.90, 2: 0.08, 3: 0.02}
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
    weights = [1.0 if task.starter else LONG_TASKS for task in tasks]
    lately: dict[tuple[TaskId, int], deque[str]] = defaultdict(lambda: deque(maxlen=64))
    written = 0
    while written < count:
        (task,) = rng.choices(tasks, weights)
        (level,) = rng.choices(list(LEVELS), list(LEVELS.values()))
        level = min(level, len(task.levels))
        key = PuzzleKey(task.id, level, rng.randrange(SEEDS), 0)
        puzzle = make_puzzle(catalog, key)
        if puzzle.question.is_held_out:
            continue
        others = lately[task.id, level]
        textbook = written < TEXTBOOK * count
        answer = puzzle.answer if textbook else _answer(puzzle.answer, others, rng)
        yield Document(puzzle.question.prompt, answer)
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
