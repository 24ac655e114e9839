"""Which of the library's items are fit to be asked.

A generator now and then makes an item whose key is not what its prompt asks for, or which asks for
nothing. Such items would teach nonsense, so ``reasoning_tasks`` passes them over. Each check sees
the raw item and the settings of its level.
"""

import ast
import operator
from collections.abc import Callable, Mapping
from datetime import datetime
from decimal import ROUND_HALF_UP, Context, Decimal
from fractions import Fraction
from typing import Any

Item = Mapping[str, Any]  # the library's: question, answer, metadata
Check = Callable[[Item, Any], bool]

_OPERATIONS: Mapping[type[ast.operator], Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


def is_sound(dataset: str, item: Item, config: object) -> bool:
    """Whether ``item`` of ``dataset``, made with ``config``, is fit to be asked."""
    check = _CHECKS.get(dataset)
    return check is None or check(item, config)


def exact_value(expression: str) -> Fraction | None:
    """The value of an arithmetic expression of the library; None where it divides by zero."""
    try:
        return _evaluate(ast.parse(expression.strip(), mode="eval").body)
    except ZeroDivisionError:
        return None


def _evaluate(node: ast.expr) -> Fraction:
    if isinstance(node, ast.BinOp):
        return _OPERATIONS[type(node.op)](_evaluate(node.left), _evaluate(node.right))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_evaluate(node.operand)
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return Fraction(repr(node.value))
    raise ValueError(f"no arithmetic: {ast.dump(node)}")


def _divides_evenly(item: Item, _: object) -> bool:
    """The generator floors every division, so ``-7 / 2`` is -4 in its keys."""
    return exact_value(item["metadata"]["expression"]) == Fraction(item["answer"])


def _is_rounded_once(item: Item, config: Any) -> bool:  # noqa: ANN401 - the library is untyped
    """The prompt asks to round the result; the generator rounds every intermediate one."""
    value = exact_value(item["question"].rpartition("\n")[2].removesuffix(" = ?"))
    if value is None:
        return False
    rounding = Context(prec=config.precision, rounding=ROUND_HALF_UP)
    rounded = rounding.divide(Decimal(value.numerator), Decimal(value.denominator))
    return rounded == Decimal(item["answer"])


def _is_the_interval_shown(item: Item, _: object) -> bool:
    """Pass over intervals that the generator reads otherwise than it shows them.

    One that ends at midnight, or in a zone further east, comes out negative; the clock after a
    weekday in parentheses is dropped; and milliseconds are truncated as floating-point numbers.
    """
    facts = item["metadata"]
    if "-" in item["answer"] or "(%A) " in facts["format"]:
        return False
    if facts["task_type"] != "time_ms":
        return True
    start, end = (datetime.fromisoformat(facts[name]) for name in ("start_time", "end_time"))
    return bool(item["answer"].endswith(f".{(end - start).microseconds // 1000:03d}"))


def _stays_in_its_year(item: Item, _: object) -> bool:
    """Business days may run into January, which the prompt then dates a year too early."""
    facts = item["metadata"]
    if facts["task"] != "count_business_days":
        return True
    return bool(facts["start_date"][:4] == facts["end_date"][:4])


_CHECKS: Mapping[str, Check] = {
    "basic_arithmetic": _divides_evenly,
    "calendar_arithmetic": _stays_in_its_year,
    "decimal_arithmetic": _is_rounded_once,
    "time_intervals": _is_the_interval_shown,
}
