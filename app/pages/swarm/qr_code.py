"""A QR code, drawn in black on white whatever the palette: that is what cameras expect."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

QUIET: Final = 4  # modules of white around it
WIDTH: Final = 232  # px at most
MOST_MODULES: Final = WIDTH // 2 - 2 * QUIET
"""With more of them, a module is smaller than a camera reads from a screen."""


class QrCode(QWidget):
    """A function of its rows of 0 and 1."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: tuple[str, ...] = ()
        self.setAccessibleName(self.tr("The link as a QR code"))

    def show_rows(self, rows: Sequence[str]) -> bool:
        """Show ``rows``; False, and nothing is drawn, if they are too many to be read."""
        fits = 0 < len(rows) <= MOST_MODULES
        self._rows = tuple(rows) if fits else ()
        side = (len(self._rows) + 2 * QUIET) * self._module()
        self.setFixedSize(QSize(side, side))
        self.update()
        return fits

    def _module(self) -> int:
        """The width of a module in px."""
        return WIDTH // (len(self._rows) + 2 * QUIET)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw the modules."""
        side = self._module()
        painter = QPainter(self)
        painter.fillRect(self.rect(), Qt.GlobalColor.white)
        for y, row in enumerate(self._rows, QUIET):
            for x, module in enumerate(row, QUIET):
                if module == "1":
                    painter.fillRect(x * side, y * side, side, side, Qt.GlobalColor.black)
        painter.end()
