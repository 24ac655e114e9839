"""Expressions are worked out exactly, and nothing else ever happens."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.decks.expressions import MAX_DEPTH, NoValueError, Value, parse
from core.errors import DeckError

VARIABLES: dict[str, Value] = {"a": Fraction(7), "b": Fraction(-3), "name": "Ada"}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("'2nd' if a > 2 else '3rd'", "2nd"),
        ("a + 2 * b", 1),
        ("0.1 + 0.2", Fraction(3, 10)),
        ("a / b", Fraction(-7, 3)),
        ("a // b", -3),
        ("a % b", -2),
        ("b ** 3", -27),
        ("2 ** -2", Fraction(1, 4)),
        ("-a if a > 0 else a", -7),
        ("1 < a < 9 and not b == 0", True),
        ("a < 0 or name == 'Ada'", True),
        ("abs(b) + max(a, 9) + min(1, 2)", 13),
        ("gcd(12, 18, 8) + lcm(4, 6)", 14),
        ("floor(2.5) + ceil(2.5)", 5),
        ("round(2.5) + round(-2.5)", 0),
        ("round(2 / 3, 2)", Fraction(67, 100)),
        ("reverse(name)", "adA"),
        ("len(name)", 3),
    ],
)
def test_what_it_is_worth(text: str, value: Value) -> None:
    """Numbers are exact, halves are rounded as in school."""
    assert parse(text, VARIABLES).value(VARIABLES) == value


@pytest.mark.parametrize(
    "text",
    [
        "0.12345678901234567891",
        "1234567890123456789.5",
        "max()",
        "c",
        "1e999",
        "10 ** 31 + " + "9" * 31,
        "1" * 201,
        "(" * 150 + "1",
        "\0",
        "'\ud800'",
    ],
)
def test_nothing_else_is_read(text: str) -> None:
    """No name, number or letter beyond those that may be; ``test_hostile_decks`` has code."""
    with pytest.raises(DeckError):
        parse(text, VARIABLES)


@pytest.mark.parametrize(
    "text",
    [
        "1 / 0",
        "1 % 0",
        "0 ** -1",
        "2 ** 0.5",
        "2 ** 101",
        "(10 ** 20) * (10 ** 20)",
        "((2 ** 90) ** 90)",
        "name + name",
        "name * 99",
        "name > 1",
        "not a",
        "a and True",
        "1 if a else 2",
        "gcd(0.5, 1)",
        "round(a, 99)",
        "round(a, 1, 2)",
        "reverse(a)",
        "-name",
    ],
)
def test_without_a_result_it_says_so(text: str) -> None:
    """Division by zero, too large, and what does not go together, all look the same."""
    with pytest.raises(NoValueError):
        parse(text, VARIABLES).value(VARIABLES)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("-" * (MAX_DEPTH - 2) + "1", 1),
        ("not " * (MAX_DEPTH - 2) + "True", True),
        ("(" * 90 + "1" + ")" * 90, 1),
        (" + ".join(["1"] * (MAX_DEPTH - 1)), MAX_DEPTH - 1),
    ],
)
def test_what_is_not_too_deep_is_worked_out(text: str, value: Value) -> None:
    """Brackets count for nothing, signs in front for one each."""
    assert parse(text, ()).value({}) == value


@pytest.mark.parametrize(
    "text",
    [
        "-" * MAX_DEPTH + "1",
        "not " * MAX_DEPTH + "True",
        "+".join(["1"] * 100),
        "abs(" * MAX_DEPTH + "1" + ")" * MAX_DEPTH,
    ],
)
def test_what_is_too_deep_is_refused(text: str) -> None:
    """Before it is walked: Python's stack ends at different depths."""
    with pytest.raises(DeckError):
        parse(text, ())


@pytest.mark.parametrize(
    "text",
    ["1if True else 2", "1.if True else 2", "1or 2", "'\\d'", "'\\x41'", "0x1f", "1e5", "1_000"],
)
def test_what_pythons_read_differently_is_refused(text: str) -> None:
    """Or nodes would not agree on what a deck is: none of it warns, none of it is read."""
    with pytest.raises(DeckError):
        parse(text, ())


def test_its_size_is_what_stands_in_it() -> None:
    """Numbers, names, signs and calls; brackets are none."""
    assert parse("a", VARIABLES).size == 1
    assert parse("(a + 1) * max(a, b)", VARIABLES).size == 8


@given(st.text(st.sampled_from("ab019.+-*/%()<>=,'\"\\ \n{}[]:eifnotandrls"), max_size=40))
def test_any_text_has_a_value_or_none(text: str) -> None:
    """Nothing but the two errors comes out, whatever goes in, and results are bounded."""
    try:
        value = parse(text, VARIABLES).value(VARIABLES)
    except (DeckError, NoValueError):
        return
    assert len(str(value)) <= 2_000
