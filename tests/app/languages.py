"""The window in one language after the other."""

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QLocale, QTranslator
from PySide6.QtWidgets import QApplication

from app.text.translation import TRANSLATIONS, translate
from core.settings import Language


@contextmanager
def speaking(app: QApplication, language: Language) -> Iterator[None]:
    """Speak ``language``, and English again afterwards."""
    assert translate(app, language) == language
    try:
        yield
    finally:
        for one in app.findChildren(QTranslator):
            app.removeTranslator(one)
            one.deleteLater()
        QLocale.setDefault(QLocale.system())


@contextmanager
def figures_of(locale: str) -> Iterator[None]:
    """Write figures and days as in ``locale``, such as ``de``, and as before afterwards."""
    before = QLocale()
    QLocale.setDefault(QLocale(locale))
    try:
        yield
    finally:
        QLocale.setDefault(before)


def translator(language: Language) -> QTranslator:
    """What is loaded where ``language`` is spoken."""
    made = QTranslator()
    assert made.load(f"waggle_{language}", str(TRANSLATIONS))
    return made
