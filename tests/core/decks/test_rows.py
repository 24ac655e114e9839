"""One row; ``test_importing.py`` reads whole tables."""

import pytest

from core.decks.columns import Columns
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
