"""A row of a table becomes a card, or a template where it has variables.

Accepted answers are separated by `` | ``, labels by the same or by semicolons. What looks like a
formula of a spreadsheet is text.
"""

import re
from collections.abc import Set as AbstractSet
from typing import Final

from core.decks.columns import Columns
from core.decks.deck import Flashcard
from core.decks.expressions import parse
from core.decks.limits import (
    MAX_ANSWER,
    MAX_ANSWERS,
    MAX_CELL,
    MAX_EXPRESSION,
    MAX_LABEL,
    MAX_LABELS,
    MAX_LEVEL,
    MAX_QUESTION,
    MAX_SOLUTION,
    tidy,
)
from core.decks.spelling import with_plain_minus
from core.decks.tables import TableRow
from core.decks.templates import Template
from core.decks.variables import read_variables
from core.errors import DeckError
from core.i18n import translatable
from core.letters import escaped

_BAR: Final = re.compile(r"\s\|\s")
_SEMICOLON: Final = re.compile(r"[;\n]")
_WORD: Final = re.compile(r"[A-Za-z_]\w*")
_QUOTED: Final = 40
"""Characters of a text that a message repeats."""

_OPERATOR: Final = re.compile(r"[-+*/%()<>=]")


def has_variables(row: TableRow, columns: Columns) -> bool:
    """Whether ``row`` means a template."""
    at = columns.variables
    return at is not None and at < len(row.cells) and bool(row.cells[at].strip())


def read_row(row: TableRow, columns: Columns, width: int) -> Flashcard | Template:
    """What ``row`` of a table with ``width`` columns says; its letters are not looked at.

    Raises:
        DeckError: something is missing, odd or longer than it may be.
    """
    if len(row.cells) > width:
        raise DeckError(
            translatable(
                "It has more cells than the first row. Put quotation marks around a text that "
                "contains the separator."
            )
        )
    question = _text(row, columns.question, MAX_QUESTION)
    if not question or not _text(row, columns.answer, MAX_CELL):
        raise DeckError(translatable("The question or the answer is missing. Write both."))
    if has_variables(row, columns):
        return _template(row, columns, question)
    if _text(row, columns.where, MAX_CELL):
        raise DeckError(translatable("It has a condition, but no variables. Write such, too."))
    answers = _parts(row, columns.answer, MAX_ANSWER, _BAR)
    labels_cell = _text(row, columns.labels, MAX_CELL)
    between = _BAR if _BAR.search(labels_cell) else _SEMICOLON
    labels = _parts(row, columns.labels, MAX_LABEL, between)
    if len(answers) > MAX_ANSWERS or len(labels) > MAX_LABELS:
        raise DeckError(
            translatable(
                "It has more than {} accepted answers or {} labels. Leave some out.",
                MAX_ANSWERS,
                MAX_LABELS,
            )
        )
    solution = _text(row, columns.solution, MAX_SOLUTION)
    return Flashcard(question, answers, _level(row, columns), labels, solution)


def _template(row: TableRow, columns: Columns, question: str) -> Template:
    if _text(row, columns.labels, MAX_CELL):
        raise DeckError(
            translatable("Labels cannot stand in a row with variables. Leave one of both out.")
        )
    variables = read_variables(_text(row, columns.variables, MAX_CELL))
    return Template(
        question,
        _blank_or_text(_text(row, columns.answer, MAX_ANSWER - 2), variables.keys()),
        variables,
        _text(row, columns.where, MAX_EXPRESSION),
        _level(row, columns),
        _text(row, columns.solution, MAX_SOLUTION),
    )


def _blank_or_text(answer: str, names: AbstractSet[str]) -> str:
    """``a * b`` as ``{a * b}``; what has blanks already, or is plain words, stays as it is.

    Raises:
        DeckError: it looks like an expression, and is none.
    """
    if "{" in answer or "}" in answer:
        return answer
    try:
        parse(answer, names)
    except DeckError:
        if _OPERATOR.search(answer) or not names.isdisjoint(_WORD.findall(answer)):
            raise
        return answer
    return f"{{{answer}}}"


def _level(row: TableRow, columns: Columns) -> int:
    text = _text(row, columns.level, MAX_CELL)
    if not text:
        return 1
    if len(text) == 1 and text in "123456789"[:MAX_LEVEL]:
        return int(text)
    raise DeckError(
        translatable("{} is no level. Write a whole number from 1 to {}.", _quoted(text), MAX_LEVEL)
    )


def _parts(
    row: TableRow, column: int | None, most: int, between: re.Pattern[str]
) -> tuple[str, ...]:
    """The texts in a cell, each once; none of them is empty, and numbers are as one types them."""
    found = map(with_plain_minus, map(tidy, between.split(_text(row, column, MAX_CELL))))
    return tuple(_bounded(part, most) for part in dict.fromkeys(found) if part)


def _text(row: TableRow, column: int | None, most: int) -> str:
    if column is None or column >= len(row.cells):
        return ""
    return _bounded(tidy(_bounded(row.cells[column], MAX_CELL)), most)


def _bounded(text: str, most: int) -> str:
    if len(text) > most:
        raise DeckError(
            translatable("{} has more than {} characters. Shorten it.", _quoted(text), f"{most:,}")
        )
    return text


def _quoted(text: str) -> str:
    return f"“{escaped(text[:_QUOTED])}{'…' * (len(text) > _QUOTED)}”"
