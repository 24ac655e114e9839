"""What is said of a deck, kept or offered, and of what is wrong with it; pure."""

from collections.abc import Mapping
from typing import Final, get_args

from msgspec.structs import replace
from PySide6.QtCore import QCoreApplication

from app.text.core_words import spoken
from app.text.figures import figure
from app.text.phrases import dotted, labelled, names
from app.text.plain_text import legible
from core.api.decks import NAME_LENGTH, DeckMatcher, KeptDeck, PreviewFinding
from core.i18n import Remark, Remarks, retold

translate = QCoreApplication.translate

MATCHERS: Final[tuple[DeckMatcher, ...]] = get_args(DeckMatcher)


def deck_title(name: str) -> str:
    """The name of a deck, whoever gave it."""
    return legible(name, NAME_LENGTH)


def deck_about(deck: KeptDeck) -> str:
    """Whose it is; may be empty."""
    return dotted(legible(part, NAME_LENGTH) for part in (deck.author, deck.language, deck.licence))


def deck_counts(deck: KeptDeck) -> list[str]:
    """How many questions it has, and templates that make some."""
    counts = []
    if deck.cards:
        counts.append(translate("Practice", "Questions: {}").format(figure(deck.cards)))
    if deck.templates:
        words = translate("Practice", "Templates, each of which makes many: {}")
        counts.append(words.format(figure(deck.templates)))
    return counts


def matcher_title(matcher: DeckMatcher) -> str:
    """How answers are compared."""
    titles: Mapping[DeckMatcher, str] = {
        "text": translate("Practice", "Letter for letter"),
        "caseless": translate("Practice", "Capitals do not matter"),
        "integer": translate("Practice", "Whole numbers"),
        "decimal": translate("Practice", "Decimal numbers"),
        "fraction": translate("Practice", "Fractions"),
        "choice": translate("Practice", "One of the choices"),
        "words": translate("Practice", "Words in any order"),
    }
    return titles[matcher]


def finding_words(finding: PreviewFinding) -> str:
    """What the doctor found, what it means for keeping the deck, and where."""
    words = spoken(retold(finding.words, in_plain(finding.remarks)))
    if finding.is_error:
        words = labelled(translate("Practice", "To be mended first"), words)
    if not finding.rows:
        return words
    rows = translate("Practice", "(Rows: {})")
    return f"{words} {rows.format(names(map(figure, finding.rows)))}"


def in_plain(remarks: Remarks) -> Remarks:
    """``remarks`` with ways of comparing as they are called here."""
    titles = {f"“{name}”": f"“{matcher_title(name)}”" for name in MATCHERS}

    def plain(remark: Remark) -> Remark:
        blanks = (
            titles.get(one, one) if isinstance(one, str) else plain(one) for one in remark.blanks
        )
        return replace(remark, blanks=tuple(blanks))

    return tuple(map(plain, remarks))
