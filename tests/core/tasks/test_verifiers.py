"""Verifiers: what they forgive, what they refuse, and that nothing upsets them."""

import math
import timeit
from collections.abc import Sequence
from functools import partial
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.rollouts.types import PuzzleKey, Question, TaskId
from core.tasks import logic
from core.tasks.catalog import Task, TaskCatalog, VerifierName, load_catalog
from core.tasks.reasoning_tasks import Puzzle, make_puzzle
from core.tasks.verifiers import MAX_ANSWER, is_canonical, verify
from tests.core.tasks import puzzle_digests

TIMES = "\u00d7"

Case = tuple[VerifierName, str, Sequence[str], Sequence[str]]
CASES: list[Case] = [
    (
        "text",
        "mat",
        ["mat", " mat\n", "\u00a0mat", "mat."],
        ["Mat", "m at", "x = mat", "tam", "matmat"],
    ),
    (
        "caseless",
        "Monday",
        ["monday", "MONDAY ", "**monday**."],
        ["Mon", "Mon.", "Tuesday", "\uff2donday"],
    ),
    ("caseless", "Sunday", ["sunday"], ["\u017funday"]),
    (
        "integer",
        "-7",
        ["-7", " -07", "-7\n", "-7.", "x = -7"],
        ["7", "- 7", "-7.0", "-7..", "-x = 7", "\u22127", "-\uff17", "--7", "-7e0", "-0x7"],
    ),
    ("integer", "7", ["+7", "007"], ["7,0", "7_0", "seven", "0b111", "7 7", "\u0667"]),
    (
        "integer",
        "1000",
        ["1000", "1,000", "+1,000."],
        ["1e3", "1_000", "1000.0", "1.000", "1 000", "10,00", "1,0,0,0", "01,000", "0,001,000"],
    ),
    ("integer", "123", ["123"], ["1,23", "1,2,3", "12,3", ",123", "123,", "1, 23", "123 or 124"]),
    ("integer", "42", ["$x=42$", "GCD = 42"], ["x = y = 42", "6 * 7 = 42", "42 = x", "x: 42"]),
    ("decimal", "1234.50", ["1,234.5", "y = 1,234.50"], ["1.234,5", "1,234.5,0", "1234,5"]),
    ("decimal", "3.5", ["3.50", "+3.5", "03.5"], ["3,5", "35e-1", "7/2", ".35", "3.5.0", "NaN"]),
    ("decimal", "12", ["12", "12.000", "12."], ["12..", "Infinity", "12.0001", "sNaN"]),
    ("numeral", "ff", ["FF", "00ff", "`ff`"], ["n = ff", "0xff", "f f", "\uff46f", "255"]),
    (
        "fraction",
        "3/4",
        ["3/4", "3 / 4", "$3/4$", r"\boxed{\frac{3}{4}}"],
        ["6/8", "0.75", "3/4$", "4/3"],
    ),
    ("fraction", r"$\dfrac{3}{4}$", ["3/4", r"$\frac{3}{4}$"], [r"\frac{6}{8}", r"\frac34", "/"]),
    (
        "factors",
        f"2 {TIMES} 2 {TIMES} 3",
        [f"3{TIMES}2{TIMES}2"],
        ["12", "2 2 3", "2*2*3", f"4 {TIMES} 3", f"2 {TIMES} 3", f"2 {TIMES} 2 {TIMES} 3 {TIMES}"],
    ),
    (
        "complex",
        "3.0 - 2.0i",
        ["3-2i", "3 - 2i", "3.00 -2.0i", "z = 3-2i."],
        ["3 2i", "-2i", "3", "3-2j", "3+-2i", "2i-3", "(3-2i)", "nan"],
    ),
    ("complex", "5.00i", ["5i", "0+5i", "5.0i"], ["5", "i5", "5 i", "i", ""]),
    ("complex", "3.0 + 1.0i", ["3+i", "3 + i", "3+1i"], ["3", "3-i", "3 i", "i+3", "3++i", "3+ii"]),
    ("complex", "-1.0i", ["-i", "-1i", "0 - i"], ["i", "-", "- i", "-1", "--i"]),
    ("complex", "-4.00", ["-4", "-4 + 0i"], ["-4i", "4", "- 4"]),
    ("words", "b, a, A", ["b,a,A", " b , a , A "], ["b a A", "b, a, a", "b, a", "b, a, A,", "bAa"]),
    ("grid", "0 1\n1 2", ["0  1 \r\n 1 2", "0\t1\n1 2\n"], ["0 1 1 2", "[[0,1],[1,2]]", "01\n12"]),
    ("grid", "0 3 3", ["0 3 3"], ["0 3 3 0", "0\n3\n3", "033", "0, 3, 3"]),
    (
        "numbers",
        "['3', '-2.50']",
        ["[3, -2.5]", '["3","-2.50"]', "[ '3.0' , -2.5 ]"],
        [
            "['-2.50', '3']",
            "3, -2.5",
            "['3']",
            "['3\", '-2.5']",
            "['3', '-2.50',]",
            "[3 -2.5]",
            "[3, -2.5]]",
        ],
    ),
    ("numbers", "[]", ["[]", "[ ]"], ["", "['']", "[,]", "[0]", "[[]]"]),
    (
        "groups",
        '[["ai", "ia"], ["goyle", "elogy"]]',
        ['[["elogy","goyle"],["ia","ai"]]'],
        [
            '[["ai", "ia", "goyle", "elogy"]]',
            '[["ai", "ia"]]',
            "[['ai','ia'],['goyle','elogy']]",
            "[]",
            "[[]]",
        ],
    ),
    (
        "splits",
        '[["b", "b"], ["bb"]]',
        ['[["bb"],["b","b"]]'],
        [
            '[["b", "b"]]',
            '[["b", "b"], ["bb"], ["bb"]]',
            '[["bb", "b", "b"]]',
            '["b", "b"], ["bb"]',
        ],
    ),
    (
        "splits",
        '[["a", "bb"]]',
        ['[[ "a" , "bb" ]]'],
        ['[["bb", "a"]]', '[["a", "b", "b"]]', '[["a","bb"],]'],
    ),
    (
        "sum",
        "-2*x**2 + 3*x/4 + C",
        ["3*x/4-2*x**2+C", "+3*x/4 - 2*x**2 + C", "C + 3*x/4 - 2*x**2"],
        [
            "-2*x**2 + 3*x/4",
            "2*x**2 + 3*x/4 + C",
            "-2x^2 + 3x/4 + C",
            "-2*x**2 + 0.75*x + C",
            "-(2*x**2) + 3*x/4 + C",
        ],
    ),
    ("sum", "0", ["0", "+0"], ["-0", "", "0*x", "0 + 0"]),
    (
        "palindrome",
        "abcba",
        ["abcba", "bacab", " bacab"],
        ["aabbc", "abba", "abcbaa", "abCba", "a b c b a"],
    ),
    (
        "scientific",
        "1.20e+3",
        ["1.2e3", "1200", "1,200", "1.20E+03", "0.0012e6"],
        ["1.2e4", "1.2*10^3", "1.2 e3", "1.2e", "e3", "1.2e+3.0", "1.2e9999"],
    ),
    ("scientific", "-2.24e-17", ["-2.24e-17", "-22.4e-18"], ["2.24e-17", "-2.24e17", "0"]),
    (
        "folded",
        "große Straße",
        ["GROSSE STRASSE", "große  straße.", "**Große Straße**", "gro\u00dfe Stra\u00dfe"],
        ["große", "Straße große", "großeStraße", "große Strasse!"],
    ),
    ("folded", "caf\u00e9", ["CAFE\u0301", "cafe\u0301"], ["cafe", "caf\u00e8"]),
    ("near", "3.5", ["3.50", "+3.5", "y = 3.5"], ["3.51", "3,5", "7/2", "35e-1", "NaN", ""]),
    ("near", "1,200", ["1200", "1,200.0"], ["1.2e3", "1.200", "12,00"]),
    ("label", "Yes", ["yes", "YES.", "`Yes`"], ["y", "Yes or No", "Yes / No", "No", "yess"]),
    (
        "ratio",
        "-3/4",
        ["-3 / 4", r"-\frac{3}{4}", r"$-\dfrac{3}{4}$", "x = -3/4", "-03/4"],
        ["3/4", "-6/8", "-0.75", "3/-4", "--3/4", "- 3/4", "-3/4/1", "-3//4"],
    ),
    ("ratio", "3", ["3/1", "+3", r"\frac{3}{1}"], ["6/2", "3.0", "3/", "/3", "3/0"]),
    ("ratio", r"\frac{0}{5}", ["0/5", "-0/5"], ["0", "0/1", "0/0"]),
    (
        "set",
        "red, Green, blue",
        ["blue,green,red", "RED ,  green , Blue."],
        ["red, green", "red, green, blue, blue", "red green blue", "red, green, blue,", "red"],
    ),
    ("set", "a, a", ["A,a"], ["a", "a, a, a", "a, b"]),
]


