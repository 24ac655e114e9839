"""Dresses the application: typeface, colours, style sheet; follows the desktop's light and dark."""

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QFont, QFontDatabase, QIcon
from PySide6.QtWidgets import QApplication

from app import theme
from app.stylesheet import qt_palette, style_sheet
from app.theme import Choice, Colours, Palette, choose_palette
from app.widgets import EMBLEM
from core.paths import RESOURCES

FONTS = RESOURCES / "fonts"


class Appearance(QObject):
    """The looks of ``app``; ``palette_changed`` is for what paints by hand."""

    palette_changed = Signal(object)  # Palette

    def __init__(self, app: QApplication) -> None:
        super().__init__()
        self._app = app
        self._choice: Choice = "system"
        self._colours: Colours = "honey"
        self.palette: Palette = theme.LIGHT
        app.setStyle("Fusion")
        app.setFont(_load_font())
        app.setWindowIcon(QIcon(str(EMBLEM)))
        app.styleHints().colorSchemeChanged.connect(self._dress)
        self._dress()

    def choose(self, choice: Choice, colours: Colours = "honey") -> None:
        """Use light or dark whatever the desktop says, or follow it; in these ``colours``."""
        self._choice, self._colours = choice, colours
        self._dress()

    def _dress(self) -> None:
        is_dark = self._app.styleHints().colorScheme() is Qt.ColorScheme.Dark
        palette = choose_palette(self._choice, "dark" if is_dark else "light", self._colours)
        if palette is self.palette and self._app.styleSheet():
            return
        self.palette = palette
        self._app.setPalette(qt_palette(palette))
        self._app.setStyleSheet(style_sheet(palette))
        self.palette_changed.emit(palette)


def _load_font() -> QFont:
    """The typeface that comes along; letters that it lacks come from the system."""
    for weight in ("Regular", "SemiBold"):
        QFontDatabase.addApplicationFont(str(FONTS / f"Inter-{weight}.otf"))
    font = QFont(theme.FONT_FAMILY)
    font.setPixelSize(theme.TEXT_BODY)
    return font
