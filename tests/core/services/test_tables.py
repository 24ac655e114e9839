"""Workbooks of whoever made them, in the process that reads them."""

from dataclasses import replace
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile

import openpyxl
import pytest

from core.decks.tables import read_table
from core.errors import DeckError
from core.i18n import remarks_of, words_of
from core.services.tables import LIMITS, table_of
from tests.confined import saying

FORMAT = "0.0000000"


def workbook(number_format: str = FORMAT) -> bytes:
    """Three rows and an empty one; a cell has the format, which may be longer than Excel's are."""
    book, before, after = openpyxl.Workbook(), BytesIO(), BytesIO()
    for row in [("question", "answer"), ("1 + 1", 2), (), ("Hund", "dog"), ("Katze", "cat")]:
        book.active.append(row)
    book.active["B2"].number_format = FORMAT
    book.save(before)
    with ZipFile(before) as old, ZipFile(after, "w", ZIP_DEFLATED) as new:
        for name in old.namelist():
            part = old.read(name).decode()
            new.writestr(name, part.replace(FORMAT, number_format))
    return after.getvalue()


def test_a_workbook_is_the_same_table_as_without_the_process() -> None:
    """With its rows' numbers, its columns, and as many rows as were asked for."""
    for most in (None, 2):
        table = table_of("a.xlsx", workbook(), most)
        assert table == read_table("a.xlsx", workbook(), most)
        assert [row.number for row in table.rows] == [2, 4, 5][:most]


def test_a_workbook_that_keeps_its_reader_busy_is_given_up() -> None:
    """By the words for it. A few kilobytes for a day: what tells dates takes the square of them."""
    data = workbook("[" * 100_000)
    assert len(data) < 6_000
    with pytest.raises(
        DeckError, match=r"b.xlsx cannot be read \(it takes more than 2 s"
    ) as caught:
        table_of("b.xlsx", data, limits=replace(LIMITS, seconds=2))
    assert remarks_of(words_of(caught.value))


def test_why_a_workbook_is_refused_can_be_said_in_every_language() -> None:
    """The process hands on the sentence, not only its words."""
    with pytest.raises(DeckError, match="no workbook") as caught:
        table_of("a.xlsx", workbook()[:200])
    assert remarks_of(words_of(caught.value))


@pytest.mark.parametrize("said", [b"\xc1", b"\x81\xa7trouble\x91\x81\xa4text\xa1\xff"])
def test_a_process_that_breaks_out_of_its_bounds_is_told(
    monkeypatch: pytest.MonkeyPatch, said: bytes
) -> None:
    """Whatever comes that is no reply, or no text: it ends in a sentence."""
    monkeypatch.setattr("core.services.tables.python_command", lambda _: saying(said))
    with pytest.raises(DeckError, match=r"a.xlsx cannot be read \(it breaks out of its bounds"):
        table_of("a.xlsx", workbook())


def test_text_needs_no_process() -> None:
    """Its reader is ours, so it is there at once."""
    limits = replace(LIMITS, seconds=0, memory=0)
    assert len(table_of("a.csv", b"question,answer\na,b\n", limits=limits).rows) == 1
