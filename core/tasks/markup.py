"""What people and models put around an answer without meaning anything by it.

A text is read as it stands and then without what is around it, never otherwise, so that no answer
can hold two. What is taken off is bounded, and everything in the midst of an answer is left alone:
"42 or 43", "1, 2" and "**6** **7**" come out as two answers still, and are wrong.
"""

from typing import Final

MAX_PAIRS: Final = 2  # "**$42$**" and "$$42$$"

_PAIRS: Final = (
    ("**", "**"),
    ("$", "$"),
    ("\\(", "\\)"),
    ("\\[", "\\]"),
    ("\\boxed{", "}"),
    ("```", "```"),  # before the single one, which it begins with
    ("`", "`"),
)
_MAX_NAME: Final = 16  # letters


def without_markup(text: str, *, names: bool) -> str:
    """Take off what stands around an answer: emphasis, code and formula marks, a full stop.

    At most two pairs of marks, one full stop and, where ``names`` says that an answer is a number,
    one name with an equals sign in front, as in "x = 42"; in whichever order they stand.

    Args:
        text: an answer without white space around it.
        names: whether a name in front means nothing.
    """
    pairs, stops, equations = MAX_PAIRS, 1, int(names)
    while True:
        if stops and text.endswith("."):
            text, stops = text[:-1].rstrip(), 0
        elif pairs and (inner := _within_pair(text)) is not None:
            text, pairs = inner, pairs - 1
        elif equations and (value := _behind_name(text)) is not None:
            text, equations = value, 0
        else:
            return text


def _within_pair(text: str) -> str | None:
    for opening, closing in _PAIRS:
        long_enough = len(text) >= len(opening) + len(closing)
        if long_enough and text.startswith(opening) and text.endswith(closing):
            return text[len(opening) : -len(closing)].strip()
    return None


def _behind_name(text: str) -> str | None:
    name, sign, value = text.partition("=")
    name = name.rstrip()
    is_name = len(name) <= _MAX_NAME and name.isascii() and name.isalpha()
    return value.lstrip() if sign and is_name else None
