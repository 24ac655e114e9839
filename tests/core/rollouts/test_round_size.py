"""As many questions as fit into a round."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.rollouts.round_size import (
    FEWEST,
    FEWEST_ANSWERS,
    LONGEST_S,
    SHORT_S,
    fewer_answers,
    fitted_seconds,
    fitting_questions,
    seconds_with_fewer_answers,
)

QUESTIONS = st.integers(1, 64)


@given(QUESTIONS, st.integers(0, 64), st.floats(0, 1e9))
def test_there_are_at_least_a_few_and_never_more_than_planned(
    most: int, tried: int, seconds: float
) -> None:
    """However long a round took, and though a clock may stand still."""
    assert min(FEWEST, most) <= fitting_questions(most, tried, seconds) <= most


@given(
    QUESTIONS.filter(lambda most: most > FEWEST),
    st.floats(0, LONGEST_S / 4),
    st.floats(0, LONGEST_S / 4),
)
def test_rounds_become_as_long_as_they_may_be(most: int, each: float, whatever: float) -> None:
    """Though part of a round does not depend on its questions; then their number stays."""
    questions = FEWEST
    for _ in range(100):
        before = questions
        questions = fitting_questions(most, before, whatever + each * before)
    took = whatever + each * questions
    assert questions == before
    assert took <= LONGEST_S
    assert questions == most or took > SHORT_S


@pytest.mark.parametrize(
    ("few", "whole", "seconds"),
    [
        (10.0, 40.0, 40.0),  # all eight fit
        (20.0, 80.0, 60.0),  # ten seconds each, of which four more fit
        (50.0, 80.0, 60.0),  # most of it does not depend on the questions
        (90.0, 120.0, 90.0),  # not even the fewest fit
        (70.0, 65.0, 70.0),  # a busy moment turned them round
    ],
)
def test_the_time_of_a_fitted_round_is_between_two_that_are_known(
    few: float, whole: float, seconds: float
) -> None:
    """Of eight questions as many as fit into a minute, two at least."""
    assert fitted_seconds(few, whole, 8) == seconds


@given(st.integers(2, 64))
def test_answers_are_halved_down_to_the_fewest(answers: int) -> None:
    """What is below from the beginning stays as it is."""
    fewer = fewer_answers(answers)
    assert fewer == (answers if answers <= FEWEST_ANSWERS else max(FEWEST_ANSWERS, answers // 2))


@pytest.mark.parametrize(
    ("few", "whole", "seconds"),
    [
        (20.0, 60.0, 60.0),  # all sixteen fit
        (20.0, 80.0, 40.0),  # eight
        (50.0, 110.0, 50.0),  # four
        (90.0, 150.0, 90.0),  # not even these
        (70.0, 65.0, 70.0),  # a busy moment turned them round
    ],
)
def test_the_time_with_fewer_answers_is_between_two_that_are_known(
    few: float, whole: float, seconds: float
) -> None:
    """Of sixteen answers half as often as it takes, four at least."""
    assert seconds_with_fewer_answers(few, whole, 16) == seconds
