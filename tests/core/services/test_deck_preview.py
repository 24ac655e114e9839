"""What a person is shown of a table before it is a deck."""

import os
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from core.api.decks import (
    BAD_ROWS,
    FIRST_ROWS,
    DeckPart,
    DeckPlan,
    DeckPreviewed,
    PreviewDeck,
)
from core.api.pipe import encode
from core.api.protocol import decode_answer
from core.decks.columns import Columns
from core.errors import DeckError
from core.i18n import retold
from core.paths import RESOURCES
from core.services.deck_preview import draft_of_plan, preview, wish_of
from core.services.service import ServiceContext
from tests.asking_services import answer_to

GOOD = [f"What is {n} + 1?,{n + 1},1" for n in range(10, 30)]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Five rows: two are good, one has no answer, one no level, and one is there twice."""
    path = tmp_path / "sums.csv"
    rows = ("1 + 1?,2,1", "2 + 2?,4,1", "nothing?,,1", "3 + 3?,6,11", "2 + 2?,4,1")
    path.write_text("\n".join(("question,answer,level", *rows)), encoding="utf-8")
    return path


def plan_of(path: Path) -> DeckPlan:
    return DeckPlan(path=str(path), name="Sums")


def words(shown: DeckPreviewed) -> dict[int, str]:
    return {row.number: row.problem for row in shown.rows}


async def test_what_is_in_it_can_be_sent(table: Path, place: ServiceContext) -> None:
    """All of it, as one answer."""
    shown = await answer_to(PreviewDeck(plan=plan_of(table)), place, DeckPreviewed)
    assert decode_answer(encode(shown)) == shown


def test_every_row_is_shown_as_it_was_understood(table: Path) -> None:
    """With its number in the file; bad ones with the reason, which can be translated."""
    shown = preview(plan_of(table))
    assert (shown.total, shown.bad, shown.matcher, shown.trouble) == (5, 3, "integer", "")
    assert [(row.number, row.question, row.answer, row.level) for row in shown.rows] == [
        (2, "1 + 1?", "2", 1),
        (3, "2 + 2?", "4", 1),
        (4, "nothing?", "", 0),
        (5, "3 + 3?", "6", 0),
        (6, "2 + 2?", "4", 1),
    ]
    assert "missing" in words(shown)[4]
    assert "no level" in words(shown)[5]
    assert "row 3" in words(shown)[6]
    assert all(retold(row.problem, row.remarks) == row.problem for row in shown.rows)


def test_a_row_that_is_skipped_counts_for_nothing(table: Path) -> None:
    """Nor is another then the same as it; it is still shown."""
    shown = preview(msgspec.structs.replace(plan_of(table), skipped=(3,)))
    assert shown.bad == 2
    assert 3 in [row.number for row in shown.rows]
    assert words(shown)[6] == ""
    draft = draft_of_plan(msgspec.structs.replace(plan_of(table), skipped=(3, 6)))
    assert [card.question for card in draft.installed.deck.cards] == ["1 + 1?"]


def test_columns_can_be_chosen_and_left_out(table: Path) -> None:
    """What nobody chose stays as it was guessed."""
    plain = preview(plan_of(table))
    assert plain.columns == ("question", "answer", "level")
    assert plain.parts == {"question": 0, "answer": 1, "level": 2}
    changed = msgspec.structs.replace(plan_of(table), columns={"level": None, "solution": 2})
    shown = preview(changed)
    assert shown.parts == {"question": 0, "answer": 1, "solution": 2}
    assert {row.level for row in shown.rows if not row.problem} == {1}
    assert words(shown)[5] == ""


def test_without_answers_the_table_is_shown_all_the_same(table: Path) -> None:
    """With what to do, so that the person can choose the right column."""
    shown = preview(msgspec.structs.replace(plan_of(table), columns={"answer": None}))
    assert "Say which columns" in shown.trouble
    assert len(shown.rows) == 5


@pytest.mark.parametrize("skipped", [(2, 3, 4, 5, 6), (2, 3, 6)])
def test_where_no_good_row_is_left_that_is_said(table: Path, skipped: tuple[int, ...]) -> None:
    """Nothing is refused: the rows are there to be taken in again."""
    shown = preview(msgspec.structs.replace(plan_of(table), skipped=skipped))
    assert shown.trouble
    assert len(shown.rows) == 5


def test_a_first_row_can_be_made_the_names(tmp_path: Path) -> None:
    """Of columns whose names nobody could guess; it is no question any more."""
    path = tmp_path / "odd.csv"
    path.write_text("\n".join(("Vorderseite,Rückseite", *GOOD)), encoding="utf-8")
    plain = preview(plan_of(path))
    assert (plain.has_names, plain.total, plain.columns[0]) == (False, len(GOOD) + 1, "A")
    shown = preview(msgspec.structs.replace(plan_of(path), names_in_first_row=True))
    assert (shown.has_names, shown.total) == (True, len(GOOD))
    assert shown.columns[:2] == ("Vorderseite", "Rückseite")


def test_findings_name_rows_of_the_table(tmp_path: Path) -> None:
    """Not cards, which a person cannot see: rows that are bad or have variables are not counted."""
    path = tmp_path / "mixed.csv"
    rows = ("a?,,", "{n} + 1?,n + 1,n = 1..9", "b?,7,", "b?,8,")
    path.write_text("\n".join(("question,answer,variables", *rows)), encoding="utf-8")
    shown = preview(plan_of(path))
    (found,) = (one for one in shown.findings if "different answers" in one.words)
    assert found.is_error
    assert found.rows == (4, 5)
    assert shown.rows[1].answer == "{n + 1}"


def test_of_a_long_table_the_first_rows_are_shown_and_the_bad_ones(tmp_path: Path) -> None:
    """As many as fit into a message."""
    path = tmp_path / "long.csv"
    good = [f"What is {n} + 1?,{n + 1}" for n in range(FIRST_ROWS + 50)]
    bad = [f"What is {n}?," for n in range(BAD_ROWS + 10)]
    path.write_text("\n".join(("question,answer", *good, *bad)), encoding="utf-8")
    shown = preview(plan_of(path))
    assert (shown.total, shown.bad) == (len(good) + len(bad), len(bad))
    assert len(shown.rows) == FIRST_ROWS + BAD_ROWS
    assert all(row.problem for row in shown.rows[FIRST_ROWS:])


def test_a_file_that_changed_is_read_again(table: Path) -> None:
    """And one that did not is read once, whatever is wanted of it."""
    assert preview(plan_of(table)).total == 5
    text = table.read_text(encoding="utf-8")
    table.write_text(f"{text}\n9 + 9?,18,1", encoding="utf-8")
    assert preview(plan_of(table)).total == 6
    seen = table.stat()
    table.write_text("x" * seen.st_size, encoding="utf-8")
    os.utime(table, ns=(seen.st_atime_ns, seen.st_mtime_ns))
    assert preview(plan_of(table)).total == 6


def test_a_file_that_is_gone_or_no_table_is_refused(tmp_path: Path) -> None:
    """In words."""
    with pytest.raises(DeckError, match="cannot be read"):
        preview(plan_of(tmp_path / "gone.csv"))
    path = tmp_path / "empty.csv"
    path.write_bytes(b"")
    with pytest.raises(DeckError, match="no rows"):
        preview(plan_of(path))


def test_a_deck_that_was_exported_is_shown_as_it_says_itself(tmp_path: Path) -> None:
    """Nothing of it can be changed: it would be another deck."""
    source = DeckPlan(path=str(RESOURCES / "decks" / "arithmetic.csv"), name="Sums", author="Ada")
    path = tmp_path / "sums.deck"
    path.write_bytes(draft_of_plan(source).installed.data)
    shown = preview(DeckPlan(path=str(path), name="Another name"))
    assert (shown.name, shown.author, shown.is_made) == ("Sums", "Ada", True)
    assert (shown.total, shown.columns) == (6, ())
    assert shown.rows[0].question == "What is {a} + {b}?"


def test_a_plan_says_all_that_a_wish_can() -> None:
    """So that the window can do what the command line does."""
    plan = DeckPlan(
        path="x.csv",
        name="N",
        author="A",
        language="de",
        licence="L",
        matcher="text",
        tolerance="0.1",
        columns={"level": None},
        names_in_first_row=True,
        skipped=(3, 4),
    )
    wish = wish_of(plan)
    assert (wish.name, wish.author, wish.language, wish.licence) == ("N", "A", "de", "L")
    assert (wish.matcher, wish.tolerance, wish.columns) == ("text", "0.1", {"level": None})
    assert (wish.names_in_first_row, wish.skipped) == (True, frozenset({3, 4}))


def test_columns_are_told_by_the_names_of_their_parts() -> None:
    """Both lists are in the same order."""
    assert Columns.__slots__ == get_args(DeckPart)
