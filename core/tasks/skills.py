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

from core.rollouts.probing import PROBE
from core.rollouts.types import Cells, ScoredGroup, TaskId, cell_name
from core.storage.files import read_bounded
from core.tasks.catalog import TaskCatalog

DECAY: Final = 0.9
"""What a group still counts after the next one of its cell: some ten groups tell."""

ENOUGH: Final = 16.0
"""Tries, decayed, before a share is believed; what the base's share counts for."""

OPENS: Final = 0.7
CLOSES: Final = 0.4
"""Shares solved at which the next level opens, and below which it closes again."""

AT_LENGTH: Final = 1.5 * ENOUGH
"""Tries, decayed, of a cell that practice stays at though it is mastered."""

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
        data = read_bounded(folder / BASE_SKILLS, _MOST_BYTES)
        return msgspec.json.decode(data, type=_BaseSkills).cells
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:  # whatever stands there instead
        _log.warning("Doing without what is known of the base in %s: %s", folder, error)
        return {}


class Skills:
    """The estimates of one model; pure but for what it observes."""

    def __init__(self, catalog: TaskCatalog, base: Mapping[str, float] | None = None) -> None:
        """``base``: shares solved before any practice, by cell, where they are known."""
        self._names = [cell_name(task, level) for task, level in catalog.cells()]
        self._kinds = {task.id: task.levels for task in catalog.tasks}
        self.base = {name: share for name, share in (base or {}).items() if name in self._names}
        self.own: Cells = {}
        self.swarm: Cells = {}
        self._reached = {name.partition("/")[0] for name in self.base}  # kinds, never lost again

    def restore(self, own: Cells, swarm: Cells) -> None:
        """Go on from what a checkpoint kept; cells that are not practised now wait meanwhile."""
        self.own, self.swarm = dict(own), dict(swarm)
        self._reached |= {kind for kind in self._kinds if self._is_reach_known(kind)}

    def observe(self, own: Sequence[ScoredGroup], received: Sequence[ScoredGroup]) -> None:
        """Remember how a round's groups went, own ones and those of others.

        Of others come only the groups that they went on with after their first answers: those
        answers would make a hard cell look solved, and an easy one unsolved, so they are left out.
        """
        for scored in own:
            key = scored.question.key
            self.own[key.cell] = _after(self.cell(key.cell), scored.rewards)
            if key.task in self._kinds and self._is_reach_known(key.task):
                self._reached.add(key.task)
        for scored in received:
            name, later = scored.question.key.cell, scored.rewards[PROBE:]
            if later:
                self.swarm[name] = _after(self.swarm.get(name, _UNKNOWN), later)

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

        None while ``looked_at`` is below 1: until then, it would rise by looking.
        """
        return fmean(self._shares()) if self.looked_at() == 1 else None

    def looked_at(self) -> float:
        """Share of the kinds of which is known how far the model gets, in [0, 1].

        Known by what its base was measured to solve, or by own tries: levels open one after the
        other, until one is not mastered, is the last, or is practised at length all the same.
        """
        return len(self._reached) / len(self._kinds)

    def base_skill(self) -> float | None:
        """The same as ``skill`` before any practice; None unless all kinds were measured."""
        kinds = {name.partition("/")[0] for name in self.base}
        return sum(self.base.values()) / len(self._names) if kinds == self._kinds.keys() else None

    def swarm_skill(self) -> float | None:
        """``skill`` with the swarm's share in each cell that both know; None without any such.

        So the difference to ``skill`` comes from puzzles that both tried.
        """
        skill = self.skill()
        both = [name for name in self._names if name in self.swarm and name in self.own]
        if skill is None or not both:
            return None
        ahead = (_share(self.swarm[name]) - _share(self.own[name]) for name in both)
        return skill + sum(ahead) / len(self._names)

    def _is_reach_known(self, kind: TaskId) -> bool:
        hardest = len(self._kinds[kind])
        levels = range(1, hardest + 1)
        return any(self._is_end(cell_name(kind, n), is_last=n == hardest) for n in levels)

    def _is_end(self, name: str, *, is_last: bool) -> bool:
        right, tries = self.own.get(name, _UNKNOWN)
        goes_on = right >= OPENS * tries and not is_last
        return right < CLOSES * tries or tries >= (AT_LENGTH if goes_on else ENOUGH)

    def _shares(self) -> Iterator[float]:
        for name in self._names:
            yield self.share(name) or 0.0


def _after(before: tuple[float, float], rewards: Sequence[float]) -> tuple[float, float]:
    """Right answers and tries once a group with ``rewards`` came to those ``before``."""
    right, tries = before
    return DECAY * right + sum(rewards), DECAY * tries + len(rewards)


def _share(cell: tuple[float, float]) -> float:
    right, tries = cell
    return right / tries
