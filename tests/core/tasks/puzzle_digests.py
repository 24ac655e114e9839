"""Fingerprints of the first puzzles of every task and level, to notice when one changes.

Run ``python -m tests.core.tasks.puzzle_digests > tests/core/tasks/golden/puzzles.json`` after a
deliberate change, and count ``PROTOCOL`` up with it where nodes of the old one would disagree.
"""

import hashlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from core.rollouts.types import PuzzleKey
from core.tasks.catalog import SEEDS, Task, TaskCatalog, load_catalog
from core.tasks.reasoning_tasks import Puzzle, make_puzzle

GOLDEN = Path(__file__).parent / "golden" / "puzzles.json"
PER_LEVEL = 20


def levels(catalog: TaskCatalog) -> Iterator[tuple[Task, int]]:
    """Every level of every task."""
    for task in catalog.tasks:
        for level in range(1, len(task.levels) + 1):
            yield task, level


def keys(task: Task, level: int, count: int) -> list[PuzzleKey]:
    """Fixed keys, spread over all seeds and some indices."""
    stride = SEEDS // count
    return [PuzzleKey(task.id, level, i * stride, i % 3) for i in range(count)]


def digest(puzzle: Puzzle) -> str:
    """Eight hex characters of question and answer."""
    text = json.dumps([puzzle.question.prompt, puzzle.answer])
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def all_digests(catalog: TaskCatalog) -> dict[str, str]:
    """The digests of each level's puzzles, by ``task/level``."""
    return {
        f"{task.id}/{level}": " ".join(
            digest(make_puzzle(catalog, key)) for key in keys(task, level, PER_LEVEL)
        )
        for task, level in levels(catalog)
    }


if __name__ == "__main__":
    json.dump(all_digests(load_catalog()), sys.stdout, indent=1)
    sys.stdout.write("\n")
