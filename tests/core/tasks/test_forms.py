"""The other reading of an answer: words around it are forgiven, and nothing else is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.rollouts.types import PuzzleKey, Question, TaskId
from core.tasks.catalog import VerifierName, load_catalog
from core.tasks.forms import MOST_AROUND, bare_answer, form_reader
from core.tasks.reasoning_tasks import make_puzzle
from core.tasks.verifiers import MAX_ANSWER, verify

WRAPPINGS = ("The answer is {}.", "It is {}", "{} I think", "= {}")

CATALOG = load_catalog()
GCD, SPELLING = TaskId("gcd"), TaskId("spell_backward")
QUESTION = "Find the greatest common divisor of these numbers: 48, 36 and 24."

VERIFIERS: tuple[VerifierName, ...] = ("integer", "text", "numeral", "numbers", "complex", "grid")
numbers = st.integers(-(10**6), 10**6).map(str)
announcing = st.sampled_from(
    ["", "So", "The answer is", "It is", "I think", "Result:", "=", "'' ."]
)


@pytest.mark.parametrize(
    ("verifier", "answer", "bare"),
    [
        ("integer", "The answer is 12.", "12"),
        ("integer", "= 12", "12"),
        ("near", "So 12.5 apples are left.", "12.5"),
        ("ratio", "It is 3/4.", "3/4"),
        ("integer", "12 I think", "12"),
        ("integer", "He has 12 apples left!", "12"),
        ("integer", "**12** (days)", "**12**"),
        ("integer", "It is -12", "-12"),
        ("complex", "The result: 3 + 2i", "3 + 2i"),
        ("complex", "it is i", "i"),
        ("numbers", "Sorted: [1, 2, 3]", "[1, 2, 3]"),
        ("text", "The word is 'mat'.", "mat"),
        ("text", "mat I think", "mat"),
        ("text", "I believe it is mat", "mat"),
        ("text", "the answer is I", "I"),
        ("text", "= it is so", "it is so"),
        ("text", "mat is the correct answer.", "mat"),
        ("caseless", "Therefore, it's Friday", "Friday"),
        ("text", "Answer: the cat sat", "the cat sat"),
        ("grid", "The result is:\n1 2\n3 4", "1 2\n3 4"),
        ("numeral", "The answer is ff", "ff"),
    ],
)
def test_words_around_an_answer_are_left_out(
    verifier: VerifierName, answer: str, bare: str
) -> None:
    """At both ends, with the marks that belong to them."""
    assert bare_answer(verifier, answer, QUESTION) == bare


@pytest.mark.parametrize(
    ("verifier", "answer"),
    [
        ("integer", "12"),
        ("integer", "minus 12"),
        ("integer", "- 12"),
        ("integer", "not 12"),
        ("integer", "12 thousand"),
        ("integer", "eleven or 12"),
        ("integer", "word " * (MOST_AROUND + 1) + "12"),
        ("integer", "The answer is " + "1" * MAX_ANSWER),
        ("text", "the answer is"),
        ("text", ""),
        ("integer", "="),
    ],
)
def test_nothing_is_left_where_nothing_can_be_told(verifier: VerifierName, answer: str) -> None:
    """What says another number, too much, nothing, or the answer alone has no other reading."""
    assert bare_answer(verifier, answer, QUESTION) is None


@given(st.sampled_from(VERIFIERS), st.integers(0, len(QUESTION)), st.integers(0, len(QUESTION)))
def test_an_echo_of_the_question_has_no_other_reading(
    verifier: VerifierName, start: int, end: int
) -> None:
    """Whichever part of it is said, and in whichever case."""
    echo = QUESTION[start:end]
    assert bare_answer(verifier, echo, QUESTION) is None
    assert bare_answer(verifier, f"\n{echo.upper()} ", QUESTION) is None


@given(st.lists(numbers, min_size=2, max_size=30, unique=True), st.sampled_from(" ,;|/="))
def test_a_list_of_numbers_stays_a_list(candidates: list[str], sign: str) -> None:
    """However they are separated and announced, no single one of them comes out."""
    for text in (f"{sign} ".join(candidates), f"The answer is {' or '.join(candidates)} I think"):
        assert bare_answer("integer", text, QUESTION) not in candidates


@given(st.lists(st.from_regex(r"[b-df-hj-np-tv-z]{3,8}", fullmatch=True), min_size=2, unique=True))
def test_a_list_of_words_stays_a_list(candidates: list[str]) -> None:
    """No single one comes out."""
    for text in (" ".join(candidates), f"The answer is {', '.join(candidates)}."):
        assert bare_answer("text", text, QUESTION) not in candidates


@given(announcing)
def test_announcing_alone_is_no_answer(text: str) -> None:
    """Nor is silence."""
    for verifier in VERIFIERS:
        assert bare_answer(verifier, text, QUESTION) is None


@given(st.sampled_from(VERIFIERS), st.text(max_size=200), st.text(max_size=200))
def test_what_is_left_was_said(verifier: VerifierName, answer: str, prompt: str) -> None:
    """A part of the answer in one piece, shorter than it was; nothing is ever made up.

    It depends on the answer and on what is asked, never on what is right: so a constant earns what
    its bare form would earn if it were written each time, and no more.
    """
    bare = bare_answer(verifier, answer, prompt)
    assert bare is None or (bare in answer and 0 < len(bare) < len(answer))


@pytest.mark.parametrize("wrapping", WRAPPINGS)
def test_what_models_wrap_around_answers_is_left_out(wrapping: str) -> None:
    """Around the right answer to every kind of puzzle at every level."""
    for task in CATALOG.tasks:
        for level in range(1, len(task.levels) + 1):
            puzzle = make_puzzle(CATALOG, PuzzleKey(task.id, level, seed=5, index=0))
            said = wrapping.format(puzzle.answer)
            bare = bare_answer(task.verifier, said, puzzle.question.prompt)
            assert verify(task, puzzle, bare or said) == 1.0, (task.id, level, said)


def test_a_completion_is_read_as_its_puzzle_is_judged() -> None:
    """The final answer of it, by the verifier's kind; wrapped right answers come out right."""
    read = form_reader(CATALOG)
    for task in (GCD, SPELLING):
        puzzle = make_puzzle(CATALOG, PuzzleKey(task, 1, seed=5, index=0))
        said = f"I count. <answer>The answer is {puzzle.answer}</answer>"
        bare = read(puzzle.question, said)
        assert bare == puzzle.answer
        assert verify(CATALOG.task(task), puzzle, bare) == 1.0
    assert read(Question(PuzzleKey(GCD, 1, 0, 0), QUESTION), "12") is None
