"""The cards of the page *Swarm*, in two columns below a headline."""

from collections.abc import Sequence

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.style import theme
from app.widgets.basics import label
from app.widgets.scroll_area import ScrollArea

LEFT, RIGHT = 3, 2  # how the width is shared


class Spread(ScrollArea):
    """Holds the cards of both columns."""

    def __init__(self, left: Sequence[QWidget], right: Sequence[QWidget]) -> None:
        super().__init__()
        self._headline = label("", "hero", wrap=True)
        self._detail = label("", "muted", wrap=True)
        columns = QHBoxLayout()
        columns.setSpacing(theme.SPACE_L)
        columns.addLayout(_column(left), LEFT)
        columns.addLayout(_column(right), RIGHT)
        self.column.addWidget(self._headline)
        self.column.addWidget(self._detail)
        self.column.addSpacing(theme.SPACE_S)
        self.column.addLayout(columns, 1)

    def show_words(self, headline: str, detail: str) -> None:
        """Say what matters most."""
        self._headline.setText(headline)
        self._detail.setText(detail)
        self._detail.setVisible(bool(detail))

    def bring_up(self, card: QWidget) -> None:
        """Scroll to ``card``, once it has its place."""
        QTimer.singleShot(0, self, lambda: self.ensureWidgetVisible(card))


def _column(cards: Sequence[QWidget]) -> QVBoxLayout:
    column = QVBoxLayout()
    column.setSpacing(theme.SPACE_L)
    for card in cards:
        column.addWidget(card)
    column.addStretch(1)  # all that is left over: no card grows
    return column
