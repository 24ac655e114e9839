"""The totals as tiles: what is known in figures, what is not in words; pure."""

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from app.pages.contribution.units import count, duration
from app.text.figures import percent
from core.api.contribution import ContributionShown, Figures

translate = QCoreApplication.translate


@dataclass(frozen=True, slots=True)
class Tile:
    """One total."""

    title: str
    value: str
    note: str


def tiles(shown: ContributionShown) -> tuple[Tile, ...]:
    """The totals, in reading order; there is at least one round."""
    totals, today = shown.totals, _today(shown)
    return (
        Tile(
            translate("Contribution", "Practised"),
            duration(totals.seconds),
            _so_far_today(duration(today.seconds) if today.rounds else ""),
        ),
        Tile(
            translate("Contribution", "Rounds"),
            count(totals.rounds),
            _so_far_today(count(today.rounds) if today.rounds else ""),
        ),
        *_puzzle_tiles(totals, today),
        Tile(
            translate("Contribution", "Tokens written"),
            count(totals.tokens),
            translate("Contribution", "pieces of text"),
        ),
        _shared_tile(totals),
        _helped_tile(shown),
        Tile(
            translate("Contribution", "Days in a row"),
            count(shown.streak),
            translate("Contribution", "longest: {}").format(count(shown.longest_streak)),
        ),
    )


def _today(shown: ContributionShown) -> Figures:
    return next((day for day in shown.days if day.day == shown.today), Figures())


def _so_far_today(words: str) -> str:
    if not words:
        return translate("Contribution", "none today")
    return translate("Contribution", "{} today").format(words)


def _puzzle_tiles(totals: Figures, today: Figures) -> tuple[Tile, Tile]:
    tried, solved = (
        translate("Contribution", "Puzzle tries"),
        translate("Contribution", "Right answers"),
    )
    if totals.uncounted == totals.rounds:
        return _unknown(tried), _unknown(solved)
    share = translate("Contribution", "{} of the tries")
    note = _missing(totals) or _so_far_today(count(today.answers) if today.answers else "")
    return (
        Tile(tried, count(totals.answers), note),
        Tile(
            solved,
            count(totals.solved),
            share.format(percent(totals.solved / max(1, totals.answers))),
        ),
    )


def _missing(totals: Figures) -> str:
    """Older releases did not count what came of a round."""
    if totals.uncounted == 0:
        return ""
    if totals.uncounted == 1:
        return translate("Contribution", "without 1 early round")
    said = translate("Contribution", "without {} early rounds")
    return said.format(count(totals.uncounted))


def _shared_tile(totals: Figures) -> Tile:
    title = translate("Contribution", "Puzzles shared")
    if totals.uncounted == totals.rounds:
        return _unknown(title)
    if totals.shared == 0:
        return Tile(title, count(0), translate("Contribution", "nobody else was there yet"))
    return Tile(title, count(totals.shared), translate("Contribution", "with all tries at them"))


def _helped_tile(shown: ContributionShown) -> Tile:
    title = translate("Contribution", "Others helped")
    if shown.learners is None:
        return Tile(title, _not_known(), translate("Contribution", "in no swarm so far"))
    if shown.learners == 0:
        return Tile(title, count(0), translate("Contribution", "nobody said so yet"))
    if shown.thanks == 1:
        return Tile(title, count(shown.learners), translate("Contribution", "1 thank-you"))
    said = translate("Contribution", "{} thank-yous").format(count(shown.thanks))
    return Tile(title, count(shown.learners), said)


def _unknown(title: str) -> Tile:
    return Tile(title, _not_known(), translate("Contribution", "counted from now on"))


def _not_known() -> str:
    return translate("Contribution", "Not known yet")
