"""What the page *Contribution* shows, decided from the helper's answer; pure, draws nothing."""

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from app.pages.contribution.steps import MilestoneStep, ahead, reached
from app.pages.contribution.totals import Tile, tiles
from app.pages.contribution.units import count, duration
from app.text.core_words import taught_words
from app.text.moments import full_day
from core.api.contribution import ContributionShown

translate = QCoreApplication.translate


@dataclass(frozen=True, slots=True)
class ContributionViewModel:
    """All that the page draws, save the chart's columns."""

    headline: str
    compared: str  # empty while there is nothing
    detail: str
    tiles: tuple[Tile, ...]  # none while there are no figures
    reached: tuple[MilestoneStep, ...]  # the newest first
    ahead: tuple[MilestoneStep, ...]  # the nearest first


def contribution_view_model(shown: ContributionShown | None) -> ContributionViewModel:
    """Put what the helper found in words; None is before its first answer."""
    if shown is None:
        detail = translate("Contribution", "Looking up what was practised here…")
        return ContributionViewModel(
            translate("Contribution", "Your contribution"), "", detail, (), (), ()
        )
    if shown.totals.rounds == 0:
        return _nothing_yet()
    return ContributionViewModel(
        headline=_headline(shown),
        compared=" ".join(
            part for part in (_helped(shown.learners), taught_words(shown.taught)) if part
        ),
        detail=_detail(shown),
        tiles=tiles(shown),
        reached=reached(shown.milestones),
        ahead=ahead(shown.milestones),
    )


def _headline(shown: ContributionShown) -> str:
    """The one sentence."""
    time = duration(shown.totals.seconds)
    if shown.active_days == 1:
        return translate("Contribution", "You practised {} on one day.").format(time)
    said = translate("Contribution", "You practised {time} on {days} days.")
    return said.format(time=time, days=count(shown.active_days))


def _helped(learners: int | None) -> str:
    """Who learnt from here, by their own word; empty where nobody said so."""
    if not learners:
        return ""
    if learners == 1:
        return translate("Contribution", "Your model's tries helped 1 other.")
    return translate("Contribution", "Your model's tries helped {} others.").format(count(learners))


def _nothing_yet() -> ContributionViewModel:
    return ContributionViewModel(
        headline=translate("Contribution", "Nothing practised yet."),
        compared="",
        detail=translate(
            "Contribution",
            "From the first round on, what your computer contributes is counted here: rounds, "
            "hours, puzzles, and whom it helped.",
        ),
        tiles=(),
        reached=(),
        ahead=(),
    )


def _detail(shown: ContributionShown) -> str:
    if shown.first_day is None:
        return ""
    since = translate(
        "Contribution", "Counted since {}, all models together. Nothing here earns money."
    )
    return since.format(full_day(shown.first_day))
