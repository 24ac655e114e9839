"""The skill map on the screen: seen at a glance, pointed at, and walked through with arrow keys."""

from dataclasses import replace
from html import escape

from PySide6.QtCore import QEvent, QPointF, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from app.pages.practice.skill_drawing import draw_map, draw_ring
from app.pages.practice.skill_layout import Place, SkillLayout, panels_in
from app.pages.practice.skill_legend import draw_legend, legend_in
from app.pages.practice.skill_map_model import MapCell, SkillMapModel
from app.style import theme
from app.style.theme import Palette

_EMPTY = SkillMapModel("")
_STEPS = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
}
_CHOOSES = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)


class SkillMap(QWidget):
    """A row a kind of puzzle, a column a level; a function of its model.

    By keyboard: arrows move, Home and End go to the first and the last level, Enter chooses.
    """

    chosen = Signal(object)  # MapCell
    moved = Signal(object)  # QRect: the cell that the keyboard is at now

    def __init__(self, palette: Palette) -> None:
        super().__init__()
        self._palette = palette
        self._model = _EMPTY
        self._at: Place = (0, 0)  # of the keyboard
        self._pointed: Place | None = None  # at by the mouse
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAccessibleName(self.tr("Kinds of puzzles and their levels"))
        self.setSizePolicy(_growing())

    @property
    def model(self) -> SkillMapModel:
        """What is shown."""
        return self._model

    def show_map(self, model: SkillMapModel) -> None:
        """Show ``model``; the keyboard stays at the same kind and level where they are there."""
        cell = self._cell(self._at)
        self._model = model
        tasks = [row.task for row in model.rows]
        if cell is not None and cell.task in tasks:
            self._at = tasks.index(cell.task), cell.level - 1
        self._go(*self._at)
        self.updateGeometry()

    def show_palette(self, palette: Palette) -> None:
        """Take on the colours of ``palette``."""
        self._palette = palette
        self.update()

    def cell_rect(self, place: Place) -> QRect:
        """Where a cell is drawn."""
        return self._layout(self.width()).cell(place).toRect()

    def heightForWidth(self, width: int) -> int:  # noqa: N802 - Qt's name
        """As high as all rows, with the legend above."""
        layout = self._layout(width)
        return round(layout.top + layout.height)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """As wide as there is room."""
        return QSize(theme.READING_WIDTH, self.heightForWidth(theme.READING_WIDTH))

    def event(self, event: QEvent) -> bool:
        """Say what is known of the cell under the mouse; all else is Qt's."""
        if isinstance(event, QHelpEvent):
            self._show_tip(event)
            return True
        return super().event(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Mark the cell under the mouse."""
        self._point_at(self._place_at(event.position()))

    def leaveEvent(self, _event: QEvent) -> None:  # noqa: N802 - Qt's name
        """Mark none."""
        self._point_at(None)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Choose the cell under the mouse."""
        place = self._place_at(event.position())
        if event.button() is Qt.MouseButton.LeftButton and place is not None:
            self._go(*place)
            self._choose()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Move or choose."""
        key, (row, column) = Qt.Key(event.key()), self._at
        if key in _STEPS:
            down, right = _STEPS[key]
            self._go(row + down, column + right)
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            self._go(row, 0 if key is Qt.Key.Key_Home else self._model.levels)
        elif key in _CHOOSES:
            self._choose()
        else:
            super().keyPressEvent(event)
            return
        self.moved.emit(self.cell_rect(self._at))

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802 - Qt's name
        """Bring the cell into view for whoever came by keyboard."""
        super().focusInEvent(event)
        if event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason):
            self.moved.emit(self.cell_rect(self._at))

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw legend and map, and rings around what is pointed at."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        layout = self._layout(self.width())
        draw_legend(painter, legend_in(self.width()), self._palette)
        draw_map(painter, self._model, layout, self._palette)
        if self._pointed is not None:
            draw_ring(painter, layout.cell(self._pointed), self._palette.edge)
        if self.hasFocus() and self._cell(self._at) is not None:
            draw_ring(painter, layout.cell(self._at), self._palette.focus)
        painter.end()

    def _go(self, row: int, column: int) -> None:
        """Let the keyboard be there, or as near as there is something."""
        rows = self._model.rows
        row = min(max(row, 0), max(0, len(rows) - 1))
        most = len(rows[row].cells) - 1 if rows else 0
        self._at = row, min(max(column, 0), max(0, most))
        cell = self._cell(self._at)
        self.setAccessibleDescription("" if cell is None else spoken(cell))
        self.update()

    def _choose(self) -> None:
        cell = self._cell(self._at)
        if cell is not None:
            self.chosen.emit(cell)

    def _point_at(self, place: Place | None) -> None:
        if place == self._pointed:
            return
        self._pointed = place
        if place is None:
            self.unsetCursor()
        else:
            self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.update()

    def _show_tip(self, event: QHelpEvent) -> None:
        place = self._place_at(QPointF(event.pos()))
        cell = None if place is None else self._cell(place)
        if place is None or cell is None:
            QToolTip.hideText()
            return
        # A stranger's deck may be called as markup is written, and Qt would take it for that.
        words = "<br>".join(map(escape, (cell.title, *cell.words)))
        QToolTip.showText(event.globalPos(), f"<p>{words}</p>", self, self.cell_rect(place))

    def _cell(self, place: Place) -> MapCell | None:
        row, column = place
        rows = self._model.rows
        if row < len(rows) and column < len(rows[row].cells):
            return rows[row].cells[column]
        return None

    def _place_at(self, point: QPointF) -> Place | None:
        """The cell there; None where there is none."""
        place = self._layout(self.width()).place_at(point)
        return place if place is not None and self._cell(place) is not None else None

    def _layout(self, width: float) -> SkillLayout:
        made = SkillLayout(width, len(self._model.rows), self._model.levels, panels_in(width))
        return replace(made, top=legend_in(width).height + theme.SPACE_S)


def spoken(cell: MapCell) -> str:
    """All that is known of ``cell``, as one reads it aloud."""
    return " ".join((f"{cell.title}.", *cell.words))


def _growing() -> QSizePolicy:
    policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    policy.setHeightForWidth(True)
    return policy
