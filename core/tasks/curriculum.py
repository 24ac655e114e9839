"""What to practise next: where there is most to learn, and never nothing of anything.

A *cell* is a kind of puzzle at one level. Of each cell that was tried a decayed share of right
answers is kept. A cell is drawn by the variance of a try, p(1 - p), which is what an update by
relative advantages can learn from: most at one half, nothing where all answers are right or all
are wrong. A floor keeps looking at what is mastered, so that it is not unlearnt, and at what is
hopeless, so that its time is noticed. A level opens once the one below is mastered, and closes
when that is lost again.
"""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Final, Literal

from core.rollouts.types import Cells, PuzzleKey, ScoredGroup, TaskId
from core.tasks.catalog import SEEDS, PracticeMix, TaskCatalog

DECAY: Final = 0.9
"""What a group still counts after the next one of its cell: some ten groups tell."""

FLOOR: Final = 0.05
"""Weight of a cell from which nothing can be learnt, against 1 for one that is half solved."""

OPENS: Final = 0.7
CLOSES: Final = 0.4
"""Shares solved at which the next level opens, and below which it closes again."""

ENOUGH: Final = 16.0
"""Tries, decayed, before a share is believed."""


class CellCurriculum:
    """Draws cells by what can be learnt from them; pure but for the cells that it remembers.

    The draws of a round depend on the cells at its beginning and on that round's generator, so a
    run that resumes from a checkpoint goes on with the same puzzles.
    """

    def __init__(self, catalog: TaskCatalog, tasks: Sequence[str] | None = None) -> None:
        """Practise ``tasks``; None: all.

        Raises:
            UnknownTaskError: one of ``tasks`` is not in the catalogue.
        """
        chosen = catalog.tasks if tasks is None else tuple(catalog.task(name) for name in tasks)
        self._levels = {task.id: len(task.levels) for task in chosen}
        self.cells: Cells = {}

    def restore(self, cells: Cells) -> None:
        """Go on from ``cells``; those of kinds or levels that there are no longer are left out."""
        known = {cell_name(task, n) for task, most in self._levels.items() for n in _upto(most)}
        self.cells = {name: cell for name, cell in cells.items() if name in known}

    def draw(self, count: int, rng: Random) -> list[PuzzleKey]:
        """Draw ``count`` different puzzles; no cell twice before every open one had its turn.

        Weighted sampling without replacement: Efraimidis and Spirakis, 2006.
        """
        keys: dict[PuzzleKey, None] = {}
        while len(keys) < count:
            ranked = [
                (rng.random() ** (1 / self._weight(task, level)), task, level)
                for task, level in self._open()
            ]
            ranked.sort(reverse=True)
            for _, task, level in ranked[: count - len(keys)]:
                keys[PuzzleKey(task, level, rng.randrange(SEEDS), 0)] = None
        return list(keys)

    def observe(self, own: Sequence[ScoredGroup]) -> None:
        """Remember how own groups went."""
        for scored in own:
            name = cell_name(scored.question.key.task, scored.question.key.level)
            right, tries = self.cells.get(name, (0.0, 0.0))
            self.cells[name] = (
                DECAY * right + sum(scored.rewards),
                DECAY * tries + len(scored.rewards),
            )

    def skill(self) -> float:
        """Mean over all cells of the share solved, in [0, 1]; what was never tried is unsolved."""
        shares = [right / tries for right, tries in self.cells.values() if tries]
        return sum(shares) / sum(self._levels.values())

    def _open(self) -> Iterator[tuple[TaskId, int]]:
        for task, most in self._levels.items():
            for level in _upto(most):
                yield task, level
                right, tries = self.cells.get(cell_name(task, level), (0.0, 0.0))
                was_open = cell_name(task, level + 1) in self.cells
                if tries < ENOUGH or right / tries < (CLOSES if was_open else OPENS):
                    break

    def _weight(self, task: TaskId, level: int) -> float:
        cell = self.cells.get(cell_name(task, level))
        if cell is None:
            return 1.0
        share = (cell[0] + 0.5) / (cell[1] + 1.0)  # Krichevsky and Trofimov: never 0, never 1
        return max(FLOOR, 4 * share * (1 - share))


def curriculum_for(
    catalog: TaskCatalog, level: Literal["automatic"] | int
) -> CellCurriculum | PracticeMix:
    """What the settings want to be practised."""
    return CellCurriculum(catalog) if level == "automatic" else PracticeMix(catalog, level)


def cell_name(task: str, level: int) -> str:
    """What a cell is called in a checkpoint."""
    return f"{task}/{level}"


def _upto(most: int) -> range:
    return range(1, most + 1)
