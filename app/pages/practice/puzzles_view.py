"""The tab *Puzzles*: what is practised, and puzzles of a person's own."""

from pathlib import Path

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QShowEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from app.backend.actions import Actions
from app.pages.practice.deck_form import DeckForm
from app.pages.practice.puzzle_list import PuzzleList
from app.state.app_state import AppState
from app.style.theme import Palette
from app.widgets.basics import bare_column
from app.widgets.file_dialogs import FileDialogs
from core.api.decks import KeptDeck


class PuzzlesView(QWidget):
    """The list, or in its place the form in which a table becomes a deck; takes files dropped."""

    def __init__(self, palette: Palette, actions: Actions) -> None:
        super().__init__()
        self.list, self.form = PuzzleList(actions), DeckForm(palette, actions)
        self.dialogs = FileDialogs()
        self._stack = QStackedWidget()
        self.setAcceptDrops(True)
        for way in (self.list.add, self.form.choose):
            way.clicked.connect(self._ask_for_file)
        self.form.closed.connect(self._show_list)
        self.form.kept.connect(self._on_kept)
        bare_column(self).addWidget(self._stack)
        for view in (self.list, self.form):
            self._stack.addWidget(view)

    @property
    def parts(self) -> tuple[QWidget, ...]:
        """What is dressed one by one."""
        return *self.list.parts, *self.form.parts

    def show_state(self, state: AppState) -> None:
        """Be about the model and the settings of ``state``."""
        self.list.show_state(state)
        self.form.show_model(state.model.id)

    def show_palette(self, palette: Palette) -> None:
        """Take on the colours of ``palette`` where the style sheet does not reach."""
        self.form.show_palette(palette)

    def read(self, path: Path) -> None:
        """Show what would become of the file ``path``."""
        self._stack.setCurrentWidget(self.form)
        self.form.choose.setFocus()
        self.form.begin(path)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """Ask what there is by now."""
        super().showEvent(event)
        self.list.ask()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802 - Qt's name
        """Take one file of this computer."""
        if _file_in(event.mimeData()) is not None:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802 - Qt's name
        """Read it."""
        path = _file_in(event.mimeData())
        if path is not None:
            event.acceptProposedAction()
            self.read(path)

    def _ask_for_file(self) -> None:
        self.dialogs.to_read(self, self.tr("A table with questions and answers"), self.read)

    def _show_list(self) -> None:
        self._stack.setCurrentWidget(self.list)
        self.list.add.setFocus()

    def _on_kept(self, deck: KeptDeck) -> None:
        self._show_list()
        self.list.welcome(deck)


def _file_in(data: QMimeData) -> Path | None:
    urls = data.urls()
    return Path(urls[0].toLocalFile()) if len(urls) == 1 and urls[0].isLocalFile() else None
