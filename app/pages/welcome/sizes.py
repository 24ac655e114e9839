"""Which model sizes the welcome offers, and what it says about them; pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from app.state.model_choices import ModelChoice
from app.text.core_words import listed
from app.text.figures import large, size
from app.text.model_words import fit
from app.text.phrases import dotted
from core.api.models import FitSeen, ListedModel

translate = QCoreApplication.translate

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


def at_hand(choices: Sequence[ModelChoice]) -> tuple[SizeOption, ...]:
    """The models on this computer, all that can be offered before the helper has answered."""
    return tuple(
        SizeOption(
            one.id,
            one.title,
            listed(one.sentence),
            dotted((_count(one.parameters), _offline())),
            is_here=True,
        )
        for one in choices
    )


def options(models: Sequence[ListedModel]) -> tuple[SizeOption, ...]:
    """All that can be trained or not, those that are here first, then by how well they fit."""
    ordered = sorted(models, key=lambda one: (not one.is_here, _order(one.fit)))
    return tuple(_option(one) for one in ordered)


def _option(one: ListedModel) -> SizeOption:
    missing = size(max(one.download - one.came_in, 0))
    fetch = translate("Sizes", "{size} to download").format(size=missing)
    too_large = one.fit is not None and one.fit.verdict == "too_large"
    return SizeOption(
        one.id,
        one.title,
        listed(one.sentence),
        dotted((_count(one.parameters), _verdict(one.fit), _offline() if one.is_here else fetch)),
        is_here=one.is_here,
        reason=_reason(one),
        may_be_chosen=one.is_here or not (too_large or one.gated),
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
    if one.gated and not one.is_here:
        reasons.append(translate("Sizes", "Its licence has to be accepted first: see Models."))
    return " ".join(reasons)


def _order(seen: FitSeen | None) -> int:
    return len(_ORDER) if seen is None else _ORDER[seen.verdict]


def _count(number: int) -> str:
    """Of parameters, for who never heard of such; nothing where it is not known."""
    return translate("Sizes", "made of {} numbers").format(large(number)) if number else ""


def _offline() -> str:
    return translate("Sizes", "works offline")
