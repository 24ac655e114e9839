"""One row; ``test_importing.py`` reads whole tables."""

import pytest

from core.decks.columns import Columns
from core.decks.deck import Flashcard
from core.decks.rows import read_row
from core.decks.tables import TableRow
from core.decks.templates import Template

COLUMNS = Columns(question=0, answer=1, variables=2)


@pytest.mark.parametrize(
    ("answer", "kept"),
    [
        ("a", "{a}"),
        ("12", "{12}"),
        ("'even'", "{'even'}"),
        ("even", "even"),
        ("{a} cm", "{a} cm"),
        ("no idea", "no idea"),
    ],
)
def test_only_what_can_be_worked_out_gets_braces(answer: str, kept: str) -> None:
    """Plain words are an answer, too."""
    made = read_row(TableRow(2, ("q", answer, "a = 1..2")), COLUMNS, 3)
    assert isinstance(made, Template)
    assert made.answer == kept


@pytest.mark.parametrize(
    ("answer", "kept"),
    [
        ("\u22125", "-5"),
        ("\u22121,234.5", "-1,234.5"),
        ("\u22123 / 4", "-3 / 4"),
        ("\u2212x", "\u2212x"),
        ("7 \u2212 5", "7 \u2212 5"),
    ],
)
def test_a_number_has_the_minus_that_one_types(answer: str, kept: str) -> None:
    """Word processors write another, which the judge of numbers does not know; labels go along."""
    columns = Columns(question=0, answer=1, labels=2)
    made = read_row(TableRow(2, ("q", answer, f"{answer}; 5")), columns, 3)
    assert isinstance(made, Flashcard)
    assert (made.answers, made.labels) == ((kept,), (kept, "5"))
