r"""How answers to the questions of decks are judged; see ``core.tasks.verifiers``.

What is forgiven, besides what is in every answer:

    folded      upper and lower case in any language, white space between words; joiners that cannot
                be seen where the deck's own answer has some
    near        what is forgiven in decimals, and the deck's tolerance
    ratio       a plus sign, white space around the slash, plain or LaTeX; 3 for 3/1, never 2/4
    same_words  the order of words between commas, and in each what is forgiven by ``folded``
"""

import re
import unicodedata
from fractions import Fraction
from typing import Final

from core.decks.spelling import WHOLE
from core.letters import JOINERS
from core.tasks.reasoning_tasks import Puzzle

DECIMAL: Final = re.compile(WHOLE + r"(?:\.[0-9]{1,64})?", re.ASCII)
_RATIO: Final = re.compile(
    r"(?P<sign>[+-]?)(?:\\d?frac\{(?P<top>[0-9]{1,40})\}\{(?P<bottom>[0-9]{1,40})\}"
    r"|(?P<over>[0-9]{1,40})(?: ?/ ?(?P<under>[0-9]{1,40}))?)",
    re.ASCII,
)
_JOINER: Final = re.compile(f"[{JOINERS}]")


def folded(answer: str, puzzle: Puzzle) -> bool:
    """The same text, upper and lower case alike."""
    return _fold(answer, puzzle) == _fold(puzzle.answer, puzzle)


def near(answer: str, puzzle: Puzzle) -> bool:
    """A decimal that is no farther off than the deck allows."""
    if DECIMAL.fullmatch(answer) is None or DECIMAL.fullmatch(puzzle.answer) is None:
        return False
    value, right = (Fraction(text.replace(",", "")) for text in (answer, puzzle.answer))
    return abs(value - right) <= Fraction(puzzle.tolerance)


def ratio(answer: str, puzzle: Puzzle) -> bool:
    """The same numerator and denominator."""
    parts = _ratio_parts(answer)
    return parts is not None and parts == _ratio_parts(puzzle.answer)


def same_words(answer: str, puzzle: Puzzle) -> bool:
    """The same words between commas, in any order."""
    return _words(answer, puzzle) == _words(puzzle.answer, puzzle)


def _ratio_parts(text: str) -> tuple[int, int] | None:
    found = _RATIO.fullmatch(text)
    if found is None:
        return None
    top = int(found["top"] or found["over"])
    return -top if found["sign"] == "-" else top, int(found["bottom"] or found["under"] or 1)


def _words(text: str, puzzle: Puzzle) -> list[str]:
    return sorted(_fold(word, puzzle) for word in text.split(","))


def _fold(text: str, puzzle: Puzzle) -> str:
    if _JOINER.search(puzzle.answer):  # else a deck would accept more than it ever did
        text = _JOINER.sub("", text)
    return " ".join(unicodedata.normalize("NFC", text).casefold().split())
