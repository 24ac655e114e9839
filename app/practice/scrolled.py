"""What scrolls on the page *Practice*: mostly words to read, so the keyboard can scroll it."""

from PySide6.QtCore import Qt

from app import theme
from app.scroll import Scroll

RING = 2
"""px around such an area, where it shows that the keyboard is there."""

_STOPS = Qt.FocusPolicy.StrongFocus


class Scrolled(Scroll):
    """A column that a screen reader calls ``name``.

    The keyboard stops there only while there is something to scroll.
    """

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setProperty("role", "sheet")
        self.column.setContentsMargins(0, 0, theme.SPACE_S, 0)
        self.column.setSpacing(theme.SPACE_M)
        self.verticalScrollBar().rangeChanged.connect(
            lambda _least, most: self.setFocusPolicy(_STOPS if most else Qt.FocusPolicy.NoFocus)
        )
