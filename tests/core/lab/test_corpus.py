"""The text that starters learn to read from."""

from collections import Counter

import pytest

from core.lab.corpus import GENERAL, RISING, SPARSE, WRAPPINGS, Document, documents
from core.lab.worked.answers import BEGINNING
from core.rollouts.types import PuzzleKey, Question, TaskId
from core.tasks.catalog import load_catalog

COUNT = 2_000


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


def wrapped(document: Document) -> bool:
    frames = [wrapping.split("{}") for wrapping in WRAPPINGS]
    return any(
        document.answer.startswith(head) and document.answer.endswith(tail) for head, tail in frames
    )


def test_the_textbook_comes_first_and_the_world_after_it(written: list[Document]) -> None:
    """No answer of the textbook is wrapped in words; about a third of the rest is."""
    border = int(GENERAL.textbook * COUNT)
    assert not any(wrapped(document) for document in written[:border])
    assert 0.28 < sum(map(wrapped, written[border:])) / (COUNT - border) < 0.42


def test_every_task_is_read(written: list[Document]) -> None:
    """No task is left out: there are about as many kinds of beginnings as tasks."""
    beginnings = Counter(document.prompt[:12] for document in written)
    assert len(beginnings) >= 20


def test_the_sparse_world_hides_what_it_knows() -> None:
    """Nearly all answers of its world are wrapped, all are about the paper's nine tasks."""
    catalog = load_catalog()
    sparse = list(documents(catalog, COUNT, 5, SPARSE))
    world = sparse[int(SPARSE.textbook * COUNT) :]
    assert sum(map(wrapped, world)) / len(world) > 0.9
    assert {task.id for task in catalog.tasks if SPARSE.weight(task)} == {
        task.id for task in catalog.tasks if task.specialty
    }


def test_a_rising_reader_meets_right_answers_and_learns_to_show_its_work() -> None:
    """Half of those that can be are worked in the textbook, one in ten after it; all end right."""
    rising = list(documents(load_catalog(), COUNT, 5, RISING))
    border = int(RISING.textbook * COUNT)
    worked = [document.answer.startswith(BEGINNING) for document in rising]
    assert sum(worked[:border]) / border > 3 * sum(worked[border:]) / (COUNT - border) > 0.03
    assert not any(wrapped(document) for document in rising)
