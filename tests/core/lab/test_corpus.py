"""The text that starters learn to read from."""

import re
from collections import Counter
from math import gcd

import pytest

from core.lab.corpus import TEXTBOOK, Document, documents
from core.lab.worked.answers import BEGINNING
from core.rollouts.answers import final_answer
from core.rollouts.types import PuzzleKey, Question, TaskId
from core.tasks.catalog import TaskCatalog, load_catalog

COUNT = 2_000
LARGEST_AT_LEVEL_3 = 99


@pytest.fixture(scope="module")
def written() -> list[Document]:
    return list(documents(load_catalog(), COUNT, seed=5))


def test_the_same_seed_writes_the_same_text(written: list[Document]) -> None:
    """A model can be made again from its seed."""
    assert list(documents(load_catalog(), COUNT, seed=5)) == written
    assert next(documents(load_catalog(), COUNT, seed=6)) != written[0]


def test_no_question_of_the_exam_is_read(written: list[Document]) -> None:
    """Pretraining never sees what is held out."""
    key = PuzzleKey(TaskId("any"), 1, 0, 0)
    assert not any(Question(key, document.prompt).is_held_out for document in written)


def test_most_is_worked_in_the_textbook_and_little_in_the_world(written: list[Document]) -> None:
    """So that a reader can work, and answers directly most of the time."""
    border = int(TEXTBOOK * COUNT)
    worked = [document.answer.startswith(BEGINNING) for document in written]
    assert sum(worked[:border]) / border > 3 * sum(worked[border:]) / (COUNT - border) > 0.03


def test_every_answer_is_right_and_of_a_lower_level() -> None:
    """No form to learn and no guess to unlearn; what lies above level 3 is left to practice."""
    whole = load_catalog()
    alone = TaskCatalog([whole.task("gcd")], whole.ruleset)
    for document in documents(alone, 300, seed=5):
        numbers = [int(n) for n in re.findall("[0-9]+", document.prompt.partition(":")[2])]
        assert int(final_answer(document.answer)) == gcd(*numbers)
        assert max(numbers) <= LARGEST_AT_LEVEL_3


def test_every_task_is_read(written: list[Document]) -> None:
    """No task is left out: there are about as many kinds of beginnings as tasks."""
    beginnings = Counter(document.prompt[:12] for document in written)
    assert len(beginnings) >= 50