@pytest.fixture(scope="module")
def catalog() -> TaskCatalog:
    return load_catalog()


def case_of(verifier: VerifierName, answer: str) -> tuple[Task, Puzzle]:
    task = Task(
        id=TaskId("x"),
        dataset="x",
        title="x",
        levels=(),
        verifier=verifier,
        specialty=False,
        starter=False,
    )
    entailed = logic.entail(["P", "Q"], ["P", "Q"]) if verifier == "logic" else None
    return task, Puzzle(
        Question(PuzzleKey(task.id, 1, 0, 0), "?"), answer, entailed[0] if entailed else None
    )


@pytest.mark.parametrize(("verifier", "key", "right", "wrong"), CASES)
def test_harmless_differences_of_form_are_forgiven(
    verifier: VerifierName, key: str, right: Sequence[str], wrong: Sequence[str]
) -> None:
    """What the module's docstring lists is forgiven, and nothing else."""
    task, puzzle = case_of(verifier, key)
    assert {text: verify(task, puzzle, text) for text in right} == dict.fromkeys(right, 1.0)
    assert {text: verify(task, puzzle, text) for text in wrong} == dict.fromkeys(wrong, 0.0)


@pytest.mark.parametrize(("verifier", "key", "right", "_wrong"), CASES)
def test_only_the_puzzles_own_form_is_canonical(
    verifier: VerifierName, key: str, right: Sequence[str], _wrong: Sequence[str]
) -> None:
    """Of all that is right, a learner is shown that form alone: letter for letter."""
    task, puzzle = case_of(verifier, key)
    assert is_canonical(task, puzzle, key)
    forms = {key, "bacab"}  # any palindrome stands as the puzzle's own does
    assert {text for text in right if is_canonical(task, puzzle, text)} <= forms


