"""Small expressions of a template, worked out without running anything.

Text is parsed by Python's own parser and walked here: numbers, variables, arithmetic, comparisons,
``and``, ``or``, ``not``, ``… if … else …`` and the calls of ``FUNCTIONS``. There is no attribute,
no subscript, no other call and no loop: an expression ends after as many steps as it has parts.
Numbers are exact fractions of bounded size: the same result on every machine and Python.
"""

import ast
import math
import operator
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from core.decks.limits import MAX_ANSWER, MAX_EXPRESSION, MAX_NUMBER
from core.errors import DeckError
from core.i18n import translatable

MAX_EXPONENT: Final = 100
MAX_DEPTH: Final = 40  # of parts in parts, so that none runs out of Python's stack

_DISPUTED: Final = re.compile(
    r"(?<![A-Za-z0-9_])[0-9]+\.?[A-Za-z_]|[0-9]*\.[0-9.]{16,}|[0-9]{16,}\."
)
"""What later versions of Python may read otherwise, ``1if`` and ``1.if``; and decimals with so many
digits that they are not exact."""

_QUOTED: Final = re.compile(r"'[^']*'|\"[^\"]*\"")

Value = Fraction | bool | str


class NoValueError(Exception):
    """With these values there is no result: a division by zero, a root, or a number too large."""


@dataclass(frozen=True, slots=True)
class Expression:
    """What was parsed and found harmless."""

    _body: ast.expr
    size: int  # numbers, names and signs in it

    def value(self, variables: Mapping[str, Value]) -> Value:
        """Work it out.

        Raises:
            NoValueError: there is no result for these values.
        """
        try:
            return _Evaluator(variables).value(self._body)
        except (ArithmeticError, TypeError, ValueError) as error:
            raise NoValueError(str(error)) from error


def parse(text: str, names: Collection[str]) -> Expression:
    """Read an expression over the variables ``names``.

    Raises:
        DeckError: it is none, or uses what there is not.
    """
    if len(text) > MAX_EXPRESSION:  # no parser is overtaxed, and no walk is long
        raise DeckError(
            translatable(
                "The expression {} is too long. Use at most {} characters.",
                f"{text[:40]}…",
                MAX_EXPRESSION,
            )
        )
    try:
        body = ast.parse(_undisputed(text).strip(), mode="eval").body
        size = _checked_size(body, names)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise DeckError(
            translatable(
                "{} cannot be worked out. Use numbers, the variables, + - * / // % ** ( ), "
                "comparisons and {}.",
                f"{text!r}",
                ", ".join(sorted(FUNCTIONS)),
            )
        ) from error
    return Expression(body, size)


def _undisputed(text: str) -> str:
    if "\\" in text or _DISPUTED.search(_QUOTED.sub("''", text)):
        raise SyntaxError(text)
    return text


def _checked_size(body: ast.expr, names: Collection[str]) -> int:
    """Numbers, names and signs in ``body``; layer by layer, so that none is looked at twice.

    Raises:
        SyntaxError: something stands there that ``_Evaluator`` does not know, or too deep.
        ValueError: a number is beyond all bounds.
    """
    size, called, layer = 0, set[int](), list[ast.AST]([body])
    for _ in range(MAX_DEPTH):
        for node in layer:
            _check(node, names, called)
        size += sum(isinstance(node, ast.expr) for node in layer)
        layer = [part for node in layer for part in ast.iter_child_nodes(node)]
        if not layer:
            return size
    raise SyntaxError("too deep")


def _check(node: ast.AST, names: Collection[str], called: set[int]) -> None:
    """Refuse ``node`` unless ``_Evaluator`` knows it; notes in ``called`` what it calls.

    Raises:
        SyntaxError: something else stands there.
        ValueError: a number is beyond all bounds.
    """
    if type(node) not in _KNOWN:
        raise SyntaxError(type(node).__name__)
    if isinstance(node, ast.Call):
        is_known = isinstance(node.func, ast.Name) and node.func.id in FUNCTIONS
        if not is_known or node.keywords or not node.args:
            raise SyntaxError("call")
        called.add(id(node.func))
    if isinstance(node, ast.Name) and node.id not in names and id(node) not in called:
        raise SyntaxError(node.id)
    if isinstance(node, ast.Constant):
        _literal(node)


