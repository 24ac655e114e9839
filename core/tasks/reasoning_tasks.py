"""Puzzles from reasoning-gym: question and answer from (task, level, seed, index) alone.

The library is imported by the first puzzle, not by this module: it takes one to three seconds and
110 MB. It runs here on our own presets only, never on anything that a stranger sent.
"""

import importlib.metadata
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Context, localcontext
from functools import cache
from io import StringIO
from typing import Any

from core.errors import RulesetError, UnknownTaskError
from core.i18n import translatable
from core.rollouts.types import PuzzleKey, Question
from core.tasks import logic, soundness
from core.tasks.catalog import LIBRARY_RELEASE, Preset, Task, TaskCatalog
from core.tasks.keys import key_of

TRIES = 128
"""Items looked at for one puzzle; at the pickiest level (``bf`` 1) one in four is fit."""

LONGEST_KEY = 200
"""Characters of a right answer; items with a longer one are passed over."""

STRIDE = 2**33
"""From an unfit item to the one looked at instead; beyond every seed + index, so none repeats."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A question with all that is needed to judge an answer to it."""

    question: Question
    answer: str  # a right one, in the form that verifiers call canonical
    entailment: logic.Entailment | None = None  # of logic puzzles, which have many right answers


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
            translatable(
                "Waggle's puzzles need reasoning-gym {}, but here is {}. "
                'Install it with: pip install "reasoning-gym=={}"',
                LIBRARY_RELEASE,
                installed,
                LIBRARY_RELEASE,
            )
        )


def make_puzzle(catalog: TaskCatalog, key: PuzzleKey) -> Puzzle:
    """Make the puzzle that ``key`` names; the same key gives the same puzzle on every machine.

    Raises:
        UnknownTaskError: the catalogue has no such task or level, or the level no such puzzle.
    """
    task, preset = catalog.task(key.task), catalog.preset(key)
    source = _source(task.dataset, preset)
    for attempt in range(TRIES):
        item = source.item(key.seed + key.index + attempt * STRIDE)
        puzzle = None if item is None else _puzzle(task, key, item)
        if puzzle is not None:
            return puzzle
    raise UnknownTaskError(
        translatable(
            "Task {} has no puzzle at level {} with seed {}. Choose another seed.",
            key.task,
            key.level,
            key.seed,
        )
    )


def _puzzle(task: Task, key: PuzzleKey, item: soundness.Item) -> Puzzle | None:
    """Turn a sound item into a puzzle; None where its answer is empty or too long to be asked."""
    question = Question(key, item["question"])
    if task.verifier == "logic":
        premises, variables = item["metadata"]["premises"], item["metadata"]["variables"]
        entailed = logic.entail(premises, variables)
        return None if entailed is None else Puzzle(question, entailed[1], entailed[0])
    answer = key_of(task.dataset, item)
    return Puzzle(question, answer) if 0 < len(answer) <= LONGEST_KEY else None


class _Source:
    """One generator at one level; walks its items by seed + index, as the library does."""

    def __init__(self, dataset: str, preset: Preset) -> None:
        import reasoning_gym

        self._name = dataset
        self._longest_prompt = preset.longest_prompt
        self._items: Any = reasoning_gym.create_dataset(dataset, seed=0, **dict(preset.settings))

    def item(self, position: int) -> soundness.Item | None:
        """The item at ``position``; None where the library fails at it or it is not fit."""
        with _clean_slate():
            try:
                item: soundness.Item = self._items[position]
            except (ArithmeticError, RuntimeError):
                return None  # it divided by zero, or found nothing with the settings of its level
        if len(item["question"]) > self._longest_prompt:
            return None
        return item if soundness.is_sound(self._name, item, self._items.config) else None


@cache  # one for each level; those that read files can be made only once
def _source(dataset: str, preset: Preset) -> _Source:
    return _Source(dataset, preset)


@contextmanager
def _clean_slate() -> Iterator[None]:
    """Call the library as if for the first time.

    ``decimal_arithmetic`` changes the thread's decimal context and leaves it so; here every call
    gets a fresh one, which rounds half up as the prompts say. ``bf`` prints dots, which go nowhere.
    """
    with localcontext(Context(prec=28, rounding=ROUND_HALF_UP)), redirect_stdout(StringIO()):
        yield
