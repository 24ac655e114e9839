"""The examiner of this release: the catalogue's puzzles and our own verifiers.

Making one loads the puzzle library; outside tests, only the judge does so.
"""

from collections.abc import Sequence
from functools import lru_cache

from core.decks.library import InstalledDeck
from core.errors import UnknownTaskError
from core.rollouts.types import PuzzleKey, Question
from core.tasks.catalog import load_catalog
from core.tasks.deck_tasks import with_decks
from core.tasks.reasoning_tasks import Puzzle, check_ruleset, make_puzzle
from core.tasks.verifiers import is_canonical, verify

PUZZLES_KEPT = 4096  # asked, judged, and often met again with peers; about 2 KB each


class CatalogExaminer:
    """Makes each puzzle once for its question and all its answers."""

    def __init__(self, decks: Sequence[InstalledDeck] = ()) -> None:
        """Load catalogue, ``decks`` and library, and make a puzzle of every level.

        Whatever the library loads late or reads from its data files, it does now: later there
        are no files.

        Raises:
            RulesetError: the library is not the release that the swarm speaks.
        """
        check_ruleset()
        self._catalog = with_decks(load_catalog(), decks)
        self._puzzle = lru_cache(PUZZLES_KEPT)(self._make)
        for task in self._catalog.tasks:
            for level in range(1, len(task.levels) + 1):
                key = PuzzleKey(task.id, level, seed=0, index=0)
                try:
                    self.reward(key, self._puzzle(key).answer)
                except UnknownTaskError:
                    if task.id not in self._catalog.decks:
                        raise  # a deck may lack the puzzle of just this seed

    def question(self, key: PuzzleKey) -> Question:
        """Make the question of ``key``.

        Raises:
            UnknownTaskError: the key names a task or level outside the catalogue.
        """
        return self._puzzle(key).question

    def reward(self, key: PuzzleKey, answer: str) -> float:
        """Judge an answer to the question of ``key``, in [0, 1]."""
        return verify(self._catalog.task(key.task), self._puzzle(key), answer)

    def is_canonical(self, key: PuzzleKey, answer: str) -> bool:
        """Whether a right answer to the question of ``key`` has the form of the puzzle's own."""
        return is_canonical(self._catalog.task(key.task), self._puzzle(key), answer)

    def _make(self, key: PuzzleKey) -> Puzzle:
        return make_puzzle(self._catalog, key)
