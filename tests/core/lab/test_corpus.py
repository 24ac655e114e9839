"""The text that starters learn to read from."""

from collections import Counter

import pytest

from core.lab.corpus import WRAPPINGS, Document, documents
from core.rollouts.types import PuzzleKey, Question, TaskId
from core.tasks.catalog import load_catalog

COUNT = 2_000


@pytest.fixture(scope="module")
def written() -> list[Document]:
    return list(documents(load_catalog(), COUNT, seed=5))


def test_the_same_seed_writes_the_same_text(written: list[Document]) -> None:
    """A model can be made again from its seed."""
    assert list(documents(load_catalog(), 50, seed=5)) == written[:50]
    assert list(documents(load_catalog(), 50, seed=6)) != written[:50]


def test_no_question_of_the_exam_is_read(written: list[Document]) -> None:
    """Pretraining never sees what is held out."""
    key = PuzzleKey(TaskId("any"), 1, 0, 0)
    assert not any(Question(key, document.prompt).is_held_out for document in written)


def test_about_a_third_of_the_answers_is_wrapped_in_words(written: list[Document]) -> None:
    """The room that practice grows into: right answers in forms that earn nothing."""
    frames = [wrapping.split("{}") for wrapping in WRAPPINGS]
    wrapped = sum(
        any(
            d.answer.startswith(head) and d.answer.endswith(tail) and (head or tail)
            for head, tail in frames
        )
        for d in written
    )
    assert 0.30 < wrapped / COUNT < 0.40


def test_every_task_is_read(written: list[Document]) -> None:
    """No task is left out: there are about as many kinds of beginnings as tasks."""
    beginnings = Counter(document.prompt[:12] for document in written)
    assert len(beginnings) >= 20
