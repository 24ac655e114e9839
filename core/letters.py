"""Letters that hide, or that change how others are shown: control, direction, zero width.

Names, addresses and error texts may come from strangers. In a terminal such letters move the
cursor or run a sequence of commands, and everywhere they turn or hide what a person reads.
"""

import re
import unicodedata
from typing import Final

_CATEGORIES: Final = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
_ALONE: Final = frozenset("\u115f\u1160\u3164\uffa0\u034f\u17b4\u17b5")  # invisible letters, marks

JOINERS: Final = "\u200c\u200d"
"""Tricks that are spelling as well: in Persian, in scripts of India, in pictures of several."""

_BESIDE: Final = rf"[^\x00-\x7f\s{JOINERS}]"
_VIRAMAS: Final = "\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca"
STRAY_JOINER: Final = re.compile(
    rf"(?<!{_BESIDE})[{JOINERS}]|(?<![{_VIRAMAS}])[{JOINERS}](?!{_BESIDE})|[{JOINERS}](?=[{JOINERS}])"
)
"""One that spells nothing: not alone between two letters beyond ASCII, nor behind a virama."""


def is_trick(letter: str) -> bool:
    """Whether ``letter`` is one of them; the end of a line is."""
    return unicodedata.category(letter) in _CATEGORIES or letter in _ALONE


def escaped(text: str, *, kept: str = "\n\t") -> str:
    """All of ``text``, each such letter but those ``kept`` as its escape, as in JSON."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_escape(c) if is_trick(c) and c not in kept else c for c in text)


def _escape(letter: str) -> str:
    """As JSON escapes it: a pair of surrogates where one does not do."""
    units = letter.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[n] << 8 | units[n + 1]:04x}" for n in range(0, len(units), 2))
