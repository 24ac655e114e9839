"""The allow-list of tasks and their levels, read from ``resources/tasks.toml``.

Only what stands in that file can be practised or judged; nothing about a puzzle but its key ever
comes from outside. Importing this module imports no puzzle library: the window's side and the hub
may use it.
"""

import difflib
import hashlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from core.decks.library import InstalledDeck
from core.errors import RulesetError, UnknownTaskError
from core.i18n import translatable
from core.paths import RESOURCES
from core.rollouts.types import PuzzleKey, TaskId

PROTOCOL = 3
"""Counts up whenever a verifier, what it sees of a completion, or the making of puzzles changes
what an answer earns. 2: the final answer may stand between tags. 3: markup around it is forgiven,
and so are tags in capitals, an unclosed one, and mentions of tags behind the answer."""

LIBRARY_RELEASE = "0.1.25"
"""The release of reasoning-gym whose puzzles the swarm speaks; another one makes others."""

CATALOGUE = RESOURCES / "tasks.toml"
ANY_LENGTH = 1_000_000  # characters; no prompt is longer
SEEDS = 2**32  # seeds and indices are in [0, SEEDS)

VerifierName = Literal[
    "text",
    "caseless",
    "integer",
    "decimal",
    "numeral",
    "fraction",
    "factors",
    "complex",
    "words",
    "grid",
    "numbers",
    "groups",
    "splits",
    "sum",
    "palindrome",
    "scientific",
    "logic",
    "folded",
    "near",
    "label",
    "ratio",
    "set",
]
Levels = int | Sequence[int] | None
"""Of difficulty: one, some, or all."""

Setting = bool | int | float | str | tuple[str | float, ...]


class Preset(msgspec.Struct, frozen=True, kw_only=True):
    """One level of a task."""

    settings: tuple[tuple[str, Setting], ...]  # that differ from the generator's, sorted by name
    longest_prompt: int = ANY_LENGTH  # in characters; items with a longer one are passed over


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of puzzle."""

    id: TaskId
    dataset: str  # the library's name of its generator; empty: a deck makes it
    title: str  # what is asked, in plain words
    levels: tuple[Preset, ...]  # the easiest first
    verifier: VerifierName
    specialty: bool  # one of the nine that the SAPO paper trains on
    starter: bool  # prompts and answers short enough for a model of a million parameters


class _Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A task as the file spells it."""

    id: Annotated[str, Meta(pattern=r"^[a-z0-9_]{1,40}$")]
    title: Annotated[str, Meta(min_length=1, max_length=80)]
    verifier: VerifierName
    levels: Annotated[tuple[dict[str, Setting], ...], Meta(min_length=3, max_length=9)]
    dataset: str = ""  # empty: the same as the id
    specialty: bool = False
    starter: bool = False

    def task(self) -> Task:
        return Task(
            id=TaskId(self.id),
            dataset=self.dataset or self.id,
            title=self.title,
            levels=tuple(_preset(level) for level in self.levels),
            verifier=self.verifier,
            specialty=self.specialty,
            starter=self.starter,
        )


def _preset(level: Mapping[str, Setting]) -> Preset:
    settings = sorted(pair for pair in level.items() if pair[0] != "longest_prompt")
    longest = level.get("longest_prompt", ANY_LENGTH)
    return msgspec.convert({"settings": settings, "longest_prompt": longest}, Preset)


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    tasks: tuple[_Entry, ...]


