"""The skill map in words and figures, decided from the helper's reply; pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QCoreApplication

from app.text.core_words import listed
from app.text.figures import figure, percent
from app.text.model_words import rounds
from core.api.skills import AHEAD, CellSkill, KindSkill, SkillsShown

translate = QCoreApplication.translate

HALF: Final = 0.5


@dataclass(frozen=True, slots=True)
class MapCell:
    """One kind of puzzle at one level."""

    task: str
    level: int
    title: str  # of the kind and the level
    now: float | None  # share solved; None: unknown
    base: float | None  # before any practice
    is_open: bool
    is_swarm_ahead: bool
    words: tuple[str, ...]  # what is known of it, a sentence each

    @property
    def number(self) -> str:
        """The share as it stands in the cell, in per cent."""
        return "" if self.now is None else f"{100 * self.now:.0f}"


@dataclass(frozen=True, slots=True)
class MapRow:
    """One kind of puzzle."""

    task: str
    title: str
    cells: tuple[MapCell, ...]  # level 1 first


@dataclass(frozen=True, slots=True)
class SkillMapModel:
    """All that is drawn and said."""

    headline: str
    compared: str = ""  # with base and swarm; empty: there is nothing to compare with
    detail: str = ""
    rows: tuple[MapRow, ...] = ()  # none: nothing is known
    offers_home: bool = False  # where practice begins

    @property
    def levels(self) -> int:
        """Most levels of a kind."""
        return max((len(row.cells) for row in self.rows), default=0)


def skill_map_model(
    shown: SkillsShown | None, title: str, order: Sequence[str] = ()
) -> SkillMapModel:
    """Put ``shown``, of the model called ``title``, in words; None: it is being looked up.

    What is solved best stands first, so that a frontier runs across the map, from what is mastered
    to what is still to be learnt. Kinds of ``order`` keep that order, whatever changed: nothing
    jumps away from who looks at it.
    """
    if shown is None or not _is_anything_known(shown):
        return _empty(title, is_looked_up=shown is not None)
    places = {task: place for place, task in enumerate(order)}
    kinds = sorted(shown.kinds, key=lambda kind: (places.get(kind.task, len(places)), _rank(kind)))
    return SkillMapModel(
        headline=_headline(shown, title),
        compared=_compared(shown),
        detail=_detail(shown),
        rows=tuple(_row(kind) for kind in kinds),
    )


def _empty(title: str, *, is_looked_up: bool) -> SkillMapModel:
    headline = translate("Practice", "What can {} do?").format(title)
    if not is_looked_up:
        return SkillMapModel(headline, detail=translate("Practice", "Looking it up…"))
    words = translate(
        "Practice",
        "Nothing is known of it yet. Join on Home: what it solves appears here, kind by kind and "
        "level by level.",
    )
    return SkillMapModel(headline, detail=words, offers_home=True)


def _is_anything_known(shown: SkillsShown) -> bool:
    """Some cell has a share of its own, or of the base model's."""
    return any(cell.now is not None or cell.base is not None for cell in _cells(shown))


def _headline(shown: SkillsShown, title: str) -> str:
    if shown.skill is None:
        return translate("Practice", "What {} solves so far").format(title)
    words = (
        translate("Practice", "{model} solves {now} of all puzzles")
        if shown.scope is None
        else translate("Practice", "{model} solves {now} of what it practises")
    )
    return words.format(model=title, now=percent(shown.skill))


def _compared(shown: SkillsShown) -> str:
    base, swarm = shown.base_skill, shown.swarm_skill
    if base is not None and swarm is not None:
        return translate("Practice", "Before practice {base}, the swarm {swarm}").format(
            base=percent(base), swarm=percent(swarm)
        )
    if base is not None:
        return translate("Practice", "Before practice {base}").format(base=percent(base))
    if swarm is not None:
        return translate("Practice", "The swarm {swarm}").format(swarm=percent(swarm))
    return ""


def _detail(shown: SkillsShown) -> str:
    cells = _cells(shown)
    solved = sum(cell.now is not None and cell.now >= HALF for cell in cells)
    many = translate(
        "Practice",
        "{kinds} kinds of puzzles at {cells} levels. Solved more often than not: {solved}, "
        "after {rounds}.",
    )
    one = translate(
        "Practice", "Levels: {cells}. Solved more often than not: {solved}, after {rounds}."
    )
    return (many if len(shown.kinds) > 1 else one).format(
        kinds=figure(len(shown.kinds)),
        cells=figure(len(cells)),
        solved=figure(solved),
        rounds=rounds(shown.round),
    )


def _cells(shown: SkillsShown) -> list[CellSkill]:
    return [cell for kind in shown.kinds for cell in kind.cells]


def _rank(kind: KindSkill) -> tuple[float, str]:
    """By the share that is solved of all levels; where it is alike, by name."""
    solved = sum(cell.now or 0.0 for cell in kind.cells)
    return -solved / max(1, len(kind.cells)), listed(kind.title)


def _row(kind: KindSkill) -> MapRow:
    title = listed(kind.title)
    cells = (_cell(kind.task, title, level, cell) for level, cell in enumerate(kind.cells, start=1))
    return MapRow(kind.task, title, tuple(cells))


def _cell(task: str, title: str, level: int, cell: CellSkill) -> MapCell:
    ahead = cell.swarm is not None and cell.swarm >= (cell.now or 0.0) + AHEAD
    named = translate("Practice", "{kind}, level {level}").format(kind=title, level=level)
    return MapCell(
        task, level, named, cell.now, cell.base, cell.is_open, ahead, tuple(_words(cell))
    )


def _words(cell: CellSkill) -> list[str]:
    said = []
    if cell.now is None:
        said.append(translate("Practice", "Never tried so far."))
    elif cell.tries > 0:
        said.append(translate("Practice", "Your model solves {}.").format(percent(cell.now)))
    if cell.base is not None:
        said.append(translate("Practice", "Before practice: {}.").format(percent(cell.base)))
    if cell.swarm is not None:
        said.append(translate("Practice", "The swarm: {}.").format(percent(cell.swarm)))
    if not cell.is_open:
        said.append(translate("Practice", "Not practised at present."))
    return said
