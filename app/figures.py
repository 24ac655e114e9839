"""Numbers as the language of the window writes them."""

from PySide6.QtCore import QLocale


def figure(number: int) -> str:
    """Every digit, such as ``1,203``."""
    return locale_here().toString(number)


def locale_here() -> QLocale:
    """That of the window; of a computer that has none set, English."""
    found = QLocale()
    return QLocale(QLocale.Language.English) if found.language() is QLocale.Language.C else found
