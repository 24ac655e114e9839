"""Workbooks: as people see them, and no larger than they say."""

import contextlib
import re
import tracemalloc
from collections.abc import Callable, Iterable
from datetime import date, datetime
from io import BytesIO
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZipFile

import openpyxl
import pytest
from defusedxml import EntitiesForbidden
from hypothesis import given
from hypothesis import strategies as st

from core.decks.limits import MAX_COLUMNS, MAX_DECK_BYTES
from core.decks.tables import TableRow, read_table
from core.decks.workbooks import sheets
from core.errors import DeckError

SHEET = "xl/worksheets/sheet1.xml"
DIMENSION = r'<dimension ref="[^"]*"'


def workbook(*sheets: Iterable[Iterable[object]]) -> bytes:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for rows in sheets:
        sheet = book.create_sheet()
        for row in rows:
            sheet.append(list(row))
    out = BytesIO()
    book.save(out)
    return out.getvalue()


def rewritten(data: bytes, change: Callable[[str, bytes], bytes]) -> bytes:
    """The zip file ``data`` with each part as ``change`` makes it."""
    out = BytesIO()
    with ZipFile(BytesIO(data)) as old, ZipFile(out, "w", ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, change(name, old.read(name)))
    return out.getvalue()


def with_sheet(pattern: str, replacement: str) -> bytes:
    """A workbook whose first sheet was written by somebody else."""

    def change(name: str, part: bytes) -> bytes:
        if name != SHEET:
            return part
        changed, count = re.subn(pattern, replacement, part.decode())
        assert count
        return changed.encode()

    return rewritten(BOOK, change)


BOOK = workbook([["question", "answer"], ["What is 1 + 1?", 2]])


def test_cells_are_as_people_see_them() -> None:
    """Whole numbers without a point, no digits that only the computer has, dates as in ISO 8601."""
    values = [3.0, 0.1 + 0.2, 1e21, True, date(2024, 2, 3), datetime(2024, 2, 3, 4, 5)]  # noqa: DTZ001 - Excel knows no zones
    (row,) = read_table("a.xlsx", workbook([["question", "answer"], ["q", "a", *values]])).rows
    texts = ("3", "0.3", "1" + "0" * 21, "TRUE", "2024-02-03", "2024-02-03 04:05:00")
    assert row.cells == ("q", "a", *texts)


def test_formulas_are_not_worked_out() -> None:
    """What no spreadsheet program has worked out is empty, and text that looks like one is text."""
    data = workbook([["question", "answer", "more"], ["a", "=1+1", "x"]])
    assert read_table("a.xlsx", data).rows[0].cells == ("a", "", "x")
    inline = '<c r="B2" t="inlineStr"><is><t>=HYPERLINK("http://a")</t></is></c>'
    data = with_sheet(r'<c r="B2".*?</c>', inline)
    assert read_table("a.xlsx", data).rows[0].cells[1] == '=HYPERLINK("http://a")'


def test_an_error_is_no_answer() -> None:
    """A formula that failed shows nothing; who asks for the name of an error types it as text."""
    data = workbook([["question", "answer", "more"], ["1 / 0?", "#DIV/0!", "x"]])
    assert read_table("a.xlsx", data).rows[0].cells == ("1 / 0?", "", "x")
    inline = '<c r="B2" t="inlineStr"><is><t>#DIV/0!</t></is></c>'
    data = with_sheet(r'<c r="B2".*?</c>', inline)
    assert read_table("a.xlsx", data).rows[0].cells[1] == "#DIV/0!"


def test_a_carriage_return_is_one() -> None:
    """Workbooks spell it in letters of their own."""
    data = workbook([["question", "answer"], ["Two\nlines?", "yes_x000D_\n"]])
    assert read_table("a.xlsx", data).rows[0].cells == ("Two\nlines?", "yes\r\n")


