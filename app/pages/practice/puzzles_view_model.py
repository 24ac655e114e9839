"""What the tab *Puzzles* says; pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from app.pages.practice.practised import missing, practised
from app.text.core_words import listed
from app.text.deck_words import deck_about, deck_counts, deck_title
from app.text.figures import figure, percent
from app.text.phrases import dotted
from core.api.decks import DecksShown, KeptDeck
from core.settings import Settings

translate = QCoreApplication.translate


@dataclass(frozen=True, slots=True)
class KindLine:
    """A kind that is built in."""

    task: str
    title: str
    facts: str
    is_on: bool


@dataclass(frozen=True, slots=True)
class DeckLine:
    """A deck."""

    task: str
    digest: str
    title: str
    about: str  # whose it is; may be empty
    facts: str
    is_on: bool
    is_only: bool  # nothing else is practised


@dataclass(frozen=True, slots=True)
class PuzzlesViewModel:
    """All that the list shows."""

    headline: str
    detail: str
    decks: tuple[DeckLine, ...] = ()
    built_in: tuple[KindLine, ...] = ()  # by title
    offers_all: bool = False  # to practise what is built in, all of it
    is_free: bool = True  # the person chooses; in a swarm on decks, the swarm did
    trouble: str = ""


def puzzles_view_model(shown: DecksShown | None, settings: Settings) -> PuzzlesViewModel:
    """Put ``shown`` in words; None: it is being looked up."""
    if shown is None:
        headline = translate("Practice", "What is practised")
        return PuzzlesViewModel(headline, translate("Practice", "Looking it up…"))
    chosen = practised(settings, shown)
    kinds = (
        KindLine(
            task=kind.task,
            title=listed(kind.title),
            facts=_facts((), kind.levels, kind.solved),
            is_on=kind.task in chosen,
        )
        for kind in shown.built_in
    )
    built_in = frozenset(kind.task for kind in shown.built_in)
    return PuzzlesViewModel(
        headline=_headline(shown, chosen),
        detail=_detail(shown),
        decks=tuple(_deck(deck, chosen) for deck in shown.decks),
        built_in=tuple(sorted(kinds, key=lambda kind: kind.title.casefold())),
        offers_all=chosen != built_in and not shown.swarm,
        is_free=not shown.swarm,
        trouble=_trouble(settings, shown),
    )


def _detail(shown: DecksShown) -> str:
    if not shown.swarm:
        return translate("Practice", "What you choose counts from the next start of practice.")
    words = translate(
        "Practice",
        "Your swarm, “{}”, practises puzzles of its own. You choose again once you are in another.",
    )
    return words.format(shown.swarm)


def _trouble(settings: Settings, shown: DecksShown) -> str:
    if not missing(settings, shown):
        return ""
    if shown.swarm:
        return translate(
            "Practice",
            "Puzzles of your swarm are not on this computer, so practice cannot begin. "
            "See them first on the page Swarm.",
        )
    return translate(
        "Practice",
        "A deck that is to be practised is not on this computer any more, so practice cannot "
        "begin. Add it again, or leave it out.",
    )


def _headline(shown: DecksShown, chosen: frozenset[str]) -> str:
    decks = [deck for deck in shown.decks if deck.task in chosen]
    if shown.swarm and len(decks) != 1:
        words = translate("Practice", "The puzzles of your swarm are practised: {}")
        return words.format(figure(len(decks)))
    others = len(chosen) - len(decks)
    if not decks:
        if others == len(shown.built_in):
            words = translate("Practice", "All {} built-in kinds are practised")
            return words.format(figure(others))
        words = translate("Practice", "Built-in kinds that are practised: {some} of {all}")
        return words.format(some=figure(others), all=figure(len(shown.built_in)))
    if len(chosen) == 1:
        words = translate("Practice", "Only “{}” is practised")
        return words.format(deck_title(decks[0].name))
    words = translate("Practice", "Practised: decks of your own: {decks}, built-in kinds: {kinds}")
    return words.format(decks=figure(len(decks)), kinds=figure(others))


def _deck(deck: KeptDeck, chosen: frozenset[str]) -> DeckLine:
    return DeckLine(
        task=deck.task,
        digest=deck.digest,
        title=deck_title(deck.name),
        about=deck_about(deck),
        facts=_facts(deck_counts(deck), deck.levels, deck.solved),
        is_on=deck.task in chosen,
        is_only=chosen == {deck.task},
    )


def _facts(counts: Sequence[str], levels: int, solved: float | None) -> str:
    said = [*counts, translate("Practice", "Levels: {}").format(levels)]
    if solved is not None:
        said.append(translate("Practice", "{} solved").format(percent(solved)))
    return dotted(said)
