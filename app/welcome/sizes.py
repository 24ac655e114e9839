"""Which model sizes the welcome offers, and what it says about them; pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from app.core_words import listed
from app.model_choices import ModelChoice
from app.models.words import fit, parameters, size
from core.engine.desk.models import FitSeen, ListedModel

translate = QCoreApplication.translate

_HERE = ("ships", "installed")
_ORDER = {"fits": 0, "tight": 1, "too_large": 2}


@dataclass(frozen=True, slots=True)
class SizeOption:
    """One model to choose."""

    id: str
    title: str
    sentence: str
    facts: str  # its size, whether it fits, what has to be fetched
    is_here: bool  # no download
    reason: str = ""  # what is against it, with figures
    may_be_chosen: bool = True


def starters(choices: Sequence[ModelChoice]) -> tuple[SizeOption, ...]:
    """What can be offered before anything is looked up: models that come with Waggle."""
    return tuple(
        SizeOption(
            one.id,
            one.title,
            listed(one.sentence),
            _joined(parameters(one.parameters), _offline()),
            is_here=True,
        )
        for one in choices
    )


def options(listed: Sequence[ListedModel]) -> tuple[SizeOption, ...]:
    """All that can be trained or not, those that are here first, then by how well they fit."""
    ordered = sorted(listed, key=lambda one: (one.presence not in _HERE, _order(one.fit)))
    return tuple(_option(one) for one in ordered)


def _option(one: ListedModel) -> SizeOption:
    is_here = one.presence in _HERE
    missing = size(max(one.download - one.came_in, 0))
    fetch = translate("Sizes", "{size} to fetch").format(size=missing)
    too_large = one.fit is not None and one.fit.verdict == "too_large"
    return SizeOption(
        one.id,
        one.title,
        listed(one.sentence),
        _joined(parameters(one.parameters), _verdict(one.fit), _offline() if is_here else fetch),
        is_here=is_here,
        reason=_reason(one),
        may_be_chosen=is_here or not (too_large or one.gated),
    )


def _verdict(seen: FitSeen | None) -> str:
    if seen is None:
        return ""
    return {
        "fits": translate("Sizes", "fits"),
        "tight": translate("Sizes", "tight"),
        "too_large": translate("Sizes", "too large"),
    }[seen.verdict]


def _reason(one: ListedModel) -> str:
    reasons = []
    if one.fit is not None and one.fit.verdict != "fits":
        reasons.append(fit(one.fit))
    if one.gated and one.presence not in _HERE:
        reasons.append(translate("Sizes", "Its licence has to be accepted first: see Models."))
    return " ".join(reasons)


def _order(fit: FitSeen | None) -> int:
    return len(_ORDER) if fit is None else _ORDER[fit.verdict]


def _offline() -> str:
    return translate("Sizes", "works offline")


def _joined(*facts: str) -> str:
    return "  ·  ".join(fact for fact in facts if fact)
