"""The exam."""

import pytest

from core.engine.exam import ATTEMPTS, Grade, estimate, gain, set_exam, take_exam
from core.engine.round import Parts
from core.errors import UsageError
from core.rollouts.types import TaskId
from tests.fakes import (
    ADDING,
    AddingScorer,
    CountingCurriculum,
    FakePolicy,
    SameThread,
    ScriptedSwarm,
)


def make_parts(skill: float) -> Parts:
    policy = FakePolicy(skill)
    return Parts(
        CountingCurriculum(), AddingScorer(), policy, ScriptedSwarm(), policy, SameThread()
    )


async def test_the_exam_is_the_same_for_everyone_and_never_practised() -> None:
    """Held-out questions only, none twice, and no chance in the choice."""
    questions = await set_exam(CountingCurriculum(), AddingScorer(), 100)
    assert len({q.digest for q in questions}) == 100
    assert all(q.is_held_out for q in questions)
    assert questions == await set_exam(CountingCurriculum(), AddingScorer(), 100)


async def test_more_puzzles_than_there_are_is_refused() -> None:
    """An exam never repeats a puzzle to fill up, which would fake its precision."""
    with pytest.raises(UsageError, match="ask for fewer"):
        await set_exam(CountingCurriculum(), AddingScorer(), 5_000)


async def test_grades_are_means_over_the_attempts() -> None:
    """A model that is right half of the time scores about a half, in quarters."""
    questions = await set_exam(CountingCurriculum(), AddingScorer(), 200)
    grades = await take_exam(questions, make_parts(0.5))
    assert all(grade.score * ATTEMPTS == int(grade.score * ATTEMPTS) for grade in grades)
    assert abs(estimate([g.score for g in grades]).mean - 0.5) < 0.06


def test_the_standard_error_is_that_of_a_mean() -> None:
    """Four scores 0, 0, 1, 1: sample deviation 0.577, over two."""
    found = estimate([0.0, 0.0, 1.0, 1.0])
    assert found.mean == 0.5
    assert found.standard_error == pytest.approx(0.288675, abs=1e-6)


def test_a_gain_is_paired() -> None:
    """Every puzzle half a point better is a sure gain, however different the puzzles are."""
    before = [Grade(ADDING, score) for score in (0.0, 0.25, 0.5)]
    after = [Grade(TaskId("adding"), score + 0.5) for score in (0.0, 0.25, 0.5)]
    found = gain(before, after)
    assert (found.mean, found.standard_error) == (0.5, 0.0)


async def test_one_puzzle_is_no_exam() -> None:
    """It would have no standard error."""
    with pytest.raises(UsageError, match="at least 2"):
        await set_exam(CountingCurriculum(), AddingScorer(), 1)
