"""How words stand side by side, with the marks of the window's language; and what many say."""

from collections.abc import Iterable

from PySide6.QtCore import QCoreApplication

from app.text.core_words import spoken
from core.i18n import enumerated

translate = QCoreApplication.translate


def series(parts: Iterable[str]) -> str:
    """``parts`` of one statement, such as ``2 h, 3 rounds``; empty ones are left out."""
    mark = translate("Phrases", "{}, {}", "between the parts of a series").format("", "")
    return mark.join(filter(None, parts))


def dotted(parts: Iterable[str]) -> str:
    """``parts``, facts side by side, such as ``1.5 million · fits``; empty ones are left out."""
    return " · ".join(filter(None, parts))


def names(parts: Iterable[str]) -> str:
    """``parts``, at least one, that are names of things, such as ``Mon, Wed, Fri``."""
    return spoken(enumerated(tuple(parts)))


def at_rest_only() -> str:
    """Why something cannot be done while a model practises, and what to do about it."""
    return translate("Phrases", "Finish or stop practising first.")


def labelled(name: str, words: str) -> str:
    """``words`` after what they are about, such as ``Today: 3 rounds``."""
    return translate("Phrases", "{}: {}", "a name and what is said of it").format(name, words)
