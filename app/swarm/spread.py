"""How the cards of this page are laid out: words on top, two columns below, all of it scrolled."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from app import theme
from app.widgets import label

LEFT, RIGHT = 3, 2  # how the width is shared


class Spread(QWidget):
    """Fills ``page`` with the cards of both columns."""

    def __init__(self, page: QWidget, left: Sequence[QWidget], right: Sequence[QWidget]) -> None:
        super().__init__()
        self.setProperty("role", "page")
        self._headline = label("", "hero", wrap=True)
        self._detail = label("", "muted", wrap=True)
        columns = QHBoxLayout()
        columns.setSpacing(theme.SPACE_L)
        columns.addLayout(_column(left), LEFT)
        columns.addLayout(_column(right), RIGHT)
        inside = QVBoxLayout(self)
        inside.setContentsMargins(theme.SPACE_XL, theme.SPACE_XL, theme.SPACE_XL, theme.SPACE_XL)
        inside.setSpacing(theme.SPACE_S)
        inside.addWidget(self._headline)
        inside.addWidget(self._detail)
        inside.addSpacing(theme.SPACE_S)
        inside.addLayout(columns, 1)
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setWidget(self)
        outside = QVBoxLayout(page)
        outside.setContentsMargins(0, 0, 0, 0)
        outside.addWidget(self._scroll)

    def show_words(self, headline: str, detail: str) -> None:
        """Say what matters most."""
        self._headline.setText(headline)
        self._detail.setText(detail)
        self._detail.setVisible(bool(detail))

    def bring_up(self, card: QWidget) -> None:
        """Scroll to ``card``, once it has its place."""
        QTimer.singleShot(0, self, lambda: self._scroll.ensureWidgetVisible(card))


def _column(cards: Sequence[QWidget]) -> QVBoxLayout:
    column = QVBoxLayout()
    column.setSpacing(theme.SPACE_L)
    for card in cards:
        column.addWidget(card)
    column.addStretch(1)  # all that is left over: no card grows
    return column
