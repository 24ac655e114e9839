"""How large the rounds of a loop are."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.engine.plan import RoundPlan
from core.engine.sizing import RETRY_AFTER, SLOW_ROUNDS, RoundSizer
from core.rollouts.round_size import FEWEST, FEWEST_ANSWERS, LONGEST_S
from tests.fakes import MODEL, OWN

PLAN = RoundPlan(
    MODEL, OWN, 7, local_groups=8, swarm_groups=4, group_size=8, recipe="waggle", first_questions=2
)
SLOW = LONGEST_S + 1


def size(sizer: RoundSizer) -> tuple[int, int, int | None]:
    return sizer.next.local_groups, sizer.next.group_size, sizer.next.learnt_answers


def after(sizer: RoundSizer, *seconds: float) -> tuple[int, int, int | None]:
    """The size after rounds of all their questions that took so long."""
    for took in seconds:
        sizer.note(took)
    return size(sizer)


def test_one_slow_round_takes_no_answers_away() -> None:
    """A computer may have slept, or another sampler took its turn; three in a row are no chance."""
    sizer = RoundSizer(PLAN)
    assert after(sizer, SLOW, SLOW, 50.0, SLOW, SLOW) == (2, 8, None)
    assert after(sizer, SLOW) == (2, 4, 2)


def test_one_thing_after_the_other_is_given_up_and_taken_back() -> None:
    """Answers, their length, and groups of others; and back in that order, while it is quick."""
    sizer = RoundSizer(replace(PLAN, answer_tokens=192))
    plans = [sizer.next]
    for took in [*[SLOW] * 5 * SLOW_ROUNDS, *[1.0] * 4 * RETRY_AFTER]:
        after(sizer, took)
        if sizer.next != plans[-1]:
            plans.append(sizer.next)
    told = [(one.group_size, one.answer_tokens, one.learnt_groups) for one in plans]
    down = [(8, 192, None), (4, 192, None), (4, 96, None), (4, 96, FEWEST)]
    assert told[:-1] == down + down[-2::-1]
    assert plans[-1].local_groups == 8, "and questions follow"


def test_alone_there_are_no_groups_of_others_to_give_up() -> None:
    """So there is no step that would only be another thirty rounds on the way back."""
    sizer = RoundSizer(PLAN, solo=True)
    after(sizer, *[SLOW] * 3 * SLOW_ROUNDS)
    assert sizer.next.learnt_groups is None


def test_what_was_too_long_before_is_tried_once() -> None:
    """One round with it in so many, until one is quick again."""
    sizer = RoundSizer(PLAN)
    after(sizer, *[SLOW] * SLOW_ROUNDS, *[1.0] * RETRY_AFTER)
    assert size(sizer) == (2, 8, None)
    assert after(sizer, SLOW) == (2, 4, 2)
    assert after(sizer, *[1.0] * RETRY_AFTER, 50.0, SLOW, SLOW) == (2, 8, None)


def test_while_rounds_are_too_long_no_longer_one_is_tried() -> None:
    """Not even where nothing is left to give up, and however long ago something was."""
    sizer = RoundSizer(PLAN, solo=True)
    assert after(sizer, *[SLOW] * (SLOW_ROUNDS + RETRY_AFTER)) == (2, 4, 2)
    assert after(sizer, 1.0) == (2, 8, None)


def test_the_next_start_goes_on_with_the_size_of_the_last_one() -> None:
    """However many things it did without; of a plan with fewer, without all of them."""
    sizer = RoundSizer(PLAN)
    after(sizer, *[SLOW] * SLOW_ROUNDS)
    assert sizer.given_up == 1
    for first in (2, 8):  # a starter's first round has all its questions
        again = RoundSizer(replace(PLAN, first_questions=first), given_up=1)
        assert size(again) == size(sizer)
    few = replace(PLAN, swarm_groups=0)
    assert size(RoundSizer(few, given_up=9)) == (2, 4, 2)
    repeatable = replace(PLAN, first_questions=None)
    assert RoundSizer(repeatable, given_up=1).next == repeatable


@pytest.mark.parametrize(("recipe", "learnt"), [("sapo", [8, 2]), ("waggle", [2, 1])])
def test_as_small_a_share_is_learnt_from_as_before(recipe: str, learnt: list[int]) -> None:
    """Four of sixteen are, or all; of the fewest no more than a pair."""
    sizer = RoundSizer(replace(PLAN, group_size=16, recipe=recipe))
    found = [after(sizer, *[SLOW] * SLOW_ROUNDS) for _ in range(2)]
    assert found == [(2, 8, learnt[0]), (2, 4, learnt[1])]


def test_with_the_fewest_answers_only_a_pair_of_them_is_learnt_from() -> None:
    """Of four to each question, as by default; where two are all there are, nothing changes."""
    sizer = RoundSizer(replace(PLAN, group_size=4), solo=True)
    assert after(sizer, *[SLOW] * 2 * SLOW_ROUNDS) == (2, 4, 2)
    assert after(sizer, *[1.0] * RETRY_AFTER)[1:] == (4, None)
    pairs = RoundSizer(replace(PLAN, group_size=2), solo=True)
    assert after(pairs, *[SLOW] * SLOW_ROUNDS) == (2, 2, None)


def test_repeatable_rounds_have_no_size_but_their_own() -> None:
    """However long they take."""
    sizer = RoundSizer(replace(PLAN, first_questions=None))
    assert after(sizer, *[SLOW] * SLOW_ROUNDS, 1.0) == (8, 8, None)


@given(
    st.integers(1, 64),
    st.integers(2, 32),
    st.lists(st.floats(0, 1e9)),
)
def test_a_size_stays_within_its_bounds(questions: int, answers: int, rounds: list[float]) -> None:
    """However long rounds took; answers are few only where questions are."""
    plan = replace(PLAN, local_groups=questions, group_size=answers)
    sizer = RoundSizer(plan)
    for seconds in rounds:
        sizer.note(seconds)
        assert min(FEWEST, questions) <= sizer.next.local_groups <= questions
        assert min(FEWEST_ANSWERS, answers) <= sizer.next.group_size <= answers
        if sizer.next.group_size < answers:
            assert sizer.next.local_groups <= FEWEST