def test_equally_good_answers_are_canonical_as_the_puzzle_writes_them() -> None:
    """Factors in any order; short conclusions in either."""
    task, puzzle = case_of("factors", f"2 {TIMES} 2 {TIMES} 3")
    assert is_canonical(task, puzzle, f"3 {TIMES} 2 {TIMES} 2")
    for text in (f"3{TIMES}2{TIMES}2", f"3  {TIMES} 2 {TIMES} 2", f" 3 {TIMES} 2 {TIMES} 2", "12"):
        assert not is_canonical(task, puzzle, text), text
    task, puzzle = case_of("palindrome", "abcba")
    assert is_canonical(task, puzzle, "bacab")
    assert not is_canonical(task, puzzle, "bacab.")
    task, puzzle = case_of("logic", "P \u2227 Q")
    assert is_canonical(task, puzzle, "Q \u2227 P")
    assert not is_canonical(task, puzzle, "(P \u2227 Q)")


def test_every_puzzles_own_answer_is_canonical(catalog: TaskCatalog) -> None:
    """At every task and level, and neither with white space around it nor with a plus sign."""
    for task, level in puzzle_digests.levels(catalog):
        puzzle = make_puzzle(catalog, PuzzleKey(task.id, level, 3, 0))
        assert is_canonical(task, puzzle, puzzle.answer), task.id
        for other in (f" {puzzle.answer}", f"{puzzle.answer}\n", f"+{puzzle.answer}"):
            assert not is_canonical(task, puzzle, other), (task.id, other)


