"""What the window is told of a deck, be it kept or offered: whose it is, and what it asks."""

from typing import Final

from core.api.decks import SAMPLES, KeptDeck, SampleQuestion
from core.api.preview import ANSWER_LENGTH, QUESTION_LENGTH, cut
from core.decks.library import InstalledDeck
from core.decks.questions import DeckQuestions
from core.services.deck_preview import BETWEEN

_LOOKED_AT: Final = 4 * SAMPLES
"""Questions that are made at most to have some: a template may find no values."""


def told_of(installed: InstalledDeck, solved: float | None = None) -> KeptDeck:
    """All that a deck says of itself, and what is ``solved`` of it."""
    deck = installed.deck
    return KeptDeck(
        task=installed.task,
        digest=installed.digest,
        name=deck.name,
        author=deck.author,
        language=deck.language,
        licence=deck.licence,
        levels=len(deck.levels),
        cards=len(deck.cards),
        templates=len(deck.templates),
        solved=solved,
    )


def samples_of(installed: InstalledDeck) -> tuple[SampleQuestion, ...]:
    """Some of its questions with what is accepted, of all its levels in turn."""
    found: dict[str, SampleQuestion] = {}
    for level, asked in DeckQuestions(installed.deck, installed.digest).first(_LOOKED_AT):
        if asked.prompt not in found and len(found) < SAMPLES:
            found[asked.prompt] = SampleQuestion(
                level=level,
                question=cut(asked.prompt, QUESTION_LENGTH),
                answers=cut(BETWEEN.join(asked.answers), ANSWER_LENGTH),
            )
    return tuple(sorted(found.values(), key=lambda one: one.level))
