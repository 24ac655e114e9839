"""How words stand side by side: with the marks of the language of the window."""

from collections.abc import Iterable

from PySide6.QtCore import QCoreApplication

translate = QCoreApplication.translate


def series(parts: Iterable[str]) -> str:
    """``parts`` one after another, such as ``a, b, c``; empty ones are left out."""
    mark = translate("Phrases", "{}, {}", "between the parts of a series").format("", "")
    return mark.join(filter(None, parts))


def labelled(name: str, words: str) -> str:
    """``words`` after what they are about, such as ``Today: 3 rounds``."""
    return translate("Phrases", "{}: {}", "a name and what is said of it").format(name, words)
