"""Text with a separator between cells: CSV and its kin. The separator is found out here."""

import csv
import re
from collections.abc import Iterator, Sequence
from io import StringIO
from itertools import islice
from typing import Final

from core.decks.columns import header_at, named_columns, usual_width
from core.errors import DeckError
from core.i18n import translatable

_SEPARATORS: Final = "\t;,|"
"""The first of those that fit equally well: commas stand within texts, bars between answers."""

_SAMPLE_CHARS: Final = 1 << 16
_SAMPLE_ROWS: Final = 200
_SAID: Final = re.compile(r"sep=([^\w\s\"]|\t)\r?\n", re.IGNORECASE)  # a first line of Excel's own

_ABOUT: Final = re.compile(  # lines above Anki's own tables
    r"#(separator|html|tags|columns|deck|notetype|if matches"
    r"|(?:deck|notetype|tags|guid) column):([^\r\n]*)(?:\r\n|\r|\n)"
)
_CALLED: Final = {
    "comma": ",",
    "semicolon": ";",
    "tab": "\t",
    "space": " ",
    "pipe": "|",
    "colon": ":",
}

Row = tuple[int, Sequence[str]]
"""Its number, from 1, and its cells."""


def separated_rows(text: str, separator: str | None) -> Iterator[Row]:
    """All rows of ``text``, empty ones included; without ``separator``, by what fits best.

    Raises:
        DeckError: a quotation mark is wrong, or a cell has more than the 131,072 characters that
            the library allows, mostly for the same reason.
    """
    number = start = 0
    said = _SAID.match(text)
    if said is not None:
        separator, start = said[1], said.end()
    while about := _ABOUT.match(text, start):
        if about[1] == "separator":
            separator = _CALLED.get(about[2].strip().lower())
        number, start = number + 1, about.end()
    text = text[start:]
    reader = _reader(text, separator or _separator_of(text), strict=True)
    try:
        for cells in reader:
            number += 1
            yield number, cells
    except csv.Error as error:
        raise DeckError(
            translatable(
                "A quotation mark in row {} is not closed, or stands within a cell. Write it twice "
                "where it is meant as one, and quotation marks around that cell.",
                number + 1,
            )
        ) from error


def _reader(text: str, separator: str, *, strict: bool) -> Iterator[list[str]]:
    return csv.reader(StringIO(text, newline=""), delimiter=separator, strict=strict)


def _separator_of(text: str) -> str:
    """What makes the most names of columns, and the most rows of one width."""
    sample = text[:_SAMPLE_CHARS]
    return max(_SEPARATORS, key=lambda separator: _fitness(sample, separator))


def _fitness(sample: str, separator: str) -> tuple[int, float]:
    reader = _reader(sample, separator, strict=False)
    try:
        rows = [row for row in islice(reader, _SAMPLE_ROWS) if any(map(str.strip, row))]
    except csv.Error:
        rows = []
    if not rows:
        return 0, 0.0
    header, width = header_at(rows), usual_width(rows)
    if width == 1:
        return 0, 0.0
    names = 0 if header is None else len(named_columns(rows[header]).positions)
    return names, sum(len(row) == width for row in rows) / len(rows)