@given(value=st.integers(-(10**30), 10**30), other=st.integers(-(10**30), 10**30))
def test_commas_between_thousands_change_no_value(value: int, other: int) -> None:
    """Well-formed groups of three mean the number and no other."""
    task, puzzle = case_of("integer", str(value))
    assert verify(task, puzzle, f"{value:,}") == 1.0
    assert verify(task, puzzle, f"{other:,}") == float(value == other)


def test_every_verifier_has_cases() -> None:
    """No rule goes untried; ``logic`` has a test file of its own."""
    tried = {case[0] for case in CASES} | {"logic"}
    assert tried == set(get_args(VerifierName))


@pytest.mark.parametrize("answer", ["7" * (MAX_ANSWER + 1), " " * MAX_ANSWER + "7", 7, None, b"7"])
def test_only_capped_strings_are_looked_at(answer: object) -> None:
    """A longer answer earns nothing, even if it were right when stripped; so does no string."""
    task, puzzle = case_of("integer", "7")
    assert verify(task, puzzle, answer) == 0.0  # type: ignore[arg-type]  # what it must survive


HOSTILE_ALPHABET = "0123456789abcxyzPQR+-*/.,_eEinfNa\\{}[]()$ \n\t\x00\u00d7\u2227\u2228\u00ac"


@settings(max_examples=4 * settings().max_examples, deadline=None)
@given(answer=st.one_of(st.text(), st.text(HOSTILE_ALPHABET, max_size=60)))
def test_any_text_gets_a_finite_score(answer: str) -> None:
    """Whatever the answer, every rule returns a finite number in [0, 1] and never raises."""
    for verifier, key, _, _ in [*CASES, ("logic", "P \u2227 Q", (), ())]:
        task, puzzle = case_of(verifier, key)
        score = verify(task, puzzle, answer)
        assert math.isfinite(score)
        assert 0.0 <= score <= 1.0


@pytest.mark.parametrize("verifier", ["integer", "near", "ratio"])
def test_a_deck_whose_own_answer_is_no_number_raises_nothing(verifier: VerifierName) -> None:
    """Nobody's answer is right then."""
    task, puzzle = case_of(verifier, "five")
    assert verify(task, puzzle, "5") == 0.0


@given(value=st.integers(), other=st.integers())
def test_numbers_are_compared_by_value(value: int, other: int) -> None:
    """Two integers earn the point if and only if they are equal, up to 64 digits."""
    task, puzzle = case_of("integer", str(value))
    assert verify(task, puzzle, f"{other:+05d}") == float(value == other)
    assert verify(task, puzzle, f"{value:+05d}") == 1.0


@pytest.mark.parametrize(
    "filler",
    [
        "9",
        "(",
        "\u00ac",
        "$",
        "1/",
        ",",
        "0 ",
        "\u00d7",
        "\\frac{",
        "0i+",
        "**",
        ".",
        "x=",
        ",123",
        "1,",
        "\\boxed{",
        "`",
        "+",
        "[",
        '[["a"],',
        '["a","a",',
        "'1',",
        "[1, ",
        "x*",
        "+x",
        "1e",
        "a",
    ],
)
def test_the_longest_answers_are_cheap(catalog: TaskCatalog, filler: str) -> None:
    """Judging the longest answer allowed takes a few milliseconds at the very most."""
    answer = (filler * MAX_ANSWER)[:MAX_ANSWER]
    for task in catalog.tasks:
        puzzle = make_puzzle(catalog, PuzzleKey(task.id, 1, 1, 0))
        assert verify(task, puzzle, answer) == 0.0, task.id
        seconds = timeit.repeat(partial(verify, task, puzzle, answer), number=1, repeat=5)
        assert min(seconds) < 0.005, task.id


def test_an_answer_with_more_around_it_earns_nothing(catalog: TaskCatalog) -> None:
    """A right answer wrapped in words is wrong: the prompts ask for the answer alone."""
    for task, level in puzzle_digests.levels(catalog):
        puzzle = make_puzzle(catalog, PuzzleKey(task.id, level, 3, 0))
        for wrapped in (f"The answer is {puzzle.answer}", f"{puzzle.answer} I think", "= "):
            assert verify(task, puzzle, wrapped) == 0.0, (task.id, wrapped)
        assert verify(task, puzzle, f"\n {puzzle.answer}\t ") == 1.0, task.id
