"""Answers in words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.pages.practice.answers import (
    AnswerCount,
    Verdict,
    answers_of,
    tally,
    verdict_of,
    verdict_words,
)
from core.api.preview import ANSWER_LENGTH, Attempt
from tests.app.pages.practice.samples import MINE, attempts


def test_equal_answers_are_counted_and_the_best_stand_first() -> None:
    """Right before wrong, and of equals what was said most often."""
    tried = attempts(("7", 0.0), ("8", 0.0), ("8", 0.0), ("6", 1.0), ("9", 0.4))
    assert answers_of(tried) == (
        AnswerCount("6", "right", 1),
        AnswerCount("9", "partly", 1),
        AnswerCount("8", "wrong", 2),
        AnswerCount("7", "wrong", 1),
    )


@pytest.mark.parametrize(
    ("reward", "verdict", "words"),
    [
        (1.0, "right", "right"),
        (0.01, "partly", "partly right"),
        (0.0, "wrong", "wrong"),
        (None, "unjudged", ""),
    ],
)
def test_every_reward_is_a_verdict_in_words(
    reward: float | None, verdict: Verdict, words: str
) -> None:
    """Colours and signs only repeat what is said."""
    assert verdict_of(reward) == verdict
    assert verdict_words(verdict) == words


def test_how_many_were_right() -> None:
    """Only what is wholly right counts; without a judge nothing is claimed."""
    assert tally(MINE) == "1 of 3 right"
    assert tally(attempts(("6", 0.9))) == "0 of 1 right"
    assert tally(attempts(("Hello", None))) == ""
    assert tally(()) == ""


def test_silence_is_said() -> None:
    """An empty answer is no empty line."""
    assert answers_of(attempts(("", 0.0)))[0].text == "(no answer)"
    assert answers_of(attempts(("\u202e\n ", 0.0)))[0].text != ""


@given(st.lists(st.builds(Attempt, st.text(max_size=600), st.none() | st.floats(0, 1)), max_size=8))
def test_whatever_is_answered_is_shown_once(tried: list[Attempt]) -> None:
    """No attempt is lost, and each text is bounded."""
    answers = answers_of(tried)
    assert sum(answer.times for answer in answers) == len(tried)
    assert all(0 < len(answer.text) <= ANSWER_LENGTH for answer in answers)
