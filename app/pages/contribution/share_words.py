"""What the picture for sharing says: key figures and a made-up name, nothing that is private."""

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from app.pages.contribution.columns import SPANS, columns
from app.pages.contribution.units import count, duration
from app.text.moments import full_day
from app.text.phrases import labelled, series
from core.api.contribution import ContributionShown

translate = QCoreApplication.translate


@dataclass(frozen=True, slots=True)
class ShareWords:
    """All that the picture draws."""

    name: str  # made up by Waggle; empty where there is none yet
    headline: str
    helped: str  # empty where nobody said so
    figures: tuple[tuple[str, str], ...]  # value, title
    footer: str
    heights: tuple[float, ...]  # of the last days' bars, in [0, 1]

    @property
    def spoken(self) -> str:
        """The same for a screen reader."""
        figures = series(labelled(title, value) for value, title in self.figures)
        return " ".join(part for part in (self.name, self.headline, self.helped, figures) if part)


def share_words(shown: ContributionShown) -> ShareWords:
    """Choose from ``shown``; figures that are not known are left out."""
    totals = shown.totals
    figures = [(count(totals.rounds), translate("Contribution", "Rounds"))]
    if totals.answers:
        figures.append((count(totals.answers), translate("Contribution", "Puzzle tries")))
        figures.append((count(totals.solved), translate("Contribution", "Right answers")))
    figures.append((count(totals.tokens), translate("Contribution", "Tokens written")))
    days = columns(shown.days, shown.today, SPANS[0])
    longest = max(column.seconds for column in days)
    return ShareWords(
        name=shown.name,
        headline=_headline(shown),
        helped=_helped(shown.learners or 0),
        figures=tuple(figures),
        footer=translate("Contribution", "Training small language models together. {}").format(
            full_day(shown.today)
        ),
        heights=tuple(column.seconds / longest if longest else 0.0 for column in days),
    )


def _headline(shown: ContributionShown) -> str:
    time = duration(shown.totals.seconds)
    if shown.active_days == 1:
        return translate("Contribution", "{} of practice on one day").format(time)
    said = translate("Contribution", "{time} of practice on {days} days")
    return said.format(time=time, days=count(shown.active_days))


def _helped(learners: int) -> str:
    if learners == 0:
        return ""
    if learners == 1:
        return translate("Contribution", "Helped 1 other to learn.")
    return translate("Contribution", "Helped {} others to learn.").format(count(learners))
