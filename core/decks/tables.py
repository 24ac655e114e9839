"""Tables that people have, as rows of text: CSV and its kin, JSON, JSON Lines, Excel's .xlsx.

Which of them it is, and what separates its cells, is found out here.
"""

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import PurePath
from string import ascii_uppercase
from typing import Final, TypeAlias

import msgspec

from core.decks.columns import header_at, usual_width
from core.decks.encodings import decoded
from core.decks.limits import LAST_ROW, MAX_CARDS, MAX_CELL, MAX_COLUMNS, MAX_DECK_BYTES
from core.decks.separated import Row, separated_rows
from core.decks.workbooks import sheets
from core.errors import DeckError
from core.i18n import translatable

_ZIP: Final = b"PK"
_OLD_OFFICE: Final = b"\xd0\xcf\x11\xe0"
_Value: TypeAlias = str | int | float | bool | None
_Object: TypeAlias = dict[str, _Value | list[object] | dict[str, object]]
_object_decoder = msgspec.json.Decoder(_Object)
_array_decoder = msgspec.json.Decoder(list[_Object])


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row that is not empty; a cell of more than ``MAX_CELL`` characters is cut just behind."""

    number: int
    """As the person sees it: the row of a spreadsheet, the line of JSON Lines, from 1."""

    cells: tuple[str, ...]
    """As many as there are columns, or more where a separator was meant as text."""


@dataclass(frozen=True, slots=True)
class Table:
    """At least one row, and at most ``MAX_COLUMNS`` columns."""

    columns: tuple[str, ...]
    """Their names; A, B, … where the table gives none."""

    rows: tuple[TableRow, ...]
    has_header: bool
    """Whether the table names its columns itself."""

    def with_first_row_as_header(self) -> "Table":
        """The same table where a person says that its first row is a header after all."""
        return Table(self.rows[0].cells[: len(self.columns)], self.rows[1:], has_header=True)


def read_table(name: str, data: bytes, most: int | None = None) -> Table:
    """The table in the file ``name`` with the content ``data``, whoever made it.

    With ``most``, from 1 to ``MAX_CARDS``, the first rows are taken of one that may be longer.
    A stranger's workbook is for ``core.services.tables``.

    Raises:
        DeckError: it is none, or passes a limit.
    """
    if len(data) > MAX_DECK_BYTES:
        raise _too_much(translatable("{} bytes", f"{MAX_DECK_BYTES:,}"))
    if is_workbook(data):
        return _of_workbook(data, most)
    if data.startswith(_OLD_OFFICE):
        raise DeckError(
            translatable(
                "This is an old workbook, or one with a password. Save it as .xlsx or as CSV, "
                "without a password."
            )
        )
    text, kind = decoded(data), PurePath(name).suffix.lower()
    is_json = kind in {".json", ".jsonl", ".ndjson"}
    if is_json or (kind not in {".csv", ".tsv", ".tab"} and text.lstrip()[:1] in {"[", "{"}):
        try:
            return _of_objects(text, most)
        except (msgspec.MsgspecError, RecursionError) as error:
            if is_json:
                raise DeckError(
                    translatable(
                        "This is no table in JSON ({}). Write a list of objects, or one in each "
                        "line, with texts, numbers and lists of them.",
                        error,
                    )
                ) from error
    rows = _collected(separated_rows(text, "\t" if kind in {".tsv", ".tab"} else None), most)
    if not rows:
        raise _no_rows()
    return _table(rows, usual_width([row.cells for row in rows]), most)


def is_workbook(data: bytes) -> bool:
    """Whether ``data`` is read as an Excel workbook, whatever its name says."""
    return data.startswith(_ZIP)


def _of_workbook(data: bytes, most: int | None) -> Table:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # openpyxl tells of colours and rules that it leaves out
        for sheet in sheets(data):
            rows = _collected(sheet, most)
            if rows:
                return _table(rows, max(len(row.cells) for row in rows), most)
    raise _no_rows()


def _of_objects(text: str, most: int | None) -> Table:
    """A list of objects, or one in each line; the first ``most`` of them.

    Raises:
        DeckError: it passes a limit.
        msgspec.MsgspecError, RecursionError: it is neither.
    """
    if text.lstrip()[:1] == "[":
        found = _array_decoder.decode(text)[:most]
        _check_count(len(found))  # of empty ones as well: there can be millions
        objects = list(enumerate(found, start=1))
    else:
        lines = [(at, one) for at, one in enumerate(text.split("\n"), start=1) if one.strip()]
        objects = [(at, _object(at, line)) for at, line in lines[: most or MAX_CARDS + 1]]
        _check_count(len(objects))
    columns: dict[str, None] = {}
    for _, one in objects:
        columns.update(dict.fromkeys(one))
        if len(columns) > MAX_COLUMNS:
            raise _too_wide()
    rows = _collected((at, [_spell(one.get(name)) for name in columns]) for at, one in objects)
    return _made(tuple(columns), rows, has_header=True)


def _object(number: int, line: str) -> _Object:
    try:
        return _object_decoder.decode(line)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise msgspec.DecodeError(f"line {number}: {error}") from error


def _spell(value: object) -> str:
    """A cell; empty where an object stands there, of which nothing may be wanted."""
    match value:
        case None | dict():
            return ""
        case bool():
            return "true" if value else "false"
        case float():
            plain = Decimal(repr(value))
            return format(plain.to_integral() if plain == plain.to_integral() else plain, "f")
        case list():
            is_flat = not any(isinstance(one, (dict, list)) for one in value)
            return " | ".join(filter(None, (_spell(one).strip() for one in value if is_flat)))
    return str(value)


def _collected(rows: Iterable[Row], most: int | None = None) -> list[TableRow]:
    """All rows that are not empty; of them ``most``, a title and one that may name the columns.

    Raises:
        DeckError: they pass a limit.
    """
    kept: list[TableRow] = []
    letters = 0
    for number, cells in rows:
        width = len(cells)
        while width and not cells[width - 1].strip():
            width -= 1
        if width > MAX_COLUMNS:
            raise _too_wide()
        if width:
            cut = tuple(cell[: MAX_CELL + 1] for cell in cells[:MAX_COLUMNS])
            letters += sum(map(len, cut))  # a workbook can name one long text a million times
            kept.append(TableRow(number, cut))
        if most is not None and len(kept) > most + 1:
            return kept
        if len(kept) > MAX_CARDS + 1 or number > LAST_ROW:
            raise _too_much(translatable("{} rows", f"{MAX_CARDS:,}"))
        if letters > MAX_DECK_BYTES:
            raise _too_much(translatable("{} characters", f"{MAX_DECK_BYTES:,}"))
    return kept


def _table(rows: Sequence[TableRow], width: int, most: int | None) -> Table:
    """``rows``, at least one, under the names in their header, or under letters; ``most``."""
    header = header_at([row.cells for row in rows[:2]])
    fitted = [TableRow(row.number, _fitted(row.cells, width)) for row in rows]
    if header is not None:
        names = fitted[header].cells
        return _made(tuple(map(str.strip, names)), fitted[header + 1 :][:most], has_header=True)
    return _made(tuple(map(_letters, range(width))), fitted[:most], has_header=False)


def _made(columns: tuple[str, ...], rows: Sequence[TableRow], *, has_header: bool) -> Table:
    if not rows:
        raise _no_rows()
    _check_count(len(rows))
    return Table(columns, tuple(rows), has_header)


def _check_count(rows: int) -> None:
    if rows > MAX_CARDS:
        raise _too_much(translatable("{} rows", f"{MAX_CARDS:,}"))


def _fitted(cells: tuple[str, ...], width: int) -> tuple[str, ...]:
    beyond = len(cells)
    while beyond > width and not cells[beyond - 1].strip():
        beyond -= 1
    return cells[:beyond] + ("",) * (width - beyond)


def _letters(position: int) -> str:
    """What spreadsheets call a column: A to Z, then AA."""
    before, last = divmod(position, len(ascii_uppercase))
    return (_letters(before - 1) if before else "") + ascii_uppercase[last]


def _too_much(most: str) -> DeckError:
    return DeckError(translatable("This table has more than {}. Make two of it.", most))


def _too_wide() -> DeckError:
    return DeckError(
        translatable(
            "This table has more than {} columns. Keep those with questions and answers.",
            MAX_COLUMNS,
        )
    )


def _no_rows() -> DeckError:
    return DeckError(translatable("There are no rows in this table. Write at least one."))
