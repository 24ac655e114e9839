"""How much of each cell a model solves: one kind of puzzle at one level.

Estimated from recent tries in practice: of each cell a decayed share of right answers is kept, of
own ones and of what others sent, as judged here. The base model's shares come with the starters,
which were measured before they were shipped; of other models nothing is known at the beginning.
"""

import logging
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from core.rollouts.types import Cells, ScoredGroup, cell_name
from core.tasks.catalog import TaskCatalog

DECAY: Final = 0.9
"""What a group still counts after the next one of its cell: some ten groups tell."""

ENOUGH: Final = 16.0
"""Tries, decayed, before a share is believed; what the base's share counts for."""

BASE_SKILLS: Final = "skills.json"
_MOST_BYTES: Final = 1 << 18
_UNKNOWN: Final = (0.0, 0.0)

_log = logging.getLogger(__name__)


class _BaseSkills(msgspec.Struct, frozen=True):
    """What the file beside a starter holds."""

    cells: Annotated[
        dict[Annotated[str, Meta(max_length=50)], Annotated[float, Meta(ge=0, le=1)]],
        Meta(max_length=10_000),
    ]


def load_base_skills(folder: Path) -> dict[str, float]:
    """What the base model in ``folder`` solves of each cell; empty where nobody measured it."""
    try:
        with (folder / BASE_SKILLS).open("rb") as file:
            return msgspec.json.decode(file.read(_MOST_BYTES), type=_BaseSkills).cells
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError, msgspec.DecodeError) as error:
        _log.warning("Doing without what is known of the base in %s: %s", folder, error)
        return {}


class Skills:
    """The estimates of one model; pure but for what it observes."""

    def __init__(self, catalog: TaskCatalog, base: Mapping[str, float] | None = None) -> None:
        """``base``: shares solved before any practice, by cell, where they are known."""
        self._names = [cell_name(task, level) for task, level in catalog.cells()]
        self._kinds = [task.id for task in catalog.tasks]
        self.base = {name: share for name, share in (base or {}).items() if name in self._names}
        self.own: Cells = {}
        self.swarm: Cells = {}

    def restore(self, own: Cells, swarm: Cells) -> None:
        """Go on from what a checkpoint kept; cells that there are no longer are left out."""
        known = set(self._names)
        self.own = {name: cell for name, cell in own.items() if name in known}
        self.swarm = {name: cell for name, cell in swarm.items() if name in known}

    def observe(self, own: Sequence[ScoredGroup], received: Sequence[ScoredGroup]) -> None:
        """Remember how a round's groups went, own ones and those of others."""
        for scored in own:
            _count(self.own, scored, self.cell(scored.question.key.cell))
        for scored in received:
            _count(self.swarm, scored, self.swarm.get(scored.question.key.cell, _UNKNOWN))

    def cell(self, name: str) -> tuple[float, float]:
        """Right answers and tries, decayed; at first those of the base, if they are known."""
        if name in self.own:
            return self.own[name]
        return (self.base[name] * ENOUGH, ENOUGH) if name in self.base else _UNKNOWN

    def share(self, name: str) -> float | None:
        """Share solved of a cell; None where nobody knows."""
        right, tries = self.cell(name)
        return right / tries if tries else None

    def skill(self) -> float | None:
        """Mean over all cells of the share solved, in [0, 1]; what nobody knows is unsolved.

        None while some kind was not looked at: until then, it would rise by looking.
        """
        known = {name.partition("/")[0] for name in (*self.base, *self.own)}
        return fmean(self._shares()) if known.issuperset(self._kinds) else None

    def base_skill(self) -> float | None:
        """The same before any practice."""
        return sum(self.base.values()) / len(self._names) if self.base else None

    def swarm_skill(self) -> float | None:
        """``skill`` with the swarm's share in each cell that both know; None without any such.

        So the difference to ``skill`` comes from puzzles that both tried.
        """
        skill, both = self.skill(), self.swarm.keys() & self.own.keys()
        if skill is None or not both:
            return None
        ahead = (_share(self.swarm[name]) - _share(self.own[name]) for name in both)
        return skill + sum(ahead) / len(self._names)

    def _shares(self) -> Iterator[float]:
        for name in self._names:
            yield self.share(name) or 0.0


def _count(cells: Cells, scored: ScoredGroup, before: tuple[float, float]) -> None:
    right, tries = before
    rewards = scored.rewards
    cells[scored.question.key.cell] = (DECAY * right + sum(rewards), DECAY * tries + len(rewards))


def _share(cell: tuple[float, float]) -> float:
    right, tries = cell
    return right / tries
