"""Variables of a template as people write them: ``a = 2..12; b = 0..9 step 3; c = Ann / Bo``."""

import re
from typing import Final

from core.decks.limits import MAX_LABEL, MAX_VARIABLES, MAX_WORDS, tidy
from core.decks.templates import NumberVariable, WordVariable
from core.errors import DeckError
from core.i18n import translatable

_NAME: Final = re.compile(r"[a-z][a-z0-9_]{0,15}")
_RANGE: Final = re.compile(r"(-?[0-9]{1,15})\s*\.\.\s*(-?[0-9]{1,15})(?:\s*step\s+([0-9]{1,15}))?")
_BETWEEN: Final = re.compile(r"[;\n]")
_NUMBER: Final = re.compile(r"-?[0-9]+")


def read_variables(text: str) -> dict[str, NumberVariable | WordVariable]:
    """All variables in ``text``, by name; none of them is without a value.

    Raises:
        DeckError: a part is no variable, there are two of one name, or a limit is passed.
    """
    found: dict[str, NumberVariable | WordVariable] = {}
    for part in filter(None, map(str.strip, _BETWEEN.split(text))):
        name, equals, values = (one.strip() for one in part.partition("="))
        if not equals or not values or _NAME.fullmatch(name) is None:
            raise DeckError(
                translatable(
                    "“{}” is no variable. Write it like a = 2..12 or name = Anna / Ben, "
                    "with a name of at most 16 small letters and digits.",
                    part[:40],
                )
            )
        if name in found:
            raise DeckError(
                translatable("There are two variables {}. Give one another name.", name)
            )
        found[name] = _variable(name, values)
    if not found:
        raise DeckError(translatable("There is no variable. Write one like a = 2..12."))
    if len(found) > MAX_VARIABLES:
        raise DeckError(
            translatable("There are more than {} variables. Leave some out.", MAX_VARIABLES)
        )
    return found


def _variable(name: str, values: str) -> NumberVariable | WordVariable:
    written = _RANGE.fullmatch(values)
    if written is None:
        return _words(name, values)
    low, high, step = int(written[1]), int(written[2]), int(written[3] or 1)
    if low > high or not step:
        raise DeckError(
            translatable(
                "The variable {} has no value. Write the smaller number first, and a step of 1 "
                "or more.",
                name,
            )
        )
    return NumberVariable(low, high, step)


def _words(name: str, values: str) -> WordVariable:
    words = tuple(map(tidy, values.split("/")))
    if ".." in values or any(map(_NUMBER.fullmatch, words)):
        raise DeckError(  # as words, no expression could reckon with them
            translatable("The numbers of {} cannot be read. Write them like 2..12 step 2.", name)
        )
    if not all(words) or max(map(len, words)) > MAX_LABEL or len(words) > MAX_WORDS:
        raise DeckError(
            translatable(
                "The words of {} cannot be used. Write at most {} of them, each with 1 to {} "
                "characters, with / in between.",
                name,
                MAX_WORDS,
                MAX_LABEL,
            )
        )
    return WordVariable(words)
