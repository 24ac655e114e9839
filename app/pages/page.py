"""What a page of the window is."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from app.state.app_state import AppState
from app.style.theme import Palette
from core.api.preview import PuzzleTried
from core.api.protocol import AnyAnswer


class Page(QWidget):
    """A function of ``AppState`` and the helper's replies; does nothing itself but emit wishes."""

    asked = Signal(object)
    """An ``Intent``, a ``Command`` of the engine, or a ``Request`` for the helper."""
    made = Signal(object)  # QWidget: a further one of ``parts``, not shown yet

    @property
    def parts(self) -> tuple[QWidget, ...]:
        """The widgets that get the style sheet, none inside another.

        A page that would take too long to style at once names its pieces.
        """
        return (self,)

    def show_state(self, state: AppState) -> None:
        """Draw ``state``; called whenever it changes, also while another page is shown."""

    def hear(self, answer: AnyAnswer) -> None:
        """Take note of an answer of the helper; every page hears every answer."""

    def see(self, puzzle: PuzzleTried) -> None:
        """Take note of a puzzle that passes by, where a page asked to watch."""

    def take(self, subject: str) -> None:
        """Take up what another page, or a link, sent the person here for."""

    def show_palette(self, palette: Palette) -> None:
        """Take on the colours of ``palette`` where the style sheet does not reach."""

    def opened(self) -> None:
        """The page has come into view: what it shows may be asked for anew."""

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """Tell the page that it is seen."""
        super().showEvent(event)
        if not event.spontaneous():
            self.opened()
