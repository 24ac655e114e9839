"""How much of each cell a model solves: one kind of puzzle at one level.

Estimated from recent tries in practice: of each cell a decayed share of right answers is kept, of
own ones and of what others sent, as judged here. The base model's shares come with the starters,
which were measured before they were shipped; of other models nothing is known at the beginning.
"""

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from statistics import fmean
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from core.engine.ports import Progress
from core.rollouts.prior import BetaPrior
from core.rollouts.probing import PROBE, is_large_enough
from core.rollouts.types import (
    Cells,
    Question,
    ScoredGroup,
    TaskId,
    cell_name,
    expected_share,
    site_of,
)
from core.storage.files import read_bounded
from core.tasks.catalog import TaskCatalog

DECAY: Final = 0.9
"""What a group still counts after the next one of its cell: some ten groups tell."""

ENOUGH: Final = 16.0
"""Tries, decayed, before a share is believed; what the base's share counts for."""

OPENS: Final = 0.7
CLOSES: Final = 0.4
"""Shares solved at which the next level opens, and below which it closes again."""

HEARD: Final = ENOUGH / 2
"""Tries of others, decayed, before their share of a cell is shown by itself."""

ALIKE: Final = 2.0
"""Groups that the belief counts for that the questions of a cell are equally hard."""

AT_LENGTH: Final = 1.5 * ENOUGH
"""Tries, decayed, of a cell that practice stays at though it is mastered."""

GROUPS_AT_LENGTH: Final = 0.9 / (1 - DECAY)
"""The same in groups: of two tries each, too few are ever remembered for ``AT_LENGTH``."""

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
        self.disagreement: Cells = {}
        """How often two first answers to one question of a cell differed, and groups; decayed."""
        self.reached = {name.partition("/")[0] for name in self.base}
        """Kinds of which is known how far the model gets; none is lost again."""

    def restore(self, kept: Progress) -> None:
        """Go on from what a checkpoint kept; cells that are not practised now wait meanwhile."""
        self.own, self.swarm = dict(kept.cells), dict(kept.swarm_cells)
        self.disagreement = dict(kept.disagreement)
        self.reached |= set(kept.reached)
        self.reached |= {kind for kind in self._kinds if self._is_reach_known(kind)}

    def observe(self, own: Sequence[ScoredGroup], received: Sequence[ScoredGroup]) -> None:
        """Remember how a round's groups went, own ones and those of others.

        Of own ones that were gone on with after a probe, ``own`` has the probe's answers alone. Of
        larger groups of others come only those that they went on with after their first answers:
        these answers would make a hard cell look solved, and an easy one unsolved, so they are left
        out. A site has one say about a cell in a round, or a loud one would have all of it.
        """
        for scored in own:
            key = scored.question.key
            self.own[key.cell] = _after(self.cell(key.cell), scored.rewards)
            differ = [_differing(scored.rewards[:PROBE])]  # later ones are of chosen groups alone
            self.disagreement[key.cell] = _after(self.disagreement.get(key.cell, _UNKNOWN), differ)
            if key.task in self._kinds and self._is_reach_known(key.task):
                self.reached.add(key.task)
        told = set[tuple[str, str]]()
        for scored in received:
            name, rewards = scored.question.key.cell, scored.rewards
            later = rewards[PROBE:] if is_large_enough(len(rewards)) else rewards
            teller = (site_of(scored.group), name)
            if later and teller not in told:
                told.add(teller)
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

    def variance(self, name: str) -> float:
        """Expected variance of a try at one question of a cell, in [0, 1/4].

        That of a try at any question of it, p(1 - p), is the most it can be; it is less where some
        questions are always solved and others never, as two answers to the same one tell.
        """
        share = expected_share(self.cell(name))
        differing, groups = self.disagreement.get(name, _UNKNOWN)
        within = differing / 2  # two independent tries differ with probability 2q(1 - q)
        return (ALIKE * share * (1 - share) + within) / (ALIKE + groups)

    def prior(self, name: str) -> BetaPrior:
        """Of the share of right answers to one question of a cell."""
        return BetaPrior.of_cell(expected_share(self.cell(name)), self.variance(name))

    def with_priors(self, own: Sequence[ScoredGroup]) -> list[ScoredGroup]:
        """The groups of a round, each beside what was expected of its question, if it may be.

        Not where little is known of its cell. Nor of the cards of a deck, any of whose keys may be
        wrong: that others are solved would teach to unlearn the answer to such a one for ever.
        """
        return [replace(one, prior=self._expected(one.question)) for one in own]

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
        return len(self.reached & self._kinds.keys()) / len(self._kinds)

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

    def _expected(self, question: Question) -> BetaPrior | None:
        _, tries = self.cell(question.key.cell)
        is_unsure = tries < ENOUGH or bool(question.lesson)
        return None if is_unsure else self.prior(question.key.cell)

    def _is_reach_known(self, kind: TaskId) -> bool:
        hardest = len(self._kinds[kind])
        levels = range(1, hardest + 1)
        return any(self._is_end(cell_name(kind, n), is_last=n == hardest) for n in levels)

    def _is_end(self, name: str, *, is_last: bool) -> bool:
        right, tries = self.own.get(name, _UNKNOWN)
        _, groups = self.disagreement.get(name, _UNKNOWN)
        goes_on = right >= OPENS * tries and not is_last
        is_at_length = tries >= AT_LENGTH or groups >= GROUPS_AT_LENGTH
        return right < CLOSES * tries or (is_at_length if goes_on else tries >= ENOUGH)

    def _shares(self) -> Iterator[float]:
        for name in self._names:
            yield self.share(name) or 0.0


def _after(before: tuple[float, float], rewards: Sequence[float]) -> tuple[float, float]:
    """Right answers and tries once a group with ``rewards`` came to those ``before``."""
    right, tries = before
    return DECAY * right + sum(rewards), DECAY * tries + len(rewards)


def _differing(rewards: Sequence[float]) -> float:
    """Mean difference of two rewards; 0 where there is one."""
    pairs = [abs(a - b) for a, b in combinations(rewards, 2)]
    return fmean(pairs) if pairs else 0.0


def _share(cell: tuple[float, float]) -> float:
    right, tries = cell
    return right / tries
