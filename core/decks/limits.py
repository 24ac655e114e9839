"""The limits of a deck, and the texts that may stand in one.

================================================  ===========  ====================
limit                                             value        constant
================================================  ===========  ====================
bytes of a deck, and of a file that becomes one   8,000,000    MAX_DECK_BYTES
cards                                             100,000      MAX_CARDS
templates                                         200          MAX_TEMPLATES
characters of a question                          4,000        MAX_QUESTION
characters of an answer                           1,024        MAX_ANSWER
characters of a worked solution                   4,000        MAX_SOLUTION
accepted answers of a card                        16           MAX_ANSWERS
labels to choose from                             64           MAX_LABELS
answers, labels and words of variables, in all    400,000      MAX_PARTS
characters of a label, or of a variable's word    120          MAX_LABEL
characters of a deck's names                      80           MAX_NAME
level                                             1 to 9       MAX_LEVEL
variables of a template                           16           MAX_VARIABLES
words that a variable can be                      200          MAX_WORDS
blanks in a text                                  32           MAX_BLANKS
characters of an expression                       200          MAX_EXPRESSION
numerators and denominators in one                10³⁰         MAX_NUMBER
numbers, names and signs in all of them           60,000       MAX_TERMS
columns of a table that becomes a deck            64           MAX_COLUMNS
characters of its cells                           20,000       MAX_CELL
number of its last row, as in spreadsheets        1,048,576    LAST_ROW
bytes of a Parquet file, as it comes from a hub   64,000,000   MAX_PARQUET_BYTES
bytes of its columns that are read, unpacked      256,000,000  MAX_PARQUET_UNPACKED
================================================  ===========  ====================
"""

import re
import unicodedata
from itertools import chain, groupby
from typing import Annotated, Final

from msgspec import Meta

from core.errors import DeckError
from core.i18n import translatable
from core.letters import JOINERS, STRAY_JOINER, escaped, is_trick

MAX_DECK_BYTES: Final = 8_000_000
MAX_CARDS: Final = 100_000
MAX_TEMPLATES: Final = 200
MAX_QUESTION: Final = 4_000
MAX_ANSWER: Final = 1_024
MAX_SOLUTION: Final = 4_000
MAX_ANSWERS: Final = 16
MAX_LABELS: Final = 64
MAX_PARTS: Final = 400_000
MAX_LABEL: Final = 120
MAX_NAME: Final = 80
MAX_LEVEL: Final = 9
MAX_VARIABLES: Final = 16
MAX_WORDS: Final = 200
MAX_BLANKS: Final = 32
MAX_EXPRESSION: Final = 200
MAX_NUMBER: Final = 10**30
MAX_TERMS: Final = 60_000
MAX_COLUMNS: Final = 64
MAX_CELL: Final = 20_000
LAST_ROW: Final = 1_048_576
MAX_PARQUET_BYTES: Final = 64_000_000
MAX_PARQUET_UNPACKED: Final = 256_000_000

Question = Annotated[str, Meta(min_length=1, max_length=MAX_QUESTION)]
Answer = Annotated[str, Meta(min_length=1, max_length=MAX_ANSWER)]
Solution = Annotated[str, Meta(max_length=MAX_SOLUTION)]
Label = Annotated[str, Meta(min_length=1, max_length=MAX_LABEL)]
Labels = Annotated[tuple[Label, ...], Meta(max_length=MAX_LABELS)]
Level = Annotated[int, Meta(ge=1, le=MAX_LEVEL)]

_NOT_KNOWN: Final = "Cn"
"""Letters that are newer than this Python: others may know them, so they are let through."""


_HEAP: Final = re.compile(r"[^\x00-\u02ff\w]{31,}")
"""More marks on a letter than Unicode expects anywhere (UAX #15, stream-safe text), or other signs
that are no letters."""


_PLAIN: Final = {0xA0: " ", **dict.fromkeys(map(ord, "\u00ad\u200b\u200e\u200f\ufeff"))}
"""What word processors and web pages put between letters, and nobody sees or types."""


def tidy(text: str) -> str:
    """``text`` as a deck keeps it: composed (NFC), with plain ends of lines, nothing around it.

    Invisible places to part a word, and marks that turn no letter around, are left out.
    """
    plain = text.replace("\r\n", "\n").replace("\r", "\n").translate(_PLAIN)
    return unicodedata.normalize("NFC", _HEAP.sub(_in_order, plain)).strip()


def _in_order(heap: re.Match[str]) -> str:
    """All decomposed, and marks as Unicode orders them: Python takes the square of their number."""
    apart = chain.from_iterable(unicodedata.normalize("NFD", sign) for sign in heap[0])
    runs = groupby(apart, lambda sign: unicodedata.combining(sign) > 0)
    ordered = (
        sorted(run, key=unicodedata.combining) if are_marks else run for are_marks, run in runs
    )
    return "".join(chain.from_iterable(ordered))


def check_line(text: str) -> None:
    """Refuse what ``check_text`` does, and more lines than one: names stand among words of ours.

    Raises:
        DeckError: there are such letters.
    """
    check_text(text)
    if "\n" in text or "\t" in text:
        raise DeckError(
            translatable("“{}” has several lines. Write it in one.", escaped(text[:40], kept=""))
        )


def check_text(text: str) -> None:
    """Refuse letters that hide or turn a line around, and text that is not ``tidy``.

    Joiners are let through where they may be spelling.

    Raises:
        DeckError: there are such letters.
    """
    if text.isascii() and text.isprintable() and text == text.strip():
        return
    let_through = "\n\t" if STRAY_JOINER.search(text) else f"\n\t{JOINERS}"
    for letter in text:
        if letter not in let_through and is_trick(letter):
            if unicodedata.category(letter) == _NOT_KNOWN:
                continue
            raise DeckError(
                translatable(
                    "There is a hidden letter, {}, in {}. Type that text again.",
                    escaped(letter, kept=""),
                    f"“{escaped(text[:40])}”",
                )
            )
    if text != tidy(text):
        raise DeckError(
            translatable("There is white space around “{}”. Take it away.", escaped(text[:40]))
        )
