"""What a page of the window is."""

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from app.backend.actions import Actions
from app.state.app_state import AppState
from app.state.intents import Subject
from app.style.theme import Palette
from core.api.preview import PuzzleTried


class Page(QWidget):
    """A function of ``AppState`` and of what the helper replies to its calls."""

    def __init__(self, actions: Actions) -> None:
        super().__init__()
        self._actions = actions

    @property
    def parts(self) -> tuple[QWidget, ...]:
        """The widgets that get the style sheet, none inside another.

        A page that would take too long to style at once names its pieces.
        """
        return (self,)

    def show_state(self, state: AppState) -> None:
        """Draw ``state``; called whenever it changes, also while another page is shown."""

    def see(self, puzzle: PuzzleTried) -> None:
        """Take note of a puzzle that passes by, where a page asked to watch."""

    def take(self, subject: Subject) -> None:
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
