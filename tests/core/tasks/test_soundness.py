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
    yield from cases_of_texts()
    yield from cases_with_other_solutions()
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


def cases_of_texts() -> Iterator[tuple[str, Item, object, bool]]:
    def asked(question: str) -> Item:
        return {"question": f"Mary has 2 sisters. {question}", "answer": "3", "metadata": {}}

    yield "aiw", asked("How many sisters does Mary's brother have?"), None, True
    yield "aiw", asked("How many sisters does Bob's brother have?"), None, False
    yield "aiw", asked("Matilda knows Mary. How many does Matilda have, and Mary?"), None, False
    for dataset in ("caesar_cipher", "word_sorting"):
        yield dataset, {"answer": "A KING"}, None, True
        yield dataset, {"answer": "CAF\u00c9"}, None, False
        yield dataset, {"answer": "t_"}, None, False
    yield "family_relationships", {"answer": "grandmother"}, None, True
    yield "family_relationships", {"answer": "mother-in-law"}, None, False
    yield "family_relationships", {"answer": "nephew"}, None, False
    for equation, sound in (("3*u + 2 = 8", True), ("0 = 0", False)):
        facts = {"variable": "u", "equation": equation}
        yield "simple_equations", {"answer": "2", "metadata": facts}, None, sound
    yield "simple_geometry", {"answer": "179"}, None, True
    yield "simple_geometry", {"answer": "180"}, None, False


def cases_with_other_solutions() -> Iterator[tuple[str, Item, object, bool]]:
    shown: Item = {"formatted_candidates": ["1,000.5", "9.990000000000000e+02"]}
    yield "number_format", {"answer": "999.0", "metadata": shown}, None, True
    yield "number_format", {"answer": "1000.4999", "metadata": shown}, None, False
    yield "n_queens", {"metadata": {"valid_answers": ["a"]}}, None, True
    yield "n_queens", {"metadata": {"valid_answers": ["a", "b"]}}, None, False
    for rows, sound in (
        (["*O", "O#"], False),
        (["*X", "O#"], True),
        (["*XO", "OOO", "XO#"], False),
        (["*OO", "XXO", "#OO"], True),
        (["*X", "X#"], True),
    ):
        yield "shortest_path", {"metadata": {"matrix": [list(row) for row in rows]}}, None, sound
    solution = [[1, 2, 3], [2, 1, 3], [3, 3, 6]]
    for blanks, sound in (([(0, 0)], True), ([(0, 0), (0, 1)], True), (OTHERWISE, False)):
        yield "survo", survo(solution, blanks), None, sound


OTHERWISE = [(0, 0), (0, 1), (1, 0), (1, 1)]


def survo(solution: list[list[int]], blanks: list[tuple[int, int]]) -> Item:
    puzzle = [
        [0 if (r, c) in blanks else v for c, v in enumerate(row)] for r, row in enumerate(solution)
    ]
    facts = {"puzzle": puzzle, "solution": solution}
    return {"metadata": facts | {"candidate_numbers": [solution[r][c] for r, c in blanks]}}


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
    for level in (1, 2, 3, 4, 5, 6, 7):
        for seed in range(100):
            puzzle = make_puzzle(catalog, PuzzleKey(TaskId("basic_arithmetic"), level, seed, 0))
            asked = puzzle.question.prompt.removeprefix("Calculate ").removesuffix(".")
            assert exact_value(asked) == Fraction(puzzle.answer)
