"""How the letters of a text file are encoded: Unicode, or what Excel writes as CSV somewhere."""

import codecs
import locale
import re
from collections.abc import Iterator
from typing import Final

from core.errors import DeckError
from core.i18n import translatable

_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_WESTERN: Final = frozenset({"cp1252", "iso8859-1", "iso8859-15"})  # the last guess does as well

_PAIR: Final = re.compile(rb"[\x81-\xfe][\x30-\xfe]?")
_COMMON: Final = re.compile(rb"[\xa1\xa3\xb0-\xd7][\xa1-\xfe]")
"""The 3,755 characters that are most of any Chinese text, and its signs. In other encodings these
are pairs of capital letters with accents, or of a sign and a letter."""

_CAPITAL: Final = "À-ÖØ-ÞŒŠŽŸ"
_ODD: Final = re.compile(
    rf"(?<=[a-zß-öø-ÿ])[{_CAPITAL}]"
    r"|(?<=[A-Za-zÀ-ÖØ-öø-ÿ])[^\x00-\x7f\w\s«»\u2010-\u201d\u2022\u2026](?=[A-Za-zÀ-ÖØ-öø-ÿ])"
    r"|[ß-öø-ÿ](?=[A-Z])"
    r"|(?<!\w)[ñëíìîÄ](?!\w)"
    r"|(?<=[a-z])…(?=[a-z])"
)
"""A capital with an accent behind a small letter, or a sign between two letters: "fŸr" and "Cu‡l"
for "für" and "Cuál". Dashes and quotation marks do stand between letters. And what a dash, a curly
quote and a capital of Windows are on a Mac: "ñ" alone, "ìE" and "h…i"."""

_FAR_MORE: Final = 2

_SAMPLE_BYTES: Final = 1 << 20
_NEARLY_ALL: Final = 0.9


def decoded(data: bytes) -> str:
    """The text in ``data``, whose encoding nobody tells.

    Raises:
        DeckError: it is none.
    """
    try:
        for mark, encoding in _MARKS:
            if data.startswith(mark):
                text = data[len(mark) :].decode(encoding)
                break
        else:
            text = _without_mark(data)
    except UnicodeDecodeError as error:
        raise _no_text() from error
    if "\0" in text:
        raise _no_text()
    return text


def _without_mark(data: bytes) -> str:
    for encoding in _guesses(data):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    sample = data[:_SAMPLE_BYTES]
    if _oddities(sample, "cp1252") > _FAR_MORE * _oddities(sample, "mac_roman"):
        return data.decode("mac_roman")  # what Excel for Mac writes
    return data.decode("cp1252")  # and elsewhere in the western world


def _guesses(data: bytes) -> Iterator[str]:
    """Unicode, and what Excel writes as CSV elsewhere: on this computer, or in China."""
    yield "utf-8"
    own = codecs.lookup(locale.getencoding()).name
    if own not in _WESTERN:
        yield own
    pairs = _PAIR.findall(data, 0, _SAMPLE_BYTES)
    common = sum(_COMMON.fullmatch(pair) is not None for pair in pairs)
    if common > _NEARLY_ALL * len(pairs):
        yield "gb18030"


def _oddities(data: bytes, encoding: str) -> int:
    """How many places in ``data`` look odd in the western encoding ``encoding``."""
    return len(_ODD.findall(data.decode(encoding, "replace")))


def _no_text() -> DeckError:
    return DeckError(
        translatable("This is neither text nor a workbook. Save the table as CSV or as .xlsx.")
    )
