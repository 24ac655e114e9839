"""Text that strangers or models wrote, made fit to be looked at; pure, no Qt.

Labels show plain text, never markup, but Unicode alone can play tricks: marks of direction turn the
words of a line around, invisible letters hide some, accents pile up over the lines above, and a
word without an end widens the page. What does any of that is made visible, or left out.
"""

import re
import unicodedata
from collections.abc import Iterable
from itertools import groupby, pairwise
from typing import Final

from core.letters import JOINERS, STRAY_JOINER, is_trick

STAND_IN: Final = "\N{REPLACEMENT CHARACTER}"
"""Shown in place of a letter that cannot be shown as it is."""

MOST_ACCENTS: Final = 2
"""On one letter; some languages need as many, tricks need more."""

LONGEST_WORD: Final = 24
"""Letters after which a line may end, word or not."""

LONGEST_NAME: Final = 40
"""Letters, as of a swarm."""

_BARE: Final = 3
_OTHERS: Final = re.compile(r"[^a-z0-9]+")
_BREAK: Final = "\N{ZERO WIDTH SPACE}"
_LATER: Final = f"\n{JOINERS}"  # seen to with all letters around them
_ACCENTS: Final = frozenset({"Me", "Mn"})


def harmless(text: str, most: int, lines: int = 40) -> str:
    """``text`` without tricks, in at most ``most`` letters and ``lines`` lines.

    What was left out at the end is marked by an ellipsis.
    """
    bounded = text[: 4 * most]  # so that no text takes long, whatever of it is dropped below
    letters = _without_piles(map(_shown, _with_plain_ends(bounded)))
    shown = _without_stray_joiners(letters).strip("\n")
    kept = "\n".join(shown.split("\n")[:lines])[:most]
    is_whole = kept == shown and bounded == text
    return kept if is_whole else f"{kept[: most - 1]}…"


def visible(text: str) -> str:
    """All of ``text`` in its lines, with a stand-in for each letter that hides or turns others."""
    return _without_stray_joiners(map(_visible, _with_plain_ends(text)))


def legible(text: str, most: int) -> str:
    """``text`` without tricks in one line of at most ``most`` letters, which may be broken."""
    return breakable(harmless(text, most, lines=1))


def breakable(text: str) -> str:
    """``text`` with invisible places in its longest words where a line may end."""
    return " ".join(
        _BREAK.join(word[at : at + LONGEST_WORD] for at in range(0, len(word), LONGEST_WORD))
        for word in text.split(" ")
    )


def name_for(title: str) -> str:
    """A name like ``title`` for a swarm or a file: small letters, digits and hyphens.

    It is empty where no letter can be kept.
    """
    plain = unicodedata.normalize("NFKD", title.replace("ß", "ss")).casefold()
    letters = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return _OTHERS.sub("-", letters).strip("-")[:LONGEST_NAME].strip("-")


def is_grid(text: str) -> bool:
    """Whether columns of ``text`` belong below each other, so that letters of one width suit it.

    It has two lines in a row that are made of numbers or of signs, or one of three of them or more.
    """
    lines = text.split("\n")
    bare = (parts for parts in map(str.split, lines) if all(map(_is_bare, parts)))
    return any(len(parts) >= _BARE for parts in bare) or any(
        pair == (True, True) for pair in pairwise(map(_is_row, lines))
    )


def blocks(text: str) -> list[str]:
    """``text`` in pieces to be shown below each other, each of them words or rows throughout.

    Empty lines part them, and so does the border between words and rows of a grid.
    """
    parts = (
        "\n".join(line.rstrip() for line in lines)
        for _, lines in groupby(text.split("\n"), lambda line: (not line.strip(), _is_row(line)))
    )
    return [part for part in parts if part.strip()]


def _is_bare(part: str) -> bool:
    """Whether ``part`` is a number or a single sign."""
    return part.isdecimal() or len(part) == 1


def _is_row(line: str) -> bool:
    """Whether ``line`` may be one of a table or a drawing: numbers, single letters, or signs."""
    parts = line.split()
    if parts and (all(len(part) == 1 for part in parts) or not any(map(str.isalnum, line))):
        return True
    numbers = sum(part.strip("[](),").isdecimal() for part in parts)
    return numbers > 1 and 2 * numbers >= len(parts)


def _with_plain_ends(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\t", "    ")


def _shown(letter: str) -> str:
    # Of every width, and some of them never end a line.
    return " " if unicodedata.category(letter) == "Zs" else _visible(letter)


def _visible(letter: str) -> str:
    return STAND_IN if letter not in _LATER and is_trick(letter) else letter


def _without_stray_joiners(letters: Iterable[str]) -> str:
    return STRAY_JOINER.sub(STAND_IN, "".join(letters))


def _without_piles(letters: Iterable[str]) -> list[str]:
    kept: list[str] = []
    accents = 0
    for letter in letters:
        if letter not in JOINERS:  # they do not end a pile
            accents = accents + 1 if unicodedata.category(letter) in _ACCENTS else 0
        if accents <= MOST_ACCENTS:
            kept.append(letter)
    return kept
