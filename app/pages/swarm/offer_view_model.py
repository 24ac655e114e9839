"""What is said of decks that others practise, before the person agrees to them; pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from app.text.deck_words import deck_counts, deck_title, finding_words
from app.text.phrases import dotted, labelled, names
from app.text.plain_text import breakable, harmless, legible
from core.api.decks import NAME_LENGTH, DeckOffered, SampleQuestion
from core.api.swarm import InviteShown

translate = QCoreApplication.translate

_LONGEST_FINDING = 2_000


@dataclass(frozen=True, slots=True)
class OfferLine:
    """A deck."""

    title: str
    about: str  # whose it is and what may be done with it, below each other
    facts: str
    findings: tuple[tuple[str, bool], ...]  # words, and whether they stand in the way
    questions: tuple[SampleQuestion, ...]


@dataclass(frozen=True, slots=True)
class OfferViewModel:
    """All that the view shows of what was fetched."""

    headline: str
    detail: str
    decks: tuple[OfferLine, ...]
    trouble: str  # why nobody can agree; empty: they can


def offer_view_model(invite: InviteShown, offered: Sequence[DeckOffered]) -> OfferViewModel:
    """Put in words what came of the decks of ``invite`` so far."""
    return OfferViewModel(
        headline=translate("Swarm", "What “{}” practises").format(invite.swarm.name),
        detail=translate(
            "Swarm",
            "Your model would learn from these puzzles, which others made, and from nothing else. "
            "Look at them first: nothing is kept before you agree.",
        ),
        decks=tuple(map(_line, offered)),
        trouble=_trouble(offered),
    )


def _line(offered: DeckOffered) -> OfferLine:
    deck = offered.deck
    about = (
        (translate("Swarm", "Author"), deck.author),
        (translate("Swarm", "Licence"), deck.licence),
        (translate("Swarm", "Language"), deck.language),
    )
    return OfferLine(
        title=deck_title(deck.name),
        about="\n".join(labelled(name, _said(words)) for name, words in about),
        facts=dotted(
            (*deck_counts(deck), translate("Practice", "Levels: {}").format(deck.levels)),
        ),
        findings=tuple(
            (breakable(harmless(finding_words(one), _LONGEST_FINDING)), one.is_error)
            for one in offered.findings
        ),
        questions=offered.questions,
    )


def _said(words: str) -> str:
    return legible(words, NAME_LENGTH) or translate("Swarm", "not said")


def _trouble(offered: Sequence[DeckOffered]) -> str:
    bad = [one for one in offered if any(finding.is_error for finding in one.findings)]
    if not bad:
        return ""
    words = translate(
        "Swarm",
        "This cannot be practised, because of what has to be mended first: {}. "
        "Ask whoever invited you.",
    )
    return words.format(names(deck_title(one.deck.name) for one in bad))
