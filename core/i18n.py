"""Sentences that remember how they were made, so that a window can say them in other languages.

Core speaks English. What it says by ``translatable`` is a ``str`` like any other, for logs and
terminals, and carries beside its words the data that they were made from: a fixed text with blanks,
by which translators find it, and what fills them. ``tests/translating.py`` collects the fixed texts
of all calls, so the first argument is always a literal.
"""

import re
from collections.abc import Callable, Sequence
from functools import reduce
from typing import Annotated, Final, Self, Union

import msgspec
from msgspec import Meta

MOST_REMARKS: Final = 8
MOST_BLANKS: Final = 6
TEXT_LENGTH: Final = 500
BLANK_LENGTH: Final = 1_000
"""Characters; a longer one is cut."""

_BLANK: Final = re.compile(r"\{([0-9]?)\}")

Text = Annotated[str, Meta(max_length=TEXT_LENGTH)]
_Filling = Annotated[str, Meta(max_length=BLANK_LENGTH)]


class Remark(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One or two sentences, or a part of one, as data."""

    text: Text  # in English; a blank is {}, or {0}, {1}, …
    blanks: Annotated[tuple[Union[_Filling, "Remark"], ...], Meta(max_length=MOST_BLANKS)] = ()


Remarks = Annotated[tuple[Remark, ...], Meta(max_length=MOST_REMARKS)]


class TranslatableText(str):
    """Words in English, with the remarks that they were made from."""

    __slots__ = ("remarks",)

    remarks: tuple[Remark, ...]

    def __new__(cls, remarks: Sequence[Remark]) -> Self:
        """Say ``remarks``, at most ``MOST_REMARKS``, one after the other."""
        kept = tuple(remarks)[:MOST_REMARKS]
        made = super().__new__(cls, spell(kept, lambda text: text))
        made.remarks = kept
        return made


def translatable(text: str, *blanks: object) -> TranslatableText:
    """``text``, a literal, with its ``blanks`` filled; what was said itself stays data."""
    return TranslatableText((Remark(text, tuple(map(_filling, blanks))),))


def together(*parts: str | None) -> TranslatableText:
    """All ``parts`` that say something, one after the other; plain ones stay as they are."""
    return TranslatableText(
        [one for part in parts if part for one in remarks_of(part) or (_plain(part),)]
    )


def enumerated(parts: Sequence[str]) -> TranslatableText:
    """``parts``, at least one, as a list within a sentence."""
    first, *rest = parts
    return reduce(lambda before, part: translatable("{}, {}", before, part), rest, together(first))


def remarks_of(words: str) -> tuple[Remark, ...]:
    """The remarks that ``words`` were made from; none where they are plain."""
    return words.remarks if isinstance(words, TranslatableText) else ()


def retold(words: str, remarks: Sequence[Remark]) -> str:
    """The text of a message's ``remarks``, or its plain ``words`` where there are none."""
    return TranslatableText(remarks) if remarks else words


def words_of(error: Exception) -> str:
    """The message of ``error``, with the remarks that it was made from."""
    first = error.args[0] if error.args else ""
    return first if isinstance(first, TranslatableText) else str(error)


def encodable(value: object) -> str:
    """The plain words of a translatable text, for msgspec; remarks travel in fields of their own.

    Raises:
        TypeError: ``value`` is anything else.
    """
    if isinstance(value, TranslatableText):
        return str(value)
    raise TypeError(f"{type(value).__name__} cannot be encoded")


def spell(remarks: Sequence[Remark], translate: Callable[[str], str]) -> str:
    """``remarks`` in the language into which ``translate`` brings their texts."""
    return " ".join(_spell(one, translate) for one in remarks)


def _spell(remark: Remark, translate: Callable[[str], str]) -> str:
    """A blank has a number or is the next one; what there is nothing for stays empty."""
    blanks = [b if isinstance(b, str) else _spell(b, translate) for b in remark.blanks]
    turn = iter(range(len(blanks)))

    def filling(found: re.Match[str]) -> str:
        at = int(found[1]) if found[1] else next(turn, len(blanks))
        return blanks[at] if at < len(blanks) else ""

    return _BLANK.sub(filling, translate(remark.text))


def _filling(blank: object) -> str | Remark:
    words = words_of(blank) if isinstance(blank, Exception) else blank
    remarks = remarks_of(words)[:MOST_BLANKS] if isinstance(words, str) else ()
    if remarks:
        return remarks[0] if len(remarks) == 1 else Remark(" ".join("{}" for _ in remarks), remarks)
    return str(words)[:BLANK_LENGTH]


def _plain(words: str) -> Remark:
    return Remark("{}", (words[:BLANK_LENGTH],))
