"""What is taken off around an answer, and what is left alone."""

import timeit
from functools import lru_cache, partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.rollouts.types import PuzzleKey
from core.tasks.catalog import Task, TaskCatalog, load_catalog
from core.tasks.markup import MAX_PAIRS, without_markup
from core.tasks.reasoning_tasks import Puzzle, make_puzzle
from core.tasks.verifiers import is_canonical, verify
from tests.core.tasks import puzzle_digests

PAIRS = [
    ("**", "**"),
    ("$", "$"),
    (r"\(", r"\)"),
    (r"\[", r"\]"),
    (r"\boxed{", "}"),
    ("`", "`"),
    ("```", "```"),
]
BITS = st.sampled_from(
    ["*", "**", "$", "`", "\\", "boxed{", "}", "(", ")", ".", "x", "=", " ", "7"]
)


@pytest.mark.parametrize(
    "text",
    [
        "42",
        "42.",
        "42 .",
        "**42**",
        "**42**.",
        "**42.**",
        "$42$",
        "$42$.",
        "$$42$$",
        "$ 42 $",
        r"\boxed{42}",
        r"$\boxed{42}$",
        r"\[\boxed{42}\]",
        r"\( 42 \)",
        "`42`",
        "```\n42\n```",
        "x = 42",
        "x=42",
        "GCD = 42",
        "$x = 42$.",
        "x = $42$",
        "x = **42**.",
        r"x = \boxed{42}",
        r"**$x = 42.$**",
    ],
)
def test_what_people_put_around_a_number_comes_off(text: str) -> None:
    """Emphasis, code and formula marks, a full stop, a name with an equals sign."""
    assert without_markup(text, names=True) == "42"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "42 or 43",
        "42, 43",
        "The answer is 42",
        "...42",
        "*42*",
        "__42__",
        '"42"',
        "{42}",
        "(42)",
        r"\boxed 42",
        r"\text{42}",
        r"\boxed{42",
        "$42",
        "**",
        "***",
        "$",
        "`",
        "2 * 21 = 42",
        "x2 = 42",
        "= 42",
        "a b = 42",
        "averylongnameindeed = 42",
        "\u03c0 = 42",
    ],
)
def test_everything_else_stays(text: str) -> None:
    """Words, quotes, other marks, half a pair and equations that are no names are left."""
    assert without_markup(text, names=True) == text


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("42..", "42."),
        ("**42.**.", "42."),
        ("x = y = 42", "y = 42"),
        ("$x = y = 42$", "y = 42"),
        ("$$$42$$$", "$42$"),
        (r"**$\boxed{42}$**", r"\boxed{42}"),
        ("``````42``````", "42"),
        ("``", ""),
        ("**6** or **7**", "6** or **7"),
        ("$6$, $7$", "6$, $7"),
        (r"\boxed{6} \boxed{7}", r"6} \boxed{7"),
    ],
)
def test_what_comes_off_is_bounded(text: str, left: str) -> None:
    """Two pairs, one full stop and one name; nothing in the midst of a text is touched."""
    assert without_markup(text, names=True) == left


def test_only_before_numbers_a_name_means_nothing() -> None:
    """Of other answers an equation may be a part."""
    assert without_markup("$x = P$.", names=False) == "x = P"


@given(
    st.text("0123456789abcP\u2227 ,/+-\n", min_size=1, max_size=20).map(str.strip),
    st.lists(st.sampled_from(PAIRS), max_size=MAX_PAIRS),
    st.sampled_from(["", "."]),
)
def test_two_pairs_and_a_full_stop_come_off(
    inner: str, pairs: list[tuple[str, str]], stop: str
) -> None:
    """Around any text that has none of its own, in any order."""
    text = inner
    for opening, closing in pairs:
        text = f"{opening}{text}{closing}"
    assert without_markup(text + stop, names=False) == inner


