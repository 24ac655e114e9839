"""What to practise next: where there is most to learn, and never nothing of anything.

A *cell* is a kind of puzzle at one level (``core.tasks.skills``). It is drawn by the variance of a
try at one of its questions, which is what an update by relative advantages can learn from: most
where each is solved every second time, nothing where all answers are right or all are wrong. A
floor keeps looking at what is mastered, so that it is not unlearnt, and at what is hopeless, so
that its time is noticed. A level opens once the one below is mastered, and closes when that is lost
again; one that is solved now and then all the same is open anyway.
"""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Final, Literal

from core.rollouts.types import PuzzleKey, TaskId, cell_name
from core.tasks.catalog import SEEDS, Levels, PracticeMix, TaskCatalog
from core.tasks.skills import CLOSES, ENOUGH, OPENS, Skills

TEACHES: Final = 0.1
"""Share solved of a level that is practised whatever is mastered below it."""

FLOOR: Final = 0.05
"""Weight of a cell from which nothing can be learnt, against 1 for one that is half solved."""


class CellCurriculum:
    """Draws cells by what can be learnt from them; pure, and told by ``Skills`` what is solved.

    The draws of a round depend on the skills at its beginning and on that round's generator, so a
    run that resumes from a checkpoint goes on with the same puzzles.
    """

    def __init__(
        self, catalog: TaskCatalog, skills: Skills, tasks: Sequence[str] | None = None
    ) -> None:
        """Practise ``tasks`` (None: all) by what ``skills`` tells of them.

        Raises:
            UnknownTaskError: one of ``tasks`` is not in the catalogue.
        """
        self._levels = dict(catalog.cells(tasks=tasks))  # the hardest of each, which comes last
        self._skills = skills

    def draw(self, count: int, rng: Random) -> list[PuzzleKey]:
        """Draw ``count`` different puzzles; no cell twice before every open one had its turn.

        Weighted sampling without replacement: Efraimidis and Spirakis, 2006.
        """
        keys: dict[PuzzleKey, None] = {}
        while len(keys) < count:
            ranked = [
                (rng.random() ** (1 / self._weight(task, level)), task, level)
                for task, level in self.open_cells()
            ]
            ranked.sort(reverse=True)
            for _, task, level in ranked[: count - len(keys)]:
                keys[PuzzleKey(task, level, rng.randrange(SEEDS), 0)] = None
        return list(keys)

    def open_cells(self) -> Iterator[tuple[TaskId, int]]:
        """The kinds and levels that are practised now."""
        for task, most in self._levels.items():
            follows = True  # all levels below are mastered
            for level in range(1, most + 1):
                right, tries = self._skills.cell(cell_name(task, level))
                if follows or right >= max(TEACHES * tries, TEACHES):
                    yield task, level
                was_open = cell_name(task, level + 1) in self._skills.own
                mastered = CLOSES if was_open else OPENS
                follows = follows and tries >= ENOUGH and right >= mastered * tries

    def _weight(self, task: TaskId, level: int) -> float:
        right, tries = self._skills.cell(cell_name(task, level))
        if tries < ENOUGH and right >= OPENS * tries:
            return 1.0  # unknown, or the next level waits for it: both are soon over
        return max(FLOOR, 4 * self._skills.variance(cell_name(task, level)))


def curriculum_for(
    catalog: TaskCatalog,
    levels: Literal["automatic"] | Levels,
    skills: Skills,
    tasks: Sequence[str] | None = None,
) -> CellCurriculum | PracticeMix:
    """Practise ``levels`` of ``tasks`` (None: all).

    Raises:
        UnknownTaskError: one of ``tasks`` is not in the catalogue.
    """
    if levels == "automatic":
        return CellCurriculum(catalog, skills, tasks)
    return PracticeMix(catalog, levels, tasks)
