"""Worked answers that add and multiply.

Every function takes the prompt and the right answer, and returns the lines between.
"""

import ast
import re
from decimal import Decimal

from core.lab.worked.lines import TEN, product, running_total

STRAIGHT = 180  # degrees; all angles of n sides are n - 2 of it together

_TERM = re.compile(r"(?:([+-]) )?(\d+)(?:\.(\d+))?")


def sum_of_terms(prompt: str, _: str) -> str:
    """Running totals from left to right: "92+82=4:17=174-1=3:7:1=173".

    Decimals have as many places everywhere: "2.65+2.90=5:15:5=5.55".
    """
    places = max(len(found[3] or "") for found in _TERM.finditer(prompt.partition(":")[2]))
    return running_total(_terms(prompt, places), lambda number: _decimal(number, places))


def _terms(prompt: str, places: int) -> list[int]:
    """The terms behind the colon as multiples of the last of so many decimal places."""
    found = _TERM.finditer(prompt.partition(":")[2])
    return [int(f"{t[1] or ''}{t[2]}{(t[3] or '').ljust(places, '0')}") for t in found]


def _decimal(number: int, places: int) -> str:
    if not places:
        return str(number)
    digits = str(abs(number)).rjust(places + 1, "0")
    return f"{'-' if number < 0 else ''}{digits[:-places]}.{digits[-places:]}"


def product_of_two(prompt: str, _: str) -> str:
    """Multiplication digit by digit, without signs; see ``lines.product``."""
    one, other = re.findall(r"[0-9]+", prompt.partition(":")[2])
    return ",".join(product(int(one), int(other)))


def remaining_angle(prompt: str, _: str) -> str:
    """All angles of such a polygon, and what is left after each one given: "180-80=0:0:1=100"."""
    angles = [int(degrees) for degrees in re.findall(r"(\d+)\.0°", prompt)]
    left = STRAIGHT * (len(angles) - 1)
    return running_total([left, *(-angle for angle in angles)])


def value_of_expression(prompt: str, _: str) -> str:
    """Every operation in the order in which it is due: "85/17=5,5+39=14:4=44"."""
    lines: list[str] = []
    text = prompt.strip().removeprefix("Calculate ").removesuffix(".")
    _evaluate(ast.parse(text, mode="eval").body, lines)
    return ",".join(lines)


def value_of_decimals(prompt: str, answer: str) -> str | None:
    """Sums and differences of decimals; None for others, or where the result had to be rounded."""
    text = prompt.strip().rpartition("\n")[2].removesuffix(" = ?")
    if set("*/") & set(text):
        return None
    lines: list[str] = []
    value = _evaluate(ast.parse(text, mode="eval").body, lines)
    return ",".join(lines) if value == Decimal(answer) else None


def _evaluate(node: ast.expr, lines: list[str]) -> Decimal:
    if isinstance(node, ast.BinOp):
        left, right = _evaluate(node.left, lines), _evaluate(node.right, lines)
        value = _apply(node.op, left, right)
        lines.extend(_written(node.op, left, right, value))
        return value
    if isinstance(node, ast.UnaryOp):
        return -_evaluate(node.operand, lines)
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return Decimal(repr(node.value))
    raise ValueError(ast.dump(node))


def _written(operation: ast.operator, left: Decimal, right: Decimal, value: Decimal) -> list[str]:
    """The lines of one operation: sums column by column, products of numbers digit by digit."""
    if isinstance(operation, ast.Add | ast.Sub):
        places = max(_places(left), _places(right))
        one, other = (int(term.scaleb(places)) for term in (left, right))
        turn = 1 if isinstance(operation, ast.Add) else -1
        return [running_total([one, turn * other], lambda number: _decimal(number, places))]
    line = f"{left}{'/' if isinstance(operation, ast.Div) else '*'}{right}={value}"
    if isinstance(operation, ast.Div) or min(left, right) < 0 or _places(value):
        return [line]
    steps = product(int(left), int(right))
    return steps if right < TEN else [*steps, line]


def _places(number: Decimal) -> int:
    return max(0, -int(number.as_tuple().exponent))


def _apply(operation: ast.operator, left: Decimal, right: Decimal) -> Decimal:
    if isinstance(operation, ast.Add):
        return left + right
    if isinstance(operation, ast.Sub):
        return left - right
    return left * right if isinstance(operation, ast.Mult) else left // right


def complex_result(prompt: str, _: str) -> str | None:
    """Real and imaginary part one after the other; of a product, its four products first.

    None for quotients: they take too long.
    """
    one, sign, other = re.split(r"(?<=\)) (.) (?=\()", prompt.partition(": ")[2].strip())
    (a, b), (c, d) = _parts(one), _parts(other)
    if sign == "\u00d7":
        return f"{_sum_of_products(a, c, b, d, -1)};{_sum_of_products(a, d, b, c)}"
    if sign not in "+-":
        return None
    turn = 1 if sign == "+" else -1
    return f"{running_total([a, turn * c])},{running_total([b, turn * d])}"


def _sum_of_products(a: int, b: int, c: int, d: int, turn: int = 1) -> str:
    return f"{a}*{b}={a * b},{c}*{d}={c * d},{running_total([a * b, turn * c * d])}"


def _parts(text: str) -> tuple[int, int]:
    value = complex(text.strip("()").replace(" ", "").replace("i", "j"))
    return int(value.real), int(value.imag)
