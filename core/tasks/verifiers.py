"""What an answer earns, by own rules."""

from core.tasks.catalog import Task
from core.tasks.reasoning_tasks import Puzzle

MAX_ANSWER = 2048
"""Characters; a longer answer earns nothing and is not looked at."""


def verify(task: Task, puzzle: Puzzle, answer: str) -> float:  # noqa: ARG001 - by task soon
    """Judge an answer: a finite number in [0, 1]; never raises, whatever the answer."""
    if not isinstance(answer, str) or len(answer) > MAX_ANSWER:
        return 0.0
    return 1.0 if answer.strip() == puzzle.answer else 0.0
