"""Dresses the application: typeface, colours, style sheet; follows the desktop's light and dark."""

from weakref import WeakSet

from PySide6.QtCore import QCoreApplication, QDeadlineTimer, QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QFont, QFontDatabase, QIcon, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from app.style import theme
from app.style.icons import EMBLEM
from app.style.stylesheet import qt_palette, style_sheet
from app.style.theme import Choice, Colours, Palette, choose_palette
from app.style.typeface import typeface
from core.paths import RESOURCES


class TransitionCover(QWidget):
    """Hides what is behind until it is dropped; what people press is behind it all the same.

    Qt takes so long to dress a window that it is done in several turns, and nobody is to see one
    that is half light and half dark.
    """

    def __init__(self, window: QWidget) -> None:
        # Or it would show words that changed a moment ago in the room of those before.
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
        picture = window.grab()
        super().__init__(window)
        self._picture = picture
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)  # nothing behind is drawn
        self.setGeometry(window.rect())
        self.show()

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw the picture."""
        painter = QPainter(self)
        painter.drawPixmap(0, 0, self._picture)
        painter.end()

    def drop(self) -> None:
        """Show what is behind."""
        self.hide()
        self.deleteLater()


FONTS = RESOURCES / "fonts"
SPELL_MS = 10  # of dressing what is seen, before the window does something else
TURN_MS = 30  # between two hidden parts that take on new colours


class Appearance(QObject):
    """The looks of ``app``; ``palette_changed`` is for what paints by hand."""

    palette_changed = Signal(object)  # Palette

    def __init__(self, app: QApplication) -> None:
        super().__init__()
        self._app = app
        self._choice: Choice = "system"
        self._colours: Colours = "honey"
        self.palette: Palette = theme.LIGHT
        self._sheet = ""
        self._parts: WeakSet[QWidget] = WeakSet()  # many come and go, such as live puzzles
        self._waiting: list[QWidget] = []  # parts that are still in the old colours
        self._covers: list[TransitionCover] = []  # in front of the windows where some are seen
        self._turn = QTimer(self)
        self._turn.timeout.connect(self._dress_next)
        app.setStyle("Fusion")
        app.setFont(_load_font())
        app.setWindowIcon(QIcon(str(EMBLEM)))
        app.styleHints().colorSchemeChanged.connect(self._dress)
        self._dress()

    def choose(self, choice: Choice, colours: Colours = "honey") -> None:
        """Use light or dark whatever the desktop says, or follow it; in these ``colours``."""
        self._choice, self._colours = choice, colours
        self._dress()

    def dress(self, part: QWidget) -> None:
        """Put the style sheet on ``part`` of a window, now and whenever colours change.

        That happens part by part then, behind a cover where they are seen: Qt takes so long that
        a change of everything at once would be felt, and several times as long for the
        application's own sheet.
        """
        part.setStyleSheet(self._sheet)
        self._parts.add(part)

    def _dress(self) -> None:
        is_dark = self._app.styleHints().colorScheme() is Qt.ColorScheme.Dark
        palette = choose_palette(self._choice, "dark" if is_dark else "light", self._colours)
        if palette is self.palette and self._sheet:
            return
        self._show_covers()
        self.palette, self._sheet = palette, style_sheet(palette)
        self._app.setPalette(qt_palette(palette))
        self._waiting = list(self._parts)
        self._turn.start(0)
        self.palette_changed.emit(palette)

    def _show_covers(self) -> None:
        """Unless they are there from a change that is not through."""
        if not self._covers:
            seen = (part for part in self._parts if isValid(part) and part.isVisible())
            self._covers = [TransitionCover(window) for window in {part.window() for part in seen}]

    def _dress_next(self) -> None:
        """Dress what is seen by now, for a spell; where nothing is, one hidden part."""
        self._waiting = [part for part in self._waiting if isValid(part)]
        seen = [part for part in self._waiting if part.isVisible()]
        if not seen:
            self._drop_covers()
            self._turn.setInterval(TURN_MS)
        if not self._waiting:
            self._turn.stop()
            return
        spell = QDeadlineTimer(SPELL_MS)
        for part in seen or self._waiting[-1:]:
            self._waiting.remove(part)
            part.setStyleSheet(self._sheet)
            if spell.hasExpired():
                return

    def _drop_covers(self) -> None:
        for cover in self._covers:
            if isValid(cover):
                cover.drop()
        self._covers.clear()


def _load_font() -> QFont:
    """The typeface that comes along; letters that it lacks come from the system."""
    for weight in ("Regular", "SemiBold"):
        QFontDatabase.addApplicationFont(str(FONTS / f"Inter-{weight}.otf"))
    return typeface(theme.TEXT_BODY)