def test_the_first_visible_sheet_with_anything_in_it_is_the_table() -> None:
    """Empty rows count, as in the spreadsheet."""
    data = workbook([], [[], ["question", "answer"], [], ["a", "b"]])
    assert read_table("a.xlsx", data).rows == (TableRow(4, ("a", "b")),)
    book = openpyxl.load_workbook(BytesIO(workbook([["secret", "x"]], [["a", "b"]])))
    book.worksheets[0].sheet_state = "hidden"
    out = BytesIO()
    book.save(out)
    assert read_table("a.xlsx", out.getvalue()).rows == (TableRow(1, ("a", "b")),)


def test_rows_may_be_wider_than_the_header() -> None:
    """Where nothing separates cells, a note beside the table is no mistake."""
    data = workbook([["question", "answer"], ["a", "b"], ["c", "d", "note"]])
    table = read_table("a.xlsx", data)
    assert table.columns == ("question", "answer", "")
    assert table.rows[0].cells == ("a", "b", "")


@pytest.mark.parametrize(
    "data",
    [
        with_sheet(DIMENSION, '<dimension ref="A1:ZZZ9999999"'),
        with_sheet(r'r="2"(.*?)r="A2"(.*?)r="B2"', r'r="1048576"\1r="A1048576"\2r="B1048576"'),
        with_sheet(r"</row></sheetData>", '<c r="XFD2" s="0"/></row></sheetData>'),
    ],
)
def test_a_sheet_that_claims_to_be_huge_costs_little(data: bytes) -> None:
    """Neither what it says of its size, nor a gap of a million rows or columns, takes memory."""
    book = list(sheets(data))
    tracemalloc.start()
    rows = [row for sheet in book for row in sheet]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [cells for _, cells in rows] == [["question", "answer"], ["What is 1 + 1?", "2"]]
    assert peak < 5_000_000


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (with_sheet('"B2"', '"ZZZ2"'), f"more than {MAX_COLUMNS} columns"),
        (with_sheet('r="2"', 'r="999999999"'), "more than 100,000 rows"),
        (b"PK\x03\x04", "no workbook"),
        (BOOK[:-30], "no workbook"),
        (workbook([], []), "no rows"),
    ],
)
def test_what_is_too_large_or_broken_is_refused_in_words(data: bytes, message: str) -> None:
    """Each limit has its sentence."""
    with pytest.raises(DeckError, match=message):
        read_table("a.xlsx", data)


@pytest.mark.parametrize(
    "swell",
    [
        lambda _: b" " * (4 * MAX_DECK_BYTES),
        lambda part: part.replace(b"<sheetData>", b"<sheetData>" + b"<x/>" * 4_000_000),
        lambda part: part.replace(
            b"</sheetData>", b'<row><c r="ZZZ3"/></row>' * 1_000 + b"</sheetData>"
        ),
    ],
)
def test_what_swells_is_refused(swell: Callable[[bytes], bytes]) -> None:
    """A small zip file of much white space, many tags, or rows of endless empty cells."""
    data = rewritten(BOOK, lambda name, part: swell(part) if name == SHEET else part)
    assert len(data) < 100_000
    with pytest.raises(DeckError, match="far more"):
        read_table("a.xlsx", data)


def test_a_part_that_lies_about_its_size_is_refused() -> None:
    """What stands in the zip file's index is not believed."""
    large = rewritten(BOOK, lambda name, part: part + b" " * 10_000_000 * (name == SHEET))
    with ZipFile(BytesIO(large)) as archive:
        size = archive.getinfo(SHEET).file_size
    lying = large.replace(size.to_bytes(4, "little"), (1_000).to_bytes(4, "little"))
    assert lying != large
    with pytest.raises(DeckError):
        read_table("a.xlsx", lying)


def test_one_long_text_named_by_many_cells_is_refused() -> None:
    """Texts are kept once in a workbook, so a small one can show gigabytes."""
    data = workbook([["question", "answer"], *[["x" * 10_000] * 20] * 50])
    assert len(data) < 30_000
    with pytest.raises(DeckError, match="more than 8,000,000 characters"):
        read_table("a.xlsx", data)


