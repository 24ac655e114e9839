"""A table becomes a deck's cards and templates: a bad row is named, the good ones are kept."""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from itertools import chain
from random import Random
from typing import Final

import msgspec

from core.decks.columns import Columns, named_columns
from core.decks.deck import Deck, Flashcard, Matcher, check_card, check_template, check_terms
from core.decks.limits import MAX_TEMPLATES
from core.decks.rows import has_variables, read_row
from core.decks.tables import Table
from core.decks.templates import Filled, Template, TemplateFiller
from core.errors import DeckError
from core.i18n import translatable, words_of

# As the judge reads them, but for commas between thousands: 3,500 may be three and a half. Those of
# templates are as ``core.decks.spelling`` has them.
_INTEGER: Final = re.compile(r"[+-]?[0-9]{1,64}")
_DECIMAL: Final = re.compile(r"[+-]?[0-9]{1,64}(?:\.[0-9]{1,64})?")
_FRACTION: Final = re.compile(r"[0-9]{1,16} ?/ ?[0-9]{1,16}")

_SAMPLES: Final = 4
"""Puzzles of each template that are made: to see whether there are any, and of what kind."""

_MOST_STEPS: Final = 100_000
"""After so much work for the templates of a table the others are not tried any more: whether they
make puzzles, ``core.tasks.deck_doctor`` tells later."""


@dataclass(frozen=True, slots=True)
class RowProblem:
    """Why a row of the table is left out."""

    number: int  # as the table counts
    words: str  # one or two sentences, translatable


@dataclass(frozen=True, slots=True)
class Imported:
    """What a table became."""

    matcher: Matcher
    cards: tuple[Flashcard, ...]
    templates: tuple[Template, ...]
    problems: tuple[RowProblem, ...]  # in the order of the rows


def guess_columns(table: Table) -> Columns:
    """What the header says; the first columns left are questions and answers if nothing else is."""
    named = named_columns(table.columns) if table.has_header else Columns()
    free = [at for at in range(len(table.columns)) if at not in named.positions]
    question = named.question
    if question is None and free:
        question = free.pop(0)
    answer = named.answer
    if answer is None and free:
        answer = free.pop(0)
    return replace(named, question=question, answer=answer)


def import_table(table: Table, columns: Columns, matcher: Matcher | None = None) -> Imported:
    """Make a card or a template of each row; without ``matcher``, that which suits the answers.

    Raises:
        DeckError: ``columns`` has no questions or no answers.
    """
    if columns.question is None or columns.answer is None:
        raise DeckError(
            translatable("Each question needs an answer. Say which columns hold the two.")
        )
    made: dict[int, Flashcard | Template] = {}
    problems: dict[int, str] = {}
    templates = 0
    for row in table.rows:
        is_template = has_variables(row, columns)
        templates += is_template
        try:
            if is_template:
                _check_count(templates)
            made[row.number] = read_row(row, columns, len(table.columns))
        except DeckError as error:
            problems[row.number] = words_of(error)
    rules = Deck(format=1, name="-", matcher=matcher or _guess_matcher(made.values()))
    checker = _Checker(rules)
    good: list[Flashcard | Template] = []
    for number, one in made.items():
        try:
            checker.check(number, one)
            good.append(one)
        except DeckError as error:
            problems[number] = words_of(error)
    return Imported(
        rules.matcher,
        tuple(one for one in good if isinstance(one, Flashcard)),
        tuple(one for one in good if isinstance(one, Template)),
        tuple(RowProblem(*problem) for problem in sorted(problems.items())),
    )


class _Checker:
    """Looks at one row after the other, as part of a deck with certain rules."""

    def __init__(self, rules: Deck) -> None:
        self._rules = rules
        self._numbers: dict[bytes, int] = {}  # by what good rows say
        self._terms = 0
        self._sampler = _Sampler()

    def check(self, number: int, one: Flashcard | Template) -> None:
        """Look at row ``number``.

        Raises:
            DeckError: a rule is broken, or an earlier row says the same.
        """
        if isinstance(one, Flashcard):
            check_card(self._rules, one)
        else:
            self._check_template(one)
        same = self._numbers.setdefault(msgspec.json.encode(one), number)
        if same != number:
            raise DeckError(translatable("It is the same as row {}. Delete one.", same))

    def _check_template(self, template: Template) -> None:
        check_terms(self._terms)  # once there are too many, no more are read
        try:
            filler = check_template(self._rules, template)
        except DeckError:
            self._terms += _letters(template)  # to read it was work as well
            raise
        self._terms += filler.size
        check_terms(self._terms)
        if self._sampler.has_time and not self._sampler.samples(filler):
            raise DeckError(
                translatable(
                    "No values of its variables make a puzzle. Look at its condition and its "
                    "answer."
                )
            )


class _Sampler:
    """Makes some puzzles of one template after the other, as long as that is little work."""

    def __init__(self) -> None:
        self._left = _MOST_STEPS

    @property
    def has_time(self) -> bool:
        return self._left > 0

    def samples(self, filler: TemplateFiller) -> list[Filled]:
        """Some puzzles, at least one; none where there seem to be none."""
        rng = Random(0)  # noqa: S311 - the same table is the same deck
        made: list[Filled] = []
        for _ in range(_SAMPLES):
            before = filler.steps
            filled = filler.fill(rng)
            self._left -= filler.steps - before
            if filled is None:
                break
            made.append(filled)
            if not self.has_time:
                break
        return made

    def answers(self, one: Flashcard | Template) -> Iterable[str]:
        """Those of a card; those of some puzzles where it is a template that can be read."""
        if isinstance(one, Flashcard):
            return one.answers
        if not self.has_time:
            return ()
        self._left -= _letters(one)
        try:
            return [made.answer for made in self.samples(TemplateFiller(one, as_fractions=False))]
        except DeckError:
            return ()  # the row's problem is told later


def _letters(template: Template) -> int:
    texts = (template.question, template.answer, template.where, template.solution)
    return sum(map(len, texts))


def _check_count(templates: int) -> None:
    """Refuse more than a deck can have, before anything in them is read.

    Raises:
        DeckError: there are more.
    """
    if templates > MAX_TEMPLATES:
        raise DeckError(
            translatable("More than {} rows have variables. Make two decks.", MAX_TEMPLATES)
        )


def _guess_matcher(made: Collection[Flashcard | Template]) -> Matcher:
    """That which suits all answers; upper and lower case alike where nothing more is known."""
    if any(isinstance(one, Flashcard) and one.labels for one in made):
        return "choice"
    answers = set(chain.from_iterable(map(_Sampler().answers, made)))
    if not answers:
        return "caseless"
    if all(map(_INTEGER.fullmatch, answers)):
        return "integer"
    if all(map(_DECIMAL.fullmatch, answers)):
        return "decimal"
    if all(map(_FRACTION.fullmatch, answers)):
        return "fraction"
    return "caseless"
