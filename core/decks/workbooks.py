"""The cells of an Excel workbook (.xlsx) as text. Nothing in it is believed or worked out.

A workbook is a zip file of XML. openpyxl reads it, after all parts of it were unpacked here once to
see how large they really are: a small file can hold gigabytes. Declarations of XML, by which a few
lines become as much, no spreadsheet program writes; they are refused here, and a second time by
defusedxml, which openpyxl reads with. A formula has the value that its program last saw.
"""

import math
from collections.abc import Iterator
from datetime import datetime, time
from decimal import Decimal
from io import BytesIO
from typing import IO, Any, Final
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from core.decks.limits import LAST_ROW, MAX_COLUMNS, MAX_DECK_BYTES
from core.decks.separated import Row
from core.errors import DeckError
from core.i18n import translatable

MAX_UNPACKED: Final = 4 * MAX_DECK_BYTES
MAX_PARTS: Final = 1_000
MAX_MARKS: Final = 4_000_000
"""Of < and = in all parts, so at most as many tags and attributes: each takes some 200 bytes when
it is read. A sheet of 100,000 rows and 3 columns has 2.5 million."""

MAX_EMPTY: Final = 10_000_000
"""Cells to the right of the last column that a table can have: some programs colour whole rows."""

_CHUNK: Final = 1 << 18
_ENCRYPTED: Final = 1  # a bit among a part's flags
_DECLARATION: Final = b"<!DOCTYPE"
_PICTURES: Final = "xl/media/"  # never read; some begin with a declaration
_ERROR: Final = "e"
"""What openpyxl calls a cell with #DIV/0! or #REF!, unless somebody typed just that as a text."""

_RETURN: Final = "_x000D_"
"""How workbooks spell a carriage return, which openpyxl leaves as it is."""

_DIGITS: Final = ".15g"
"""What spreadsheet programs show of a number: 0.1 + 0.2 is 0.3."""


def sheets(data: bytes) -> Iterator[Iterator[Row]]:
    """The visible sheets of the workbook in ``data``, each with the rows that have any cells.

    A row ends with its last cell that is not empty; of one that is wider than a table can be, the
    last ``MAX_COLUMNS`` + 1 are left. Behind ``LAST_ROW``, empty rows are told as well, or a sheet
    that says to have a billion could not be given up.

    Raises:
        DeckError: it is none, is damaged, or is larger than a table can be.
    """
    from openpyxl import load_workbook

    try:
        with ZipFile(BytesIO(data)) as archive:
            _check(archive)
        book = load_workbook(BytesIO(data), read_only=True, data_only=True, keep_links=False)
    except DeckError:
        raise
    except Exception as error:  # it raises whatever a missing or odd part leads to
        raise _damaged() from error
    for sheet in book.worksheets:
        if sheet.sheet_state == "visible":
            sheet.reset_dimensions()  # what it says of its size is not to be relied on
            yield _rows(sheet)


def _check(archive: ZipFile) -> None:
    """Unpack all parts, without keeping them.

    Raises:
        DeckError: they are too large, or nothing that a spreadsheet program writes.
    """
    parts = archive.infolist()
    if len(parts) > MAX_PARTS or sum(part.file_size for part in parts) > MAX_UNPACKED:
        raise _too_large()
    size = marks = 0
    for part in parts:
        if part.flag_bits & _ENCRYPTED:
            raise DeckError(
                translatable("This workbook is protected by a password. Save it without one.")
            )
        if part.compress_type not in {ZIP_STORED, ZIP_DEFLATED}:
            raise _damaged()  # other methods need memory that no limit here sees
        with archive.open(part) as file:
            for chunk in _chunks(file, part):
                size += len(chunk)
                marks += chunk.count(b"<") + chunk.count(b"=")
                if size > MAX_UNPACKED or marks > MAX_MARKS:
                    raise _too_large()


def _chunks(file: IO[bytes], part: ZipInfo) -> Iterator[bytes]:
    """The content of a part, piece by piece.

    Raises:
        DeckError: it declares anything.
    """
    before = b""
    while chunk := file.read(_CHUNK):
        plain = before + chunk.replace(b"\0", b"")  # in UTF-16 every other byte of it is zero
        if _DECLARATION in plain and not part.filename.startswith(_PICTURES):
            raise _damaged()
        before = plain[-len(_DECLARATION) :]
        yield chunk


def _rows(sheet: Any) -> Iterator[Row]:  # noqa: ANN401 - openpyxl ships no types
    rows = iter(sheet.iter_rows())
    number = empty = 0
    while True:
        try:
            row = next(rows, None)
        except Exception as error:  # as above
            raise _damaged() from error
        if row is None:
            return
        number += 1
        if not row and number <= LAST_ROW:
            continue  # in a gap between two rows; there can be a million of them
        empty += max(0, len(row) - MAX_COLUMNS)
        if empty > MAX_EMPTY:
            raise _too_large()
        width = len(row)
        while width and row[width - 1].value in {None, ""}:
            width -= 1
        yield number, [_shown(cell) for cell in row[max(0, width - MAX_COLUMNS - 1) : width]]


def _shown(cell: Any) -> str:  # noqa: ANN401 - as above
    return "" if cell.data_type == _ERROR else _spell(cell.value)


def _spell(value: object) -> str:
    """What a cell shows, as far as its value tells: neither per cent nor currency; ISO dates."""
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return ""
    match value:
        case bool():
            return str(value).upper()
        case float():
            return format(Decimal(format(value, _DIGITS)), "f")
        case datetime():
            return str(value.date() if value.time() == time() else value)
        case str():
            return value.replace(_RETURN, "\r")
    return str(value)  # dates, times and how long something takes are in ISO 8601, or nearly


def _damaged() -> DeckError:
    return DeckError(
        translatable(
            "This is no workbook that Waggle can read. Open it in a spreadsheet program and save "
            "it as .xlsx or as CSV."
        )
    )


def _too_large() -> DeckError:
    return DeckError(
        translatable(
            "This workbook holds far more than a deck can. Copy the table alone into a new one, or "
            "save it as CSV."
        )
    )
