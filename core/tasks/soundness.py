"""Which of the library's items are fit to be asked.

A generator now and then makes an item whose key is not what its prompt asks for, or which asks for
nothing. Such items would teach nonsense, so ``reasoning_tasks`` passes them over. Each check sees
the raw item and the settings of its level.
"""

import ast
import operator
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import datetime
from decimal import ROUND_HALF_UP, Context, Decimal
from fractions import Fraction
from itertools import permutations
from typing import Any

Item = Mapping[str, Any]  # the library's: question, answer, metadata
Check = Callable[[Item, Any], bool]

_STRAIGHT = 180  # degrees

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


def _asks_of_who_was_mentioned(item: Item, _: object) -> bool:
    """One prompt asks of a man who was not mentioned before; the one of colleagues is ambiguous."""
    name, _, _ = item["question"].partition(" ")
    asked = item["question"].rpartition(". ")[2]
    return name in asked and "Matilda" not in asked


def _is_plain_text(item: Item, _: object) -> bool:
    """Accents and the underscores of the book's italics are no letters to shift or to sort."""
    return bool(item["answer"].isascii() and "_" not in item["answer"])


def _is_the_first_ones_role(item: Item, _: object) -> bool:
    """For these four the generator names the other's role, or takes the other's sex."""
    return item["answer"] not in {"mother-in-law", "father-in-law", "niece", "nephew"}


def _has_an_unknown(item: Item, _: object) -> bool:
    """Terms may cancel each other, and any number solves 0 = 0."""
    return item["metadata"]["variable"] in item["metadata"]["equation"]


def _is_among_those_shown(item: Item, _: object) -> bool:
    """Candidates are shown rounded, so that a key with more digits may be none of them."""
    shown = item["metadata"]["formatted_candidates"]
    return Decimal(item["answer"]) in {Decimal(one.replace(",", "")) for one in shown}


def _is_convex(item: Item, _: object) -> bool:
    """The prompt says so, but what is left for the last angle may be 180 degrees and more."""
    return 0 < int(item["answer"]) < _STRAIGHT


def _has_one_completion(item: Item, _: object) -> bool:
    """Several ways to place the queens are all right, but only one is the key."""
    return len(item["metadata"]["valid_answers"]) == 1


def _has_one_filling(item: Item, _: object) -> bool:
    """The numbers to fill in may fit in several ways; equal ones are interchangeable."""
    facts = item["metadata"]
    board, solution = facts["puzzle"], facts["solution"]
    cells = [(r, c) for r, row in enumerate(board) for c, value in enumerate(row) if value == 0]
    ways = set(permutations(facts["candidate_numbers"]))
    return sum(_keeps_sums(solution, dict(zip(cells, way, strict=True))) for way in ways) == 1


def _keeps_sums(solution: list[list[int]], filled: Mapping[tuple[int, int], int]) -> bool:
    """Whether the rows and columns of ``solution`` add up to the same with ``filled`` in it."""
    rows, columns = Counter[int](), Counter[int]()
    for (r, c), value in filled.items():
        rows[r] += value - solution[r][c]
        columns[c] += value - solution[r][c]
    return not any(rows.values()) and not any(columns.values())


def _has_one_shortest_path(item: Item, _: object) -> bool:
    """Several paths may be equally short, but only one is the key."""
    matrix = item["metadata"]["matrix"]
    cells = {(r, c): cell for r, row in enumerate(matrix) for c, cell in enumerate(row)}
    ways = {next(at for at, cell in cells.items() if cell == "*"): 1}
    seen = set(ways)
    while ways:
        ends = [count for at, count in ways.items() if cells[at] == "#"]
        if ends:
            return ends == [1]
        ways = _one_step(cells, ways, seen)
        seen |= set(ways)
    return True  # the key is that there is none


def _one_step(
    cells: Mapping[tuple[int, int], str],
    ways: Mapping[tuple[int, int], int],
    seen: set[tuple[int, int]],
) -> dict[tuple[int, int], int]:
    """In how many ways each open cell beyond ``seen`` is reached from ``ways``."""
    reached = Counter[tuple[int, int]]()
    for (r, c), count in ways.items():
        for at in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)):
            if at not in seen and cells.get(at, "X") != "X":
                reached[at] += count
    return dict(reached)


_CHECKS: Mapping[str, Check] = {
    "aiw": _asks_of_who_was_mentioned,
    "basic_arithmetic": _divides_evenly,
    "caesar_cipher": _is_plain_text,
    "calendar_arithmetic": _stays_in_its_year,
    "decimal_arithmetic": _is_rounded_once,
    "family_relationships": _is_the_first_ones_role,
    "n_queens": _has_one_completion,
    "number_format": _is_among_those_shown,
    "shortest_path": _has_one_shortest_path,
    "simple_equations": _has_an_unknown,
    "simple_geometry": _is_convex,
    "survo": _has_one_filling,
    "time_intervals": _is_the_interval_shown,
    "word_sorting": _is_plain_text,
}