@settings(max_examples=4 * settings().max_examples, deadline=None)
@given(st.lists(BITS, max_size=20).map("".join))
def test_what_is_left_is_a_part_of_the_text(text: str) -> None:
    """Nothing is invented or put together, whatever the marks."""
    assert without_markup(text, names=False) in text
    assert without_markup(text, names=True) in text


@pytest.mark.parametrize("filler", ["$", "**", "`", r"\boxed{", ".", "x=", " ", "}"])
def test_long_texts_are_cheap(filler: str) -> None:
    """A megabyte of marks takes a fraction of a second: no more than a few pairs are looked for."""
    text = (filler * 2**20)[: 2**20]
    work = partial(without_markup, text, names=True)
    assert min(timeit.repeat(work, number=1, repeat=3)) < 0.5


AROUND = [
    "{}.",
    "**{}**",
    "**{}**.",
    "${}$",
    "$${}$$",
    r"\boxed{{{}}}",
    r"$\boxed{{{}}}$.",
    "`{}`",
    "```\n{}\n```",
]
HEDGES = [
    "{0} or {1}",
    "{1} or {0}",
    "{0}, {1}",
    "{0},{1}",
    "**{0}** **{1}**",
    "${0}$ ${1}$",
    "{0}. {1}.",
    "{0}={1}",
    "{1}={0}",
    r"\boxed{{{0}}}\boxed{{{1}}}",
    "{0}?",
    "x = y = {0}",
    "{0} (maybe)",
    "***{0}***",
    "$$${0}$$$",
    "{0}\n{1}",
    "not {0}",
]


@lru_cache
def two_of_each() -> list[tuple[Task, Puzzle, Puzzle]]:
    """Two puzzles of every task and level."""
    catalog = load_catalog()
    return [
        (task, made(catalog, task, level, 3), made(catalog, task, level, 4))
        for task, level in puzzle_digests.levels(catalog)
    ]


def made(catalog: TaskCatalog, task: Task, level: int, seed: int) -> Puzzle:
    return make_puzzle(catalog, PuzzleKey(task.id, level, seed, 0))


def bare(puzzle: Puzzle) -> str:
    """Its answer; some fractions stand between dollar signs, which are markup themselves."""
    return puzzle.answer.strip("$")


@pytest.mark.parametrize("around", AROUND)
def test_markup_changes_no_verdict(around: str) -> None:
    """Of every task and level the right answer stays right in it, and a wrong one wrong.

    In markup it is not canonical, so that nobody learns it from strangers.
    """
    for task, one, other in two_of_each():
        text = around.format(bare(one))
        assert verify(task, one, text) == 1.0, task.id
        assert is_canonical(task, one, text) == (text == one.answer), task.id
        wrong = around.format(bare(other))
        assert verify(task, one, wrong) == verify(task, one, other.answer), task.id


@pytest.mark.parametrize("hedge", HEDGES)
def test_two_answers_are_none(hedge: str) -> None:
    """Lists of candidates, hedges, chains of equations and deeper markup earn nothing."""
    for task, one, other in two_of_each():
        assert verify(task, one, hedge.format(bare(one), bare(other))) == 0.0, task.id


@settings(max_examples=4 * settings().max_examples, deadline=None)
@given(data=st.data())
def test_a_changed_answer_earns_no_more_in_markup(data: st.DataObject) -> None:
    """Right answers with a letter more, less or different: as they are judged without it."""
    task, puzzle, _ = data.draw(st.sampled_from(two_of_each()))
    answer = bare(puzzle)
    at = data.draw(st.integers(0, len(answer)))
    letter = data.draw(st.sampled_from(["", *"0179,/ abi+-"]))
    changed = (answer[:at] + letter + answer[at + data.draw(st.integers(0, 1)) :]).strip()
    text = data.draw(st.sampled_from(AROUND)).format(changed)
    assert verify(task, puzzle, text) == verify(task, puzzle, changed)
