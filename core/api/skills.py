"""Request and reply about skills: what share of each kind of puzzle, at each level, is solved."""

from typing import Annotated, Final

import msgspec
from msgspec import Meta

from core.api.models import ModelName
from core.api.practice import MOST_KINDS, Scope
from core.api.preview import MOST_LEVELS, Count, PuzzleTask, PuzzleTitle, Share
from core.api.requests import Reply, Request

AHEAD: Final = 0.05
"""By how much the swarm has to solve more before that is pointed out; less is chance."""


class ShowSkills(Request, frozen=True, tag="show_skills"):
    """Look up what ``model``, as last saved, can do; answered by ``SkillsShown``."""

    model: ModelName


class CellSkill(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Shares solved of one kind at one level; None where nothing is known."""

    base: Share | None = None  # by the base model, before any practice
    now: Share | None = None
    swarm: Share | None = None  # by others, as judged here; None, too, where little was heard
    tries: Annotated[float, Meta(ge=0, le=1e9)] = 0.0  # own, decayed, that ``now`` rests on
    is_open: bool = False  # it is practised at present


class KindSkill(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One kind of puzzle."""

    task: PuzzleTask
    title: PuzzleTitle
    cells: Annotated[tuple[CellSkill, ...], Meta(max_length=MOST_LEVELS)]  # level 1 first


class SkillsShown(Reply, frozen=True, tag="skills_shown"):
    """What ``model`` can do; shares of all puzzles in ``scope``, over kinds and levels alike."""

    model: ModelName
    round: Count  # rounds practised; 0: not at all
    kinds: Annotated[tuple[KindSkill, ...], Meta(max_length=MOST_KINDS)]
    skill: Share | None = None  # None: not every kind was looked at yet
    swarm_skill: Share | None = None  # None: no cell is known of both
    base_skill: Share | None = None  # None: it was not measured
    scope: Scope | None = None  # what the shares are of; None: of all that is built in
    taught: Annotated[int, Meta(ge=0, le=MOST_KINDS)] = 0  # kinds that others taught it
