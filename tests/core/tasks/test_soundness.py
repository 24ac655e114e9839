"""Items whose key is not what their prompt asks for are noticed."""

from collections.abc import Iterator
from fractions import Fraction
from types import SimpleNamespace

import pytest

from core.rollouts.types import PuzzleKey, TaskId
from core.tasks.catalog import load_catalog
from core.tasks.reasoning_tasks import make_puzzle
from core.tasks.soundness import Item, exact_value, is_sound

TWELVE_DIGITS = SimpleNamespace(precision=12)
THREE_DIGITS = SimpleNamespace(precision=3)


def arithmetic(expression: str, answer: str) -> Item:
    return {"answer": answer, "metadata": {"expression": expression}}


def decimals(expression: str, answer: str) -> Item:
    return {"question": f"Please solve.\n{expression} = ?", "answer": answer, "metadata": {}}


def interval(answer: str, kind: str = "time", shape: str = "%H:%M") -> Item:
    facts = {
        "task_type": kind,
        "format": shape,
        "start_time": "2024-01-01 10:00:00",
        "end_time": "2024-01-01 10:00:00.570000",
    }
    return {"answer": answer, "metadata": facts}


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("1 + 2 * 3", Fraction(7)),
        ("-( 7 ) / 2", Fraction(-7, 2)),
        ("0.1+0.2", Fraction(3, 10)),
        ("1 / (2 - 2)", None),
    ],
)
def test_expressions_have_exact_values(expression: str, value: Fraction | None) -> None:
    """Values are fractions, so that nothing is lost; a division by zero has none."""
    assert exact_value(expression) == value


@pytest.mark.parametrize(
    "expression", ["__import__('os')", "a + 1", "[1]", "'1'", "1 ** 9", "not 1"]
)
def test_only_arithmetic_has_a_value(expression: str) -> None:
    """Nothing but numbers, the four operations and minus is evaluated."""
    with pytest.raises((ValueError, KeyError)):
        exact_value(expression)


def cases() -> Iterator[tuple[str, Item, object, bool]]:
    yield "lcm", {"answer": "anything"}, None, True
    yield "basic_arithmetic", arithmetic("6 / 3", "2"), None, True
    yield "basic_arithmetic", arithmetic("-7 / 2", "-4"), None, False
    yield "basic_arithmetic", arithmetic("1 + 2 * 3", "9"), None, False
    yield "basic_arithmetic", arithmetic("1 / 0", "1"), None, False
    yield "decimal_arithmetic", decimals("1.0/3.0", "0.333333333333"), TWELVE_DIGITS, True
    yield "decimal_arithmetic", decimals("3.5*3.5", "12.3"), THREE_DIGITS, True
    yield "decimal_arithmetic", decimals("3.5*3.5", "12.2"), THREE_DIGITS, False
    yield "decimal_arithmetic", decimals("1.0/(1.0-1.0)", "0"), THREE_DIGITS, False
    yield "time_intervals", interval("00:30"), None, True
    yield "time_intervals", interval("-1:30"), None, False
    yield (
        "time_intervals",
        interval("5 days, 00:00", shape="%Y-%m-%d (%A) %H:%M:%S %z"),
        None,
        False,
    )
    yield "time_intervals", interval("5 days", "date", "%Y-%m-%d (%A)"), None, True
    yield "time_intervals", interval("00:00:00.570", "time_ms"), None, True
    yield "time_intervals", interval("00:00:00.569", "time_ms"), None, False


@pytest.mark.parametrize(("dataset", "item", "config", "sound"), list(cases()))
def test_unsound_items_are_noticed(
    dataset: str, item: Item, config: object, *, sound: bool
) -> None:
    """A key that the prompt does not ask for makes its item unfit."""
    assert is_sound(dataset, item, config) is sound


@pytest.mark.parametrize(
    ("kind", "end", "sound"),
    [
        ("count_business_days", "2022-12-31", True),
        ("count_business_days", "2023-01-02", False),
        ("weekday_of_date", "", True),
    ],
)
def test_business_days_stay_in_their_year(kind: str, end: str, *, sound: bool) -> None:
    """The prompt dates both ends in one year, so an item that crosses it is unfit."""
    facts = {"task": kind, "start_date": "2022-12-20", "end_date": end}
    assert is_sound("calendar_arithmetic", {"answer": "9", "metadata": facts}, None) is sound


def test_expressions_are_worth_what_their_keys_say() -> None:
    """As a cross-check on the library: keys of expressions equal what they say."""
    catalog = load_catalog()
    for level in (1, 2, 3, 4):
        for seed in range(100):
            puzzle = make_puzzle(catalog, PuzzleKey(TaskId("basic_arithmetic"), level, seed, 0))
            asked = puzzle.question.prompt.removeprefix("Calculate ").removesuffix(".")
            assert exact_value(asked) == Fraction(puzzle.answer)
