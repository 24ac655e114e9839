"""What core says, in the person's language.

Core speaks English, and hands over what its sentences were made from; see ``core.i18n``.
"""

from PySide6.QtCore import QCoreApplication

from app.text.plain_text import visible
from core.api.events import SwarmChanged
from core.api.sentences import taught
from core.i18n import TranslatableText, retold, spell

CONTEXT = "Core"
"""Of the fixed texts in core, as ``tests/translating.py`` collects them."""

CATALOGUE = "Catalogue"
"""Of the words in the lists of models, puzzles and swarms that Waggle comes with."""


def spoken(words: str) -> str:
    """``words``, as far as core said what they are made from; else in English as they are.

    Names, addresses and errors of strangers may be in them, which play no tricks here.
    """
    return visible(
        spell(words.remarks, _translate) if isinstance(words, TranslatableText) else words
    )


def swarm_words(changed: SwarmChanged) -> str:
    """What the engine says about the swarm."""
    return spoken(retold(changed.words, changed.remarks))


def taught_words(kinds: int | None) -> str:
    """How many ``kinds`` of puzzles others taught; empty while that is nothing, or not known."""
    words = taught(kinds)
    return spoken(words) if words else ""


def without(words: str, text: str) -> str:
    """``words`` less what was said by the fixed ``text``; of plain ones only at the beginning."""
    if not isinstance(words, TranslatableText):
        return visible(words.removeprefix(text).strip())
    return spoken(TranslatableText([one for one in words.remarks if one.text != text]))


def listed(text: str) -> str:
    """A name or a sentence from one of our lists; a stranger's stays as it is, without tricks."""
    return visible(QCoreApplication.translate(CATALOGUE, text)) if text else ""


def _translate(text: str) -> str:
    return QCoreApplication.translate(CONTEXT, text)