LAUGHS = b'<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>'


@pytest.mark.parametrize("name", ["xl/workbook.xml", SHEET, "[Content_Types].xml"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_declarations_are_refused(name: str, encoding: str) -> None:
    """In every part, in any encoding, also where one begins in one chunk and ends in the next."""

    def change(other: str, part: bytes) -> bytes:
        if other != name:
            return part
        text = (b" " * ((1 << 18) - 4) + LAUGHS + part.split(b"?>", 1)[-1]).decode()
        return text.encode(encoding)

    with pytest.raises(DeckError, match="no workbook"):
        read_table("a.xlsx", rewritten(BOOK, change))


def test_openpyxl_reads_with_defusedxml() -> None:
    """The second wall: entities stop openpyxl itself, should the first one have a hole."""
    data = rewritten(
        BOOK,
        lambda name, part: LAUGHS + part.split(b"?>", 1)[-1] if name == "xl/workbook.xml" else part,
    )
    with pytest.raises(ValueError, match="could not read workbook") as caught:
        openpyxl.load_workbook(BytesIO(data), read_only=True)
    assert isinstance(caught.value.__cause__, EntitiesForbidden)


def test_pictures_are_not_looked_at() -> None:
    """Drawings in SVG begin with a declaration, and do no harm."""
    out = BytesIO(BOOK)
    with ZipFile(out, "a") as archive:
        archive.writestr("xl/media/image1.svg", LAUGHS)
    assert read_table("a.xlsx", out.getvalue()).rows


def test_passwords_and_odd_packing_are_refused() -> None:
    """An encrypted part is told as such; no method of packing is allowed but the usual one."""
    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_BZIP2) as archive:
        archive.writestr("a", b"a" * 100)
    with pytest.raises(DeckError, match="no workbook"):
        read_table("a.xlsx", packed.getvalue())
    at = BOOK.index(b"PK\x01\x02") + 8  # the flags of the first part in the index
    with pytest.raises(DeckError, match="password"):
        read_table("a.xlsx", BOOK[:at] + b"\x01" + BOOK[at + 1 :])


def test_a_zip_file_of_many_parts_is_refused() -> None:
    """A workbook has some dozens."""
    out = BytesIO()
    with ZipFile(out, "w") as archive:
        for number in range(1_001):
            archive.writestr(str(number), b"")
    with pytest.raises(DeckError, match="far more"):
        read_table("a.xlsx", out.getvalue())


@given(st.integers(0, len(BOOK) - 1), st.binary(min_size=1, max_size=8))
def test_a_damaged_workbook_is_read_or_refused(at: int, damage: bytes) -> None:
    """Wherever bytes of the zip file change, nothing but a ``DeckError`` comes out."""
    with contextlib.suppress(DeckError):
        read_table("a.xlsx", BOOK[:at] + damage + BOOK[at + len(damage) :])


with ZipFile(BytesIO(BOOK)) as _archive:
    PARTS = {name: _archive.read(name) for name in _archive.namelist()}


@given(
    st.sampled_from(sorted(PARTS)),
    st.floats(0, 1),
    st.sampled_from(
        [b"", b"<", b">", b'"', b"9", b"-1", b"ZZZZ", b"\xff", b"&a;", b"1e999", b"=" * 9]
    ),
    st.integers(0, 9),
)
def test_an_odd_part_is_read_or_refused(name: str, where: float, put: bytes, cut: int) -> None:
    """Whatever a part says, in a zip file that is sound, likewise."""

    def change(other: str, part: bytes) -> bytes:
        at = int(where * len(part))
        return part[:at] + put + part[at + cut :] if other == name else part

    with contextlib.suppress(DeckError):
        read_table("a.xlsx", rewritten(BOOK, change))
