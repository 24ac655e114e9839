"""A column that scrolls up and down, never sideways."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget

from app import theme

RING = 2
"""px around such an area, where it shows that the keyboard is there."""


def scrolled(column: QVBoxLayout, name: str) -> QScrollArea:
    """``column`` in an area that a screen reader calls ``name``.

    The keyboard stops there only while there is something to scroll.
    """
    content = QWidget()
    content.setLayout(column)
    column.setContentsMargins(0, 0, theme.SPACE_S, 0)
    column.setSpacing(theme.SPACE_M)
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setAccessibleName(name)
    area.setWidget(content)
    area.setProperty("role", "sheet")
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.verticalScrollBar().rangeChanged.connect(
        lambda _least, most: area.setFocusPolicy(_STOPS if most else Qt.FocusPolicy.NoFocus)
    )
    return area


_STOPS = Qt.FocusPolicy.StrongFocus
