"""Which questions a deck answers itself, and how."""

from dataclasses import replace

import pytest

from core.rollouts.teaching import SHARE, lessons
from core.rollouts.types import (
    Completion,
    ModelId,
    PeerId,
    PuzzleKey,
    Question,
    RolloutGroup,
    ScoredGroup,
    TaskId,
)


def tried(number: int, *rewards: float, lesson: str = "12") -> ScoredGroup:
    question = Question(
        PuzzleKey(TaskId("deck_0"), 1, number, 0), f"{number}?", held_out=False, lesson=lesson
    )
    completions = tuple(Completion("x", ended=True) for _ in rewards)
    group = RolloutGroup(
        question.key, question.digest, PeerId("a" * 64), ModelId("spark"), 1, completions
    )
    return ScoredGroup(question, group, rewards)


def test_a_lesson_stands_beside_the_failures() -> None:
    """As the one success among them, as if the model had found it."""
    failed = tried(1, 0.0, 0.0, 0.0)
    (lesson,) = lessons([failed], 4)
    assert lesson.rewards == (0.0, 0.0, 0.0, 1.0)
    assert lesson.group.completions == (*failed.group.completions, Completion("12", ended=True))
    assert lesson.question == failed.question
    assert lesson.trusted
    assert not failed.trusted


@pytest.mark.parametrize(
    "known",
    [
        tried(1, 0.0, 1.0, 0.0),
        tried(1, 0.0, 0.25),
        tried(1, 1.0, 1.0),
        tried(1, 0.0, 0.0, lesson=""),
        replace(
            tried(1, 0.0, 0.0),
            question=replace(tried(1).question, held_out=True),
        ),
    ],
)
def test_nobody_teaches_what_is_found_has_no_answer_or_is_of_the_exam(known: ScoredGroup) -> None:
    """A single try that is right in part is enough."""
    assert lessons([known], 100) == []


@pytest.mark.parametrize(("local_groups", "most"), [(1, 1), (4, 1), (8, 2), (40, 10)])
def test_lessons_are_a_share_of_the_round(local_groups: int, most: int) -> None:
    """A quarter, or a model would be told more than it tries; but one, if there is any."""
    failed = [tried(n, 0.0, 0.0) for n in range(12)]
    assert max(1, int(SHARE * local_groups)) == most
    taught = lessons(failed, local_groups)
    assert [one.question for one in taught] == [one.question for one in failed[:most]]


def test_without_failures_there_are_no_lessons() -> None:
    """Nor without anything."""
    assert lessons([], 8) == []
