"""How answers to the questions of decks are judged; ``test_verifiers.py`` has what is forgiven."""

import time
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.rollouts.types import PuzzleKey, Question, TaskId
from core.tasks.catalog import Task, VerifierName
from core.tasks.deck_rules import folded, near, ratio, same_words
from core.tasks.reasoning_tasks import Puzzle
from core.tasks.verifiers import is_canonical, verify
from tests.core.tasks.hostile import hostile_answers

Rule = Callable[[str, Puzzle], bool]


def puzzle_of(answer: str, *others: str, tolerance: str = "0") -> Puzzle:
    question = Question(PuzzleKey(TaskId("deck_0"), 1, 0, 0), "?")
    return Puzzle(question, answer, others=others, tolerance=Decimal(tolerance))


def task_of(verifier: VerifierName) -> Task:
    return Task(
        id=TaskId("deck_0"),
        dataset="",
        title="x",
        levels=(),
        verifier=verifier,
        specialty=False,
        starter=True,
    )


@pytest.mark.parametrize(
    ("answer", "is_right"),
    [("3.14", True), ("3.15", True), ("3.1", False), ("3.1299", False), ("3.16", True)],
)
def test_decimals_may_be_off_by_the_tolerance(answer: str, is_right: bool) -> None:  # noqa: FBT001 - a parameter
    """The bound itself is still right, to the last digit."""
    assert near(answer, puzzle_of("3.145", tolerance="0.015")) is is_right


@given(st.decimals(-99, 99, places=2), st.decimals(-99, 99, places=2))
def test_without_a_tolerance_values_are_equal_or_not(one: Decimal, other: Decimal) -> None:
    """No binary fraction comes in between."""
    assert near(f"{one:f}", puzzle_of(f"{other:f}")) is (Fraction(one) == Fraction(other))


@given(st.integers(-99, 99), st.integers(1, 99), st.integers(-99, 99), st.integers(1, 99))
def test_fractions_are_the_same_term_by_term(a: int, b: int, c: int, d: int) -> None:
    """2/4 is not 1/2: who asks for lowest terms gets them."""
    assert ratio(f"{a}/{b}", puzzle_of(f"{c}/{d}")) is ((a, b) == (c, d))


words = st.lists(st.text(st.sampled_from("abC d"), max_size=4), min_size=1, max_size=5)


@given(words, st.randoms())
def test_the_order_of_words_does_not_matter(said: list[str], rng: Random) -> None:
    """Nor upper and lower case; how often each stands there does."""
    shuffled = rng.sample(said, len(said))
    assert same_words(",".join(shuffled).upper(), puzzle_of(", ".join(said)))
    assert not same_words(",".join([*shuffled, "x"]), puzzle_of(", ".join(said)))


@pytest.mark.parametrize("rule", [folded, same_words])
def test_joiners_of_a_deck_need_not_be_seen(rule: Rule) -> None:
    """A stranger may have put them where nobody would; where a deck has none, none is forgiven."""
    bare = "\u0645\u06cc\u062e"
    joined = "\u0645\u06cc\u200c\u062e"
    assert rule(bare, puzzle_of(joined))
    assert rule(joined, puzzle_of(joined))
    assert not rule(joined, puzzle_of(bare))


def test_any_of_the_accepted_answers_is_right() -> None:
    """Each is compared as if it were the only one, and each is a form to learn from."""
    puzzle = puzzle_of("Auto", "Wagen", "PKW")
    task = task_of("folded")
    for answer in ("auto", "WAGEN", "Pkw."):
        assert verify(task, puzzle, answer) == 1.0
    assert verify(task, puzzle, "Auto, Wagen") == 0.0
    assert [is_canonical(task, puzzle, text) for text in ("PKW", "pkw")] == [True, False]


@pytest.mark.parametrize(
    ("rule", "answer"),
    [
        (folded, "no such answer"),
        (near, "8317"),
        (ratio, "8317/8318"),
        (same_words, "no, such, answer"),
    ],
)
def test_hostile_answers_earn_nothing_and_cost_little(
    rule: Rule, answer: str, tmp_path: Path
) -> None:
    """None raises, none is run, none takes longer than a reader's blink."""
    puzzle, canary = puzzle_of(answer, tolerance="0.5"), tmp_path / "canary"
    hostile = hostile_answers(canary)
    began = time.process_time()
    assert not any(rule(text, puzzle) for text in hostile)
    assert time.process_time() - began < 1
    assert not canary.exists()


@pytest.mark.parametrize("rule", [folded, near, ratio, same_words])
@given(answer=st.text(max_size=40), key=st.text(max_size=40))
def test_any_two_texts_can_be_compared(rule: Rule, answer: str, key: str) -> None:
    """Also where the deck's own answer is of no such kind."""
    assert rule(answer, puzzle_of(key)) in {True, False}
