"""The words of the window in the person's language; English where nobody has translated them."""

import logging

from PySide6.QtCore import QLibraryInfo, QLocale, QTranslator
from PySide6.QtWidgets import QApplication

from core.paths import RESOURCES
from core.settings import Language

TRANSLATIONS = RESOURCES / "translations"
LANGUAGES: tuple[Language, ...] = ("de", "es", "zh_CN")
"""Complete ones, besides English, in which everything is written."""

_log = logging.getLogger(__name__)


def translate(app: QApplication, wanted: Language) -> Language:
    """Let ``app`` speak ``wanted``, Qt's own words included; returns what it speaks.

    To be called before anything is shown: what was said stays as it was said.
    """
    system = QLocale.system()
    language = _spoken(system.name()) if wanted == "system" else wanted
    here = QLocale(language)
    if wanted == "system" and system.language() is here.language():
        here = system  # with the habits of its region; else its days would be in another language
    QLocale.setDefault(here)
    if language == "en":
        return language
    own, qt = QTranslator(app), QTranslator(app)
    if not own.load(f"waggle_{language}", str(TRANSLATIONS)):
        _log.warning("The translation %s is missing; speaking English.", language)
        return "en"
    app.installTranslator(own)
    folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    if qt.load(f"qtbase_{language}", folder):  # buttons of its dialogs
        app.installTranslator(qt)
    return language


def _spoken(name: str) -> Language:
    """The language that fits a locale such as ``de_AT`` best."""
    start = name.partition("_")[0]
    return next((one for one in LANGUAGES if one.partition("_")[0] == start), "en")
