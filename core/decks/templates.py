"""A template: a question with blanks, and the variables that fill them; it makes endless puzzles.

A blank is an expression in braces (``core.decks.expressions``): ``What is {a} + {b}?`` is answered
by ``{a + b}``. A brace that is meant as one is doubled.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from fractions import Fraction
from random import Random
from typing import Annotated, Final, NamedTuple

import msgspec
from msgspec import Meta

from core.decks.expressions import Expression, NoValueError, Value, parse
from core.decks.limits import (
    MAX_ANSWER,
    MAX_BLANKS,
    MAX_EXPRESSION,
    MAX_NUMBER,
    MAX_VARIABLES,
    MAX_WORDS,
    Label,
    Level,
    Question,
    Solution,
)
from core.decks.spelling import spell
from core.errors import DeckError
from core.i18n import translatable

TRIES: Final = 1_000
"""Values that are tried for one puzzle: a condition may hold for one in a hundred."""

FAILURES: Final = 64
"""Of them may meet the condition and have no result all the same, such as a division by zero."""

_BLANK: Final = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")

_Bound = Annotated[int, Meta(ge=-(10**15), le=10**15)]
VariableName = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_]{0,15}\Z")]


class NumberVariable(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="number"):
    """A variable that is a whole number from ``low`` to ``high``, in steps."""

    low: _Bound
    high: _Bound
    step: Annotated[int, Meta(ge=1, le=10**15)] = 1

    @property
    def count(self) -> int:
        """How many values it has; none where the bounds are the wrong way round."""
        return max(0, (self.high - self.low) // self.step + 1)

    def draw(self, rng: Random) -> Value:
        """One of them, each as likely as any other."""
        return Fraction(self.low + self.step * rng.randrange(self.count))


class WordVariable(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="word"):
    """A variable that is one of some words."""

    words: Annotated[tuple[Label, ...], Meta(min_length=1, max_length=MAX_WORDS)]

    @property
    def count(self) -> int:
        """How many values it has."""
        return len(self.words)

    def draw(self, rng: Random) -> Value:
        """One of them, each as likely as any other."""
        return self.words[rng.randrange(self.count)]


Variables = Annotated[
    dict[VariableName, NumberVariable | WordVariable], Meta(max_length=MAX_VARIABLES)
]


class Template(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A row of a deck that makes as many questions as its variables have values."""

    question: Question  # with blanks, like the answer and the solution
    answer: Annotated[str, Meta(min_length=1, max_length=MAX_ANSWER)]
    variables: Variables
    where: Annotated[str, Meta(max_length=MAX_EXPRESSION)] = ""
    """An expression; values for which it is false are not asked."""
    level: Level = 1
    solution: Solution = ""


class Filled(NamedTuple):
    """One puzzle of a template."""

    question: str
    answer: str
    solution: str


class TemplateFiller:
    """A template made ready: read once, filled often."""

    def __init__(self, template: Template, *, as_fractions: bool) -> None:
        """Read all expressions; ``as_fractions``: answers that are no whole numbers are such.

        Raises:
            DeckError: one of them is none, or a variable has no value.
        """
        names = template.variables.keys()
        for name, variable in template.variables.items():
            if not variable.count:
                raise DeckError(
                    translatable("The variable {} has no value: its bounds are reversed.", name)
                )
        self._variables = sorted(template.variables.items())
        self._where = parse(template.where, names) if template.where.strip() else None
        self._texts = (
            _Text(template.question, names, as_fractions=False),
            _Text(template.answer, names, as_fractions=as_fractions),
            _Text(template.solution, names, as_fractions=False),
        )
        self.size = sum(text.size for text in self._texts)
        """Numbers, names and signs in all expressions, of the condition as well."""
        self._cost_of_try = len(self._variables)
        if self._where is not None:
            self.size += self._where.size
            self._cost_of_try += self._where.size
        self.steps = 0
        """How much was drawn and worked out so far: the work that this template was."""

    @property
    def count(self) -> int:
        """Different values of the variables together; of those that are not asked, too."""
        counts = (variable.count for _, variable in self._variables)
        product = 1
        for count in counts:
            product = min(product * count, MAX_NUMBER)
        return product

    def fill(self, rng: Random) -> Filled | None:
        """One puzzle; None where no values were found for which there is one."""
        failures = 0
        for _ in range(TRIES):
            values = {name: variable.draw(rng) for name, variable in self._variables}
            self.steps += self._cost_of_try
            if not self._is_asked(values):
                continue
            self.steps += self.size
            try:
                return Filled(*(text.fill(values) for text in self._texts))
            except NoValueError:
                failures += 1
            if failures == FAILURES:
                break
        return None

    def _is_asked(self, values: Mapping[str, Value]) -> bool:
        try:
            return self._where is None or self._where.value(values) is True
        except NoValueError:
            return False


class _Text:
    """Text with blanks."""

    def __init__(self, text: str, names: Collection[str], *, as_fractions: bool) -> None:
        self._parts = list(_parts(text, names))
        self._as_fractions = as_fractions
        self.size = sum(part.size for part in self._parts if isinstance(part, Expression))

    def fill(self, values: Mapping[str, Value]) -> str:
        return "".join(
            part
            if isinstance(part, str)
            else spell(part.value(values), as_fraction=self._as_fractions)
            for part in self._parts
        )


def _parts(text: str, names: Collection[str]) -> Iterator[str | Expression]:
    """Plain text and blanks, in turn.

    Raises:
        DeckError: a brace stands alone, or what stands between two is no expression.
    """
    end = blanks = 0
    for found in _BLANK.finditer(text):
        yield text[end : found.start()]
        end = found.end()
        if found[1] is not None:
            blanks += 1
            yield parse(found[1], names)
        elif len(found[0]) > 1:
            yield found[0][0]
        if blanks > MAX_BLANKS or (found[1] is None and len(found[0]) == 1):
            raise DeckError(
                translatable(
                    "{} has a brace without its partner, or more than {} blanks. "
                    "Write {{ for a brace that is meant as one.",
                    f"{text[:40]!r}",
                    MAX_BLANKS,
                )
            )
    yield text[end:]
