"""Puzzles from reasoning-gym: question and answer from (task, level, seed, index) alone.

The library is imported by the first puzzle, not by this module: it takes one to three seconds and
110 MB. It runs here on our own presets only, never on anything that a stranger sent.
"""

import importlib.metadata
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Context, Decimal, localcontext
from functools import cache
from io import StringIO
from typing import Any

from core.decks.deck import Deck
from core.decks.library import InstalledDeck
from core.decks.questions import DeckQuestion, DeckQuestions
from core.errors import RulesetError, UnknownTaskError
from core.i18n import translatable
from core.rollouts.answers import CLOSING, OPENING
from core.rollouts.types import PuzzleKey, Question
from core.tasks import logic, soundness
from core.tasks.catalog import LIBRARY_RELEASE, Preset, Task, TaskCatalog
from core.tasks.keys import key_of

TRIES = 128
"""Items looked at for one puzzle; at the pickiest level (``bf`` 1) one in four is fit."""

LONGEST_KEY = 200
"""Characters of a right answer; items with a longer one are passed over."""

DECK_TRIES = 8
"""Questions of a deck looked at for one puzzle; of a sound one nine in ten are made."""

LARGEST_TERM = 1000
"""Of a sequence of numbers; the library keeps none with a larger one, whichever its sign."""

STRIDE = 2**33
"""From an unfit item to the one looked at instead; beyond every seed + index, so none repeats."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A question with all that is needed to judge an answer to it."""

    question: Question
    answer: str  # a right one, in the form that verifiers call canonical
    entailment: logic.Entailment | None = None  # of logic puzzles, which have many right answers
    others: tuple[str, ...] = ()  # further answers that are accepted, in forms of their own
    tolerance: Decimal = Decimal(0)  # how far from the answer a number may be


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
    if task.id in catalog.decks:
        return _deck_puzzle(catalog.decks[task.id], key)
    source = _source(task.dataset, preset)
    for attempt in range(TRIES):
        item = source.item(key.seed + key.index + attempt * STRIDE)
        puzzle = None if item is None else _puzzle(task, key, item)
        if puzzle is not None:
            return puzzle
    raise _no_puzzle(key)


def _deck_puzzle(installed: InstalledDeck, key: PuzzleKey) -> Puzzle:
    questions = _questions(installed)
    for attempt in range(DECK_TRIES):
        asked = questions.question(key.level, key.seed + key.index + attempt * STRIDE)
        if asked is not None:
            question = Question(key, asked.prompt, asked.held_out, _lesson(asked))
            return puzzle_of_deck(installed.deck, question, asked)
    raise _no_puzzle(key)


def _lesson(asked: DeckQuestion) -> str:
    """Its answer as a model should give it, after the steps where the deck shows them."""
    answer = asked.answers[0]
    return f"{asked.solution}\n{OPENING}{answer}{CLOSING}" if asked.solution else answer


def puzzle_of_deck(deck: Deck, question: Question, asked: DeckQuestion) -> Puzzle:
    """The puzzle that ``asked`` of ``deck`` is, by its ``question``."""
    answer, *others = asked.answers
    return Puzzle(
        question,
        answer,
        others=tuple(others),
        tolerance=Decimal(deck.tolerance),
    )


def _no_puzzle(key: PuzzleKey) -> UnknownTaskError:
    return UnknownTaskError(
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

        _bound_sequences()
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


@cache  # once for the whole process
def _bound_sequences() -> None:
    """Let a sequence end at the first term that it is not kept for.

    The library would work it out to its end before it looks: rules that square a term again and
    again make numbers of millions of digits, for minutes. It takes an OverflowError for a
    sequence that it does not keep, and draws nothing at random in between: the puzzles stay.
    """
    from reasoning_gym.cognition.number_sequences import PatternRule

    apply = PatternRule.apply

    def bounded(rule: Any, sequence: list[int], position: int) -> int:  # noqa: ANN401 - untyped
        term: int = apply(rule, sequence, position)
        if abs(term) > LARGEST_TERM:
            raise OverflowError
        return term

    PatternRule.apply = bounded


@cache  # one for each level; those that read files can be made only once
def _source(dataset: str, preset: Preset) -> _Source:
    return _Source(dataset, preset)


_questions = cache(lambda installed: DeckQuestions(installed.deck, installed.digest))


@contextmanager
def _clean_slate() -> Iterator[None]:
    """Call the library as if for the first time.

    ``decimal_arithmetic`` changes the thread's decimal context and leaves it so; here every call
    gets a fresh one, which rounds half up as the prompts say. ``bf`` prints dots, which go nowhere.
    """
    with localcontext(Context(prec=28, rounding=ROUND_HALF_UP)), redirect_stdout(StringIO()):
        yield
