"""Where each part of the skill map stands; pure geometry.

The rows run down one panel, and on into the next one to the right where there is room for several.
"""

from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QPointF, QRectF

PANEL: Final = 500.0
"""px that a panel needs for titles that can be read and cells that can be clicked."""

MOST_PANELS: Final = 3
HEAD: Final = 24.0  # px, with the numbers of the levels
ROW: Final = 26.0  # px
WIDEST: Final = 52.0  # px of a cell
NARROWEST: Final = 30.0
TITLES: Final = 0.56
"""Share of a panel that titles get, where cells need not be narrower for it."""

GAP: Final = 32.0  # px between panels
TITLE_GAP: Final = 12.0  # px between a title and its first cell

Place = tuple[int, int]
"""Row and column, both from 0."""


@dataclass(frozen=True, slots=True)
class SkillLayout:
    """``rows`` kinds of up to ``columns`` levels in ``width`` px, on ``panels`` side by side."""

    width: float
    rows: int
    columns: int
    panels: int
    top: float = 0.0

    @property
    def height(self) -> float:
        """Px that all panels need."""
        return HEAD + self.per_panel * ROW

    @property
    def per_panel(self) -> int:
        """Rows in a panel, at least one; the last may have fewer."""
        return max(1, -(-self.rows // self.panels))

    @property
    def panel_width(self) -> float:
        """Px of each panel."""
        return (self.width - GAP * (self.panels - 1)) / self.panels

    @property
    def cell_width(self) -> float:
        """Px of each cell."""
        wished = self.panel_width * (1 - TITLES) / max(1, self.columns)
        return min(WIDEST, max(NARROWEST, wished))

    @property
    def title_width(self) -> float:
        """Px of the titles in each panel."""
        return self.panel_width - self.columns * self.cell_width - TITLE_GAP

    def head(self, panel: int, column: int) -> QRectF:
        """Where the number of a level stands."""
        left = self._cells_from(panel) + column * self.cell_width
        return QRectF(left, self.top, self.cell_width, HEAD)

    def head_title(self, panel: int) -> QRectF:
        """Where it says what the numbers above the cells are."""
        return QRectF(self._left(panel), self.top, self.title_width, HEAD)

    def title(self, row: int) -> QRectF:
        """Where the title of a row stands."""
        return QRectF(self._left(self._panel(row)), self._row_top(row), self.title_width, ROW)

    def cell(self, place: Place) -> QRectF:
        """Where a cell stands, with the gap around it."""
        row, column = place
        left = self._cells_from(self._panel(row)) + column * self.cell_width
        return QRectF(left, self._row_top(row), self.cell_width, ROW)

    def place_at(self, point: QPointF) -> Place | None:
        """The place there, whether or not that row has so many levels; None between them."""
        for panel in range(self.panels):
            column = int((point.x() - self._cells_from(panel)) // self.cell_width)
            line = int((point.y() - self.top - HEAD) // ROW)
            row = panel * self.per_panel + line
            if 0 <= column < self.columns and 0 <= line < self.per_panel and row < self.rows:
                return row, column
        return None

    def _panel(self, row: int) -> int:
        return row // self.per_panel

    def _row_top(self, row: int) -> float:
        return self.top + HEAD + (row % self.per_panel) * ROW

    def _left(self, panel: int) -> float:
        return panel * (self.panel_width + GAP)

    def _cells_from(self, panel: int) -> float:
        return self._left(panel) + self.title_width + TITLE_GAP


def panels_in(width: float) -> int:
    """How many panels fit into ``width`` px."""
    return max(1, min(MOST_PANELS, int((width + GAP) // (PANEL + GAP))))
