"""Propositional logic by truth tables: formulas become bit masks, one bit per assignment.

The library accepts every conclusion that follows and is no tautology, so that a constant "P or Q"
earns 83 % of its puzzles. Here a conclusion must be worth drawing:

1. it follows from the premises;
2. it leaves no more assignments open than the strongest conclusion of at most two literals does
   (so weakening "P and Q" to "P or Q" earns nothing; saying more than asked is welcome);
3. it names each variable at most once, so that copying the premises out is no inference. Such a
   formula is never a tautology and never a contradiction.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product

NOT, AND, OR, IMPLIES, IFF = "\u00ac", "\u2227", "\u2228", "\u2192", "\u2194"
"""The symbols that the prompts ask for; no others are read."""

MAX_FORMULA = 64
"""Characters of an answer; the strongest short conclusion takes seven."""

MAX_VARIABLES = 6
MAX_DEPTH = 16


class FormulaError(ValueError):
    """The text is no formula over these variables, or is longer or deeper than allowed."""


@dataclass(frozen=True, slots=True)
class Formula:
    """What a text says, and of which variables."""

    table: int  # bit a is set where assignment a makes the formula true
    names: tuple[str, ...]  # each occurrence of a variable, in order


@dataclass(frozen=True, slots=True)
class Entailment:
    """All that is needed to judge a conclusion."""

    variables: tuple[str, ...]
    worlds: int  # bit a is set where assignment a makes every premise true
    open_worlds: int  # how many assignments the strongest short conclusion leaves open

    def admits(self, text: str) -> bool:
        """Whether ``text`` is a conclusion that earns the point; see the module's docstring."""
        if len(text) > MAX_FORMULA:
            return False
        try:
            formula = parse(text, self.variables)
        except FormulaError:
            return False
        return (
            len(set(formula.names)) == len(formula.names)
            and self.worlds & ~formula.table == 0
            and formula.table.bit_count() <= self.open_worlds
        )

    def is_plain(self, text: str) -> bool:
        """Whether ``text`` is written as the short conclusions are, with all spaces or none."""
        return text in _plain_forms(self.variables)


def entail(premises: Sequence[str], variables: Sequence[str]) -> tuple[Entailment, str] | None:
    """The task that ``premises`` set, and the strongest short conclusion from them.

    None where there is nothing to conclude: the premises contradict each other (anything would
    follow), or nothing of at most two literals follows.

    Raises:
        FormulaError: a premise is no formula.
    """
    names = tuple(variables)
    worlds = _everywhere(names)
    for premise in premises:
        worlds &= parse(premise, names).table
    if not worlds:
        return None
    follows = [
        (formula.table.bit_count(), len(text), text)
        for text in _short_formulas(names)
        if worlds & ~(formula := parse(text, names)).table == 0
    ]
    if not follows:
        return None
    open_worlds, _, text = min(follows)
    return Entailment(names, worlds, open_worlds), text


def parse(text: str, variables: Sequence[str]) -> Formula:
    """Read a formula; *not* binds tightest, then *and*, *or*, *implies*, *if and only if*.

    A chain of implications is refused, because people read it in two ways.

    Raises:
        FormulaError: see there.
    """
    if len(variables) > MAX_VARIABLES:
        raise FormulaError("too many variables")
    parser = _Parser("".join(text.split(" ")), variables)
    table = parser.equivalence(MAX_DEPTH)
    if not parser.at_end:
        raise FormulaError("something follows the formula")
    return Formula(table, tuple(parser.names))


class _Parser:
    """Recursive descent; every method reads one level of precedence and returns its table."""

    def __init__(self, text: str, variables: Sequence[str]) -> None:
        self._text = text
        self._at = 0
        self._all = _everywhere(variables)
        self._tables = {name: _column(i, len(variables)) for i, name in enumerate(variables)}
        self.names: list[str] = []

    @property
    def at_end(self) -> bool:
        return self._at == len(self._text)

    def equivalence(self, depth: int) -> int:
        if not depth:
            raise FormulaError("nested too deeply")
        table = self._implication(depth)
        while self._take(IFF):
            table = ~(table ^ self._implication(depth)) & self._all
        return table

    def _implication(self, depth: int) -> int:
        table = self._disjunction(depth)
        if self._take(IMPLIES):
            table = (~table & self._all) | self._disjunction(depth)
        return table

    def _disjunction(self, depth: int) -> int:
        table = self._conjunction(depth)
        while self._take(OR):
            table |= self._conjunction(depth)
        return table

    def _conjunction(self, depth: int) -> int:
        table = self._literal(depth)
        while self._take(AND):
            table &= self._literal(depth)
        return table

    def _literal(self, depth: int) -> int:
        negations = 0
        while self._take(NOT):
            negations += 1
        table = self._group(depth) if self._take("(") else self._variable()
        return ~table & self._all if negations % 2 else table

    def _group(self, depth: int) -> int:
        table = self.equivalence(depth - 1)
        if not self._take(")"):
            raise FormulaError("a parenthesis is not closed")
        return table

    def _variable(self) -> int:
        name = self._text[self._at : self._at + 1]
        if name not in self._tables:
            raise FormulaError("no variable where one is due")
        self._at += 1
        self.names.append(name)
        return self._tables[name]

    def _take(self, symbol: str) -> bool:
        found = self._text[self._at : self._at + 1] == symbol
        self._at += found
        return found


def _everywhere(variables: Sequence[str]) -> int:
    """The table of a tautology over ``variables``."""
    return (1 << (1 << len(variables))) - 1


def _column(index: int, count: int) -> int:
    """The table of variable ``index``: true in assignment a where that bit of a is 1."""
    return sum(1 << a for a in range(1 << count) if a >> index & 1)


def _short_formulas(variables: Sequence[str]) -> Iterator[str]:
    """Every formula of one or two literals, up to equivalence."""
    for name in variables:
        yield name
        yield f"{NOT}{name}"
    for one, other in combinations(variables, 2):
        for left, right in product((one, f"{NOT}{one}"), (other, f"{NOT}{other}")):
            yield f"{left} {AND} {right}"
            yield f"{left} {OR} {right}"
        yield f"{one} {IFF} {other}"
        yield f"{one} {IFF} {NOT}{other}"


@lru_cache(maxsize=64)
def _plain_forms(variables: tuple[str, ...]) -> frozenset[str]:
    """How short formulas over ``variables`` are written, whichever variable comes first."""
    forms = {*_short_formulas(variables), *_short_formulas(variables[::-1])}
    return frozenset(forms | {form.replace(" ", "") for form in forms})