class _Evaluator(ast.NodeVisitor):
    """Works a checked expression out, for some values of its variables."""

    def __init__(self, variables: Mapping[str, Value]) -> None:
        self._variables = variables

    def value(self, node: ast.expr) -> Value:
        value: Value = self.visit(node)
        return _bounded(value)

    def visit_Constant(self, node: ast.Constant) -> Value:
        return _literal(node)

    def visit_Name(self, node: ast.Name) -> Value:
        return self._variables[node.id]

    def visit_BinOp(self, node: ast.BinOp) -> Value:
        one, other = _number(self.value(node.left)), _number(self.value(node.right))
        return _OPERATORS[type(node.op)](one, other)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Value:
        return _SIGNS[type(node.op)](self.value(node.operand))

    def visit_BoolOp(self, node: ast.BoolOp) -> Value:
        truths = (_truth(self.value(part)) for part in node.values)
        return all(truths) if isinstance(node.op, ast.And) else any(truths)

    def visit_Compare(self, node: ast.Compare) -> Value:
        values = [self.value(part) for part in (node.left, *node.comparators)]
        return all(
            _COMPARISONS[type(op)](one, _like(one, other))
            for op, one, other in zip(node.ops, values, values[1:], strict=False)
        )

    def visit_IfExp(self, node: ast.IfExp) -> Value:
        return self.value(node.body if _truth(self.value(node.test)) else node.orelse)

    def visit_Call(self, node: ast.Call) -> Value:
        assert isinstance(node.func, ast.Name)  # noqa: S101 - checked when it was parsed
        return FUNCTIONS[node.func.id](*map(self.value, node.args))


def _literal(node: ast.Constant) -> Value:
    """A number as it was written: 0.1 is a tenth, and not the binary fraction nearest to it.

    Raises:
        ValueError: it is beyond all bounds.
    """
    value = node.value
    if isinstance(value, (bool, str)):
        return value
    return _bounded(Fraction(repr(value)))


def _bounded(value: Value) -> Value:
    if isinstance(value, Fraction) and max(abs(value.numerator), value.denominator) > MAX_NUMBER:
        raise ValueError("too large")
    if isinstance(value, str) and len(value) > MAX_ANSWER:
        raise ValueError("too long")
    return value


def _number(value: Value) -> Fraction:
    if not isinstance(value, Fraction):
        raise TypeError("not a number")
    return value


def _truth(value: Value) -> bool:
    if not isinstance(value, bool):
        raise TypeError("neither true nor false")
    return value


def _like(one: Value, other: Value) -> Value:
    """``other``, which must be of the same kind."""
    if type(one) is not type(other):
        raise TypeError("a number and a text")
    return other


def _power(base: Fraction, exponent: Fraction) -> Fraction:
    """A whole power; its size is bounded before it is worked out."""
    if exponent.denominator != 1 or abs(exponent) > MAX_EXPONENT:
        raise ValueError("no whole power")
    size = max(abs(base.numerator), base.denominator).bit_length() * abs(exponent.numerator)
    if size > 2 * MAX_NUMBER.bit_length():
        raise ValueError("too large")
    return Fraction(base**exponent.numerator)


def _whole(value: Value) -> int:
    number = _number(value)
    if number.denominator != 1:
        raise ValueError("not whole")
    return number.numerator


def _rounded(value: Value, places: Value = Fraction(0)) -> Fraction:
    """Half away from zero, as in school."""
    if not 0 <= _whole(places) <= MAX_EXPONENT // 10:
        raise ValueError("too many places")
    scale = 10 ** _whole(places)
    up = math.floor(abs(_number(value)) * scale + Fraction(1, 2))
    return Fraction(up if _number(value) >= 0 else -up, scale)


def _text(value: Value) -> str:
    if not isinstance(value, str):
        raise TypeError("not a text")
    return value


_OPERATORS: Final[Mapping[type[ast.operator], Callable[[Fraction, Fraction], Fraction]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: lambda one, other: Fraction(one // other),
    ast.Mod: operator.mod,
    ast.Pow: _power,
}
_SIGNS: Final[Mapping[type[ast.unaryop], Callable[[Value], Value]]] = {
    ast.UAdd: _number,
    ast.USub: lambda value: -_number(value),
    ast.Not: lambda value: not _truth(value),
}
_COMPARISONS: Final[Mapping[type[ast.cmpop], Callable[[Value, Value], bool]]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_KNOWN: Final = frozenset(
    {
        *(ast.Constant, ast.Name, ast.Load, ast.Call, ast.IfExp),
        *(ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.And, ast.Or, ast.Compare),
        *(*_OPERATORS, *_SIGNS, *_COMPARISONS),
    }
)
FUNCTIONS: Final[Mapping[str, Callable[..., Value]]] = {
    "abs": lambda value: abs(_number(value)),
    "ceil": lambda value: Fraction(math.ceil(_number(value))),
    "floor": lambda value: Fraction(math.floor(_number(value))),
    "gcd": lambda *values: Fraction(math.gcd(*map(_whole, values))),
    "lcm": lambda *values: Fraction(math.lcm(*map(_whole, values))),
    "len": lambda value: Fraction(len(_text(value))),
    "max": lambda *values: max(map(_number, values)),
    "min": lambda *values: min(map(_number, values)),
    "reverse": lambda value: _text(value)[::-1],
    "round": _rounded,
}
"""All that can be called; each refuses what it is not made for."""
