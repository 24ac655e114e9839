"""Milestones in words, those of the past and those ahead; pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never

from PySide6.QtCore import QCoreApplication

from app.pages.contribution.units import count
from app.text.moments import full_day
from core.api.contribution import Milestone

translate = QCoreApplication.translate

MOST_REACHED = 6
"""Listed of the past."""


@dataclass(frozen=True, slots=True)
class MilestoneStep:
    """One milestone."""

    words: str
    note: str  # when it was reached, or how far it is
    share: float  # of the way, in [0, 1]; 1 is reached


def reached(milestones: Sequence[Milestone]) -> tuple[MilestoneStep, ...]:
    """Those of the past, the newest first, ``MOST_REACHED`` at most."""
    dated = [(one.reached, one.goal, one) for one in milestones if one.reached is not None]
    newest = sorted(dated, key=lambda entry: entry[:2], reverse=True)[:MOST_REACHED]
    return tuple(MilestoneStep(_words(one), full_day(day), 1.0) for day, _, one in newest)


def ahead(milestones: Sequence[Milestone]) -> tuple[MilestoneStep, ...]:
    """The next one of each kind, the nearest first."""
    said = translate("Contribution", "{have} of {goal}")
    steps = [
        MilestoneStep(
            _words(one),
            said.format(have=count(one.have), goal=count(one.goal)),
            min(1.0, one.have / max(1, one.goal)),
        )
        for one in milestones
        if one.reached is None
    ]
    return tuple(sorted(steps, key=lambda step: step.share, reverse=True))


def _words(milestone: Milestone) -> str:
    goal = count(milestone.goal)
    match milestone.kind:
        case "rounds":
            if milestone.goal == 1:
                return translate("Contribution", "The first round")
            return translate("Contribution", "{} rounds").format(goal)
        case "hours":
            return translate("Contribution", "{} hours of practice").format(goal)
        case "streak":
            return translate("Contribution", "{} days in a row").format(goal)
        case "learners":
            if milestone.goal == 1:
                return translate("Contribution", "The first other helped")
            return translate("Contribution", "{} others helped").format(goal)
        case _:
            assert_never(milestone.kind)
