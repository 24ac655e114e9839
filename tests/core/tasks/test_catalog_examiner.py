"""The examiner of this release, in this process."""

import pytest

from core.decks.deck import Deck, digest_of, encode_deck
from core.decks.library import InstalledDeck
from core.decks.templates import NumberVariable, Template
from core.errors import UnknownTaskError
from core.rollouts.types import PuzzleKey, TaskId
from core.tasks.catalog import load_catalog
from core.tasks.catalog_examiner import CatalogExaminer
from core.tasks.reasoning_tasks import make_puzzle


@pytest.fixture(scope="module")
def examiner() -> CatalogExaminer:
    return CatalogExaminer()


def test_it_asks_and_rewards_by_the_catalogue(examiner: CatalogExaminer) -> None:
    """The question is the catalogue's, its own answer earns 1.0, another one nothing."""
    catalog = load_catalog()
    for task in catalog.tasks:
        key = PuzzleKey(task.id, 1, seed=5, index=8)
        puzzle = make_puzzle(catalog, key)
        assert examiner.question(key) == puzzle.question
        assert examiner.reward(key, puzzle.answer) == 1.0
        assert examiner.reward(key, "no idea") == 0.0
        assert examiner.is_canonical(key, puzzle.answer)
        assert not examiner.is_canonical(key, f" {puzzle.answer}")


def test_it_knows_nothing_else(examiner: CatalogExaminer) -> None:
    """A task outside the allow-list cannot be asked."""
    with pytest.raises(UnknownTaskError):
        examiner.question(PuzzleKey(TaskId("rush_hour"), 1, 0, 0))


def test_a_deck_that_lacks_a_puzzle_keeps_nothing_from_starting() -> None:
    """Whether others can be made or not; of what is built in none may be missing."""
    never = Template("{a}?", "{a}", {"a": NumberVariable(1, 9)}, where="a > 9")
    deck = Deck(format=1, name="a", matcher="integer", templates=(never,))
    installed = InstalledDeck(deck, digest_of(encode_deck(deck)))
    started = CatalogExaminer([installed])
    with pytest.raises(UnknownTaskError):
        started.question(PuzzleKey(TaskId(installed.task), 1, seed=0, index=0))
