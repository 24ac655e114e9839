"""One sentence across a page, with one thing to do about it."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout

from app.backend.actions import Actions
from app.state.intents import Reveal
from app.style import theme
from app.widgets.basics import button, set_button, set_style, show_message
from app.widgets.selectable_label import SelectableLabel


class NoticeBar(QFrame):
    """A trouble, or word of something that was done or is new."""

    pressed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "notice")
        self._words = SelectableLabel()
        self._do: Callable[[], object] | None = None  # where the notice is done with once pressed
        self._way = button("")
        self._way.clicked.connect(self._on_pressed)
        row = QHBoxLayout(self)
        row.setContentsMargins(theme.SPACE_L, theme.SPACE_M, theme.SPACE_L, theme.SPACE_M)
        row.setSpacing(theme.SPACE_M)
        row.addWidget(self._words, 1)
        row.addWidget(self._way, 0, Qt.AlignmentFlag.AlignTop)
        self.hide()

    def show_words(self, words: str, way: str, *, is_grave: bool) -> None:
        """Show ``words`` and the button ``way``; nothing where there are no words."""
        set_button(self._way, way, enabled=True)
        self._way.setVisible(bool(way))
        set_style(self, "grave", is_grave)
        show_message(self, self._words, words)

    def tell(
        self, words: str, way: str, do: Callable[[], object], *, is_grave: bool = False
    ) -> None:
        """Show ``words`` until the button ``way`` is pressed, which does ``do``."""
        self._do = do
        self.show_words(words, way, is_grave=is_grave)

    def tell_saved(self, path: Path, actions: Actions) -> None:
        """Say that the file ``path`` is written, and offer to show where."""
        way = partial(actions.dispatch, Reveal(path.parent))
        self.tell(self.tr("Saved: {}").format(path), self.tr("Show the folder"), way)

    def take_back(self, *offers: Callable[[], object]) -> None:
        """Hide what offers to do one of these."""
        if self._do in offers:
            self.hide()

    def _on_pressed(self) -> None:
        if self._do is not None:
            self.hide()
            self._do()
        self.pressed.emit()