class TaskCatalog:
    """All tasks of this release, and the name of the rules under which they are judged."""

    def __init__(
        self, tasks: Sequence[Task], ruleset: str, decks: Sequence[InstalledDeck] = ()
    ) -> None:
        """``decks``: those that some of the ``tasks`` are made by."""
        self.tasks = tuple(tasks)
        self.decks = {TaskId(one.task): one for one in decks}
        self.ruleset = ruleset  # 16 hex characters; nodes of another ruleset cannot be judged
        self._by_id: Mapping[str, Task] = {task.id: task for task in self.tasks}

    def only(self, kinds: Collection[str]) -> "TaskCatalog":
        """The part of this catalogue that is of ``kinds``; others are neither asked nor judged.

        Raises:
            UnknownTaskError: one of ``kinds`` is not in it, or there are none.
        """
        if not kinds:
            raise UnknownTaskError(
                translatable("No kind of puzzle was chosen. Name at least one, or leave it out.")
            )
        chosen = {self.task(kind).id for kind in kinds}
        decks = [one for task, one in self.decks.items() if task in chosen]
        return TaskCatalog([t for t in self.tasks if t.id in chosen], self.ruleset, decks)

    def task(self, task_id: str) -> Task:
        """Find a task.

        Raises:
            UnknownTaskError: there is none of that name.
        """
        found = self._by_id.get(task_id)
        if found is not None:
            return found
        close = difflib.get_close_matches(task_id, self._by_id, n=1)
        listed = translatable("waggle tasks lists those that there are.")
        hint = translatable("Did you mean {}?", close[0]) if close else listed
        raise UnknownTaskError(
            translatable("There is no task called {}. {}", f"{task_id[:40]!r}", hint)
        )

    def cells(
        self, levels: Levels = None, tasks: Sequence[str] | None = None
    ) -> list[tuple[TaskId, int]]:
        """Every one of ``levels`` (None: all) of every one of ``tasks`` (None: all).

        A task that has less than such a level is there with its hardest.

        Raises:
            UnknownTaskError: one of ``tasks`` is not in the catalogue.
        """
        chosen = self.tasks if tasks is None else tuple(self.task(name) for name in tasks)
        return [(task.id, n) for task in chosen for n in _levels_of(task, levels)]

    def preset(self, key: PuzzleKey) -> Preset:
        """The settings of the puzzle's level.

        Raises:
            UnknownTaskError: there is no such task, or the task has no such level.
        """
        task = self.task(key.task)
        if not 1 <= key.level <= len(task.levels):
            raise UnknownTaskError(
                translatable(
                    "Task {} has no level {}. Choose one from 1 to {}.",
                    task.id,
                    key.level,
                    len(task.levels),
                )
            )
        return task.levels[key.level - 1]


def load_catalog(path: Path = CATALOGUE) -> TaskCatalog:
    """Read the catalogue.

    Raises:
        RulesetError: the file is missing or breaks a rule, so this copy of Waggle is damaged.
    """
    try:
        entries = msgspec.toml.decode(path.read_bytes(), type=_File).tasks
        tasks = tuple(entry.task() for entry in entries)
    except (OSError, UnicodeDecodeError, msgspec.MsgspecError) as error:
        raise RulesetError(
            translatable(
                "The list of puzzles {} cannot be read ({}). Install Waggle again.", path, error
            )
        ) from error
    return TaskCatalog(tasks, ruleset_of(tasks))


def ruleset_of(tasks: Sequence[Task]) -> str:
    """Name the rules: the same for two nodes if and only if they ask and judge alike.

    Made from what decides a puzzle and its reward, and not from the file's bytes, so that a title,
    a comment or the line endings of another system split no swarm.
    """
    decisive = [(task.id, task.dataset, task.levels, task.verifier) for task in tasks]
    rules = msgspec.json.encode((PROTOCOL, LIBRARY_RELEASE, decisive))
    return hashlib.sha256(rules).hexdigest()[:16]


class PracticeMix:
    """Draws every task as often as any other at one level, or every level of every task.

    One comes again only after all others came. The draws of one round depend on that round's
    generator alone, not on the rounds before, so that a resumed run practises the same puzzles.
    """

    def __init__(
        self, catalog: TaskCatalog, levels: Levels, tasks: Sequence[str] | None = None
    ) -> None:
        """Practise what ``catalog.cells`` says.

        Raises:
            UnknownTaskError: one of ``tasks`` is not in the catalogue, or there are none.
        """
        self._mix = catalog.cells(levels, tasks)
        if not self._mix:
            raise UnknownTaskError(
                translatable("No task was chosen. Name at least one, or leave the list out.")
            )

    def open_cells(self) -> Iterator[tuple[TaskId, int]]:
        """The kinds and levels that are practised."""
        yield from self._mix

    def draw(self, count: int, rng: Random) -> list[PuzzleKey]:
        """Draw ``count`` different puzzles.

        The library makes an item from ``seed + index``, so (42, 7) and (49, 0) are one puzzle;
        the mix always draws index 0.
        """
        keys: dict[PuzzleKey, None] = {}
        waiting: list[tuple[TaskId, int]] = []
        while len(keys) < count:
            if not waiting:
                waiting = list(self._mix)
                rng.shuffle(waiting)
            task, level = waiting.pop()
            while (key := PuzzleKey(task, level, rng.randrange(SEEDS), 0)) in keys:
                pass
            keys[key] = None
        return list(keys)


def _levels_of(task: Task, levels: Levels) -> Sequence[int]:
    hardest = len(task.levels)
    if levels is None:
        return range(1, hardest + 1)
    wanted = (levels,) if isinstance(levels, int) else levels
    return sorted({min(max(level, 1), hardest) for level in wanted})
