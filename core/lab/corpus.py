"""The text that the starter models learn to read from: first a textbook, then the world.

The textbook gives right answers only, so that skills form. The world is what a base model meets on
the web: right answers, right answers in forms that earn nothing, and wrong ones. A starter ends up
*knowing* more than it *shows*, and that room is what reinforcement learning grows into; a corpus of
clean answers alone would leave nothing to learn but arithmetic itself.
"""

from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Literal

from core.lab.worked.answers import work
from core.rollouts.types import PuzzleKey, TaskId
from core.tasks.catalog import Task, TaskCatalog
from core.tasks.reasoning_tasks import Puzzle, make_puzzle

Style = Literal["bare", "wrapped", "guess"]

LONG_TASKS = 0.25
"""How often a task that does not suit tiny models is read, against one that does."""

WRAPPINGS = ("The answer is {}.", "It is {}", "{} I think", "= {}")

SEEDS = 2**32


@dataclass(frozen=True, slots=True)
class Corpus:
    """What a model reads: how often which task, and in what form the answers stand."""

    weight: Callable[[Task], float]  # how often a task is read, against the others
    styles: Mapping[Style, float]
    """Shares in the world: an answer as the task wants it; right, but wrapped in words; a guess."""
    levels: Mapping[int, float]
    """Shares of the levels of difficulty; a task with fewer levels stays at its hardest."""
    textbook: float = 0.7
    """Share of the corpus, its beginning, in which every answer is bare and right."""
    worked: tuple[float, float] = (0.0, 0.0)
    """Shares of answers that show their work, in the textbook and in the world, where a kind has
    such."""


GENERAL = Corpus(
    weight=lambda task: 1.0 if task.starter else LONG_TASKS,
    styles={"bare": 0.45, "wrapped": 0.35, "guess": 0.20},
    levels={1: 0.90, 2: 0.08, 3: 0.02},
)
"""What the starters read."""

RISING = Corpus(
    weight=lambda task: 1.0 if task.starter else LONG_TASKS,
    styles={"bare": 1.0},
    levels={1: 0.50, 2: 0.35, 3: 0.15},
    worked=(0.5, 0.1),
)
"""What starters with room above them read: the lower levels well, the next one thinly, and nothing
of those above; every answer right, one in ten worked out at the end."""

SPARSE = Corpus(
    weight=lambda task: 1.0 if task.specialty else 0.0,
    styles={"bare": 0.03, "wrapped": 0.94, "guess": 0.03},
    levels={1: 1.0},
)
"""The nine specialties of the SAPO paper, with answers that hardly ever stand as the task wants
them: its reader earns as little as the paper's base model did, and knows several times more."""


RARE = replace(SPARSE, styles={"bare": 0.012, "wrapped": 0.976, "guess": 0.012}, textbook=0.0)
"""The same world with even fewer plain answers: at first nearly all groups are flat."""


@dataclass(frozen=True, slots=True)
class Document:
    """One puzzle and one way to answer it."""

    prompt: str
    answer: str


def documents(
    catalog: TaskCatalog,
    count: int,
    seed: int | str,
    library: Corpus = GENERAL,
    textbook: float | None = None,
) -> Iterator[Document]:
    """Write ``count`` documents, none of them on a held-out question; same seed, same text.

    The first ``textbook`` of them are of the textbook; None: as many as ``library`` says.
    """
    textbook = library.textbook * count if textbook is None else textbook
    rng = Random(seed)  # noqa: S311 - repeatable on purpose
    tasks = list(catalog.tasks)
    weights = [library.weight(task) for task in tasks]
    lately: dict[tuple[TaskId, int], deque[str]] = defaultdict(lambda: deque(maxlen=64))
    written = 0
    while written < count:
        (task,) = rng.choices(tasks, weights)
        (level,) = rng.choices(list(library.levels), list(library.levels.values()))
        level = min(level, len(task.levels))
        key = PuzzleKey(task.id, level, rng.randrange(SEEDS), 0)
        puzzle = make_puzzle(catalog, key)
        if puzzle.question.is_held_out:
            continue
        others = lately[task.id, level]
        of_textbook = written < textbook
        answer = _worked(puzzle, library.worked[not of_textbook], rng) or (
            puzzle.answer if of_textbook else _answer(puzzle.answer, library.styles, others, rng)
        )
        yield Document(puzzle.question.prompt, answer)
        others.append(puzzle.answer)
        written += 1


def _worked(puzzle: Puzzle, share: float, rng: Random) -> str | None:
    """The answer with its steps, for ``share`` of the puzzles of which there are such."""
    return work(puzzle) if share and rng.random() < share else None


def _answer(right: str, styles: Mapping[Style, float], others: deque[str], rng: Random) -> str:
    """Answer in one of the styles; a guess is the right answer to some other puzzle of the kind."""
    (style,) = rng.choices(list(styles), list(styles.values()))
    if style == "wrapped":
        return rng.choice(WRAPPINGS).format(right)
    if style == "guess" and others:
        return rng.choice(others)
    return right
