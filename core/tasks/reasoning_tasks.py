"""Puzzles from reasoning-gym: question and answer from (task, level, seed, index) alone."""

import importlib.metadata
from dataclasses import dataclass
from decimal import Context, localcontext
from functools import lru_cache
from typing import Any

from core.errors import RulesetError
from core.rollouts.types import PuzzleKey, Question
from core.tasks.catalog import LIBRARY_RELEASE, Preset, TaskCatalog


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A question with all that is needed to judge an answer to it."""

    question: Question
    answer: str  # a right one, in the form that verifiers call canonical; never empty
    premises: tuple[str, ...] = ()  # of a logic puzzle, in the library's notation


def check_ruleset() -> None:
    """Make sure that the installed library makes the puzzles that the swarm speaks.

    Raises:
        RulesetError: another release is installed, or none.
    """
    try:
        installed = importlib.metadata.version("reasoning-gym")
    except importlib.metadata.PackageNotFoundError:
        installed = "none"
    if installed != LIBRARY_RELEASE:
        raise RulesetError(
            f"Waggle needs reasoning-gym {LIBRARY_RELEASE}, but {installed} is installed. "
            f'Install it with: pip install "reasoning-gym=={LIBRARY_RELEASE}"'
        )


def make_puzzle(catalog: TaskCatalog, key: PuzzleKey) -> Puzzle:
    """Make the puzzle that ``key`` names; the same key gives the same puzzle on every machine.

    The first call imports the library, which takes one to three seconds.

    Raises:
        UnknownTaskError: the catalogue has no such task or level.
    """
    preset = catalog.preset(key)
    with localcontext(Context()):
        item = _dataset(catalog.task(key.task).dataset, preset)[key.seed + key.index]
    return Puzzle(Question(key, item["question"]), item["answer"])


@lru_cache(maxsize=256)
def _dataset(name: str, preset: Preset) -> Any:  # noqa: ANN401 - the library ships no types
    import reasoning_gym

    return reasoning_gym.create_dataset(name, seed=0, **dict(preset))
