"""One sentence across a page, with one thing to do about it."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout

from app.style import theme
from app.widgets.basics import button, set_button, set_style
from app.widgets.selectable_label import SelectableLabel


class NoticeBar(QFrame):
    """A trouble, or word of something that was done or is new."""

    pressed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "notice")
        self._words = SelectableLabel()
        self._way = button("")
        self._way.clicked.connect(self.pressed)
        row = QHBoxLayout(self)
        row.setContentsMargins(theme.SPACE_L, theme.SPACE_M, theme.SPACE_L, theme.SPACE_M)
        row.setSpacing(theme.SPACE_M)
        row.addWidget(self._words, 1)
        row.addWidget(self._way, 0, Qt.AlignmentFlag.AlignTop)
        self.hide()

    def show_words(self, words: str, way: str, *, is_grave: bool) -> None:
        """Show ``words`` and the button ``way``; nothing where there are no words."""
        self._words.setText(words)
        self.setAccessibleName(words)
        set_button(self._way, way, enabled=True)
        set_style(self, "grave", is_grave)
        self.setVisible(bool(words))
