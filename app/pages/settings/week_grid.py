"""The hours of a week, painted with the mouse or the keyboard."""

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.state.schedule import DAYS, HOURS, Cell, between, day_name, is_welcome, painted
from app.style import theme
from app.style.theme import Palette
from app.style.typeface import typeface
from app.text.phrases import labelled
from core.settings import ALWAYS, Week

_ROW = 26  # px
_HEAD = 20  # px, with the hours
_MARKED = 3  # every so many hours, one is named
_STEPS = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
}


class WeekGrid(QWidget):
    """A row a day, a column an hour. Press or drag to paint; a day's or hour's name paints it all.

    By keyboard: arrows move, the space bar turns an hour over, Shift with an arrow paints on.
    """

    changed = Signal(object)  # Week

    def __init__(self, palette: Palette) -> None:
        super().__init__()
        self._palette = palette
        self._font = typeface(theme.TEXT_SMALL)
        self._names = [day_name(day) for day in range(DAYS)]
        widest = max(map(QFontMetrics(self._font).horizontalAdvance, self._names))
        self._left = widest + theme.SPACE_S  # where the hours begin
        self._week: Week = ALWAYS
        self._at: Cell = (0, 0)  # of the keyboard
        self._from: Cell | None = None  # where the mouse began to paint
        self._paints = True  # what is painted: hours that run
        self._before: Week = ALWAYS  # without what is being painted
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.tr("Hours of the week"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._tell()

    def show_week(self, week: Week) -> None:
        """Show ``week``; one that is being painted stays."""
        if self._from is None and week != self._week:
            self._week = week
            self._tell()
            self.update()

    def show_palette(self, palette: Palette) -> None:
        """Take on the colours of ``palette``."""
        self._palette = palette
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """As high as seven rows; as wide as there is room."""
        return QSize(self._left + HOURS * _ROW, _HEAD + DAYS * _ROW)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Narrow enough for the smallest window."""
        return QSize(self._left + HOURS * theme.SPACE_M, _HEAD + DAYS * _ROW)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Begin to paint: the opposite of what is there."""
        if event.button() is not Qt.MouseButton.LeftButton:
            return
        cells = self._cells_at(event.position().toPoint())
        self._from, self._at, self._before = cells[0], cells[0], self._week
        self._paints = not all(is_welcome(self._week, cell) for cell in cells)
        self._become(painted(self._week, cells, runs=self._paints))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Paint the rectangle between here and where it began."""
        if self._from is not None:
            self._at = self._cell_at(event.position().toPoint())
            cells = between(self._from, self._at)
            self._become(painted(self._before, cells, runs=self._paints))

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """What was painted counts."""
        if self._from is not None:
            self._from = None
            self.changed.emit(self._week)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Move, turn an hour over, or paint on with Shift."""
        step = _STEPS.get(Qt.Key(event.key()))
        if event.key() == Qt.Key.Key_Space:
            self._paints = not is_welcome(self._week, self._at)
            self._paint_by_key()
        elif step is not None:
            self._move(*step)
            if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
                self._paint_by_key()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw names, hours, and a ring around the one that the keyboard is at."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # a day begins on the left
        painter.setFont(self._font)
        self._draw_names(painter)
        for day in range(DAYS):
            for hour in range(HOURS):
                self._draw_hour(painter, (day, hour))
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(self._palette.focus), 2))
            painter.drawRoundedRect(QRectF(self._rect(self._at)), 4, 4)
        painter.end()

    def _draw_names(self, painter: QPainter) -> None:
        painter.setPen(QColor(self._palette.muted))
        for hour in range(0, HOURS, _MARKED):
            left = self._rect((0, hour)).left()
            place = QRect(left, 0, _MARKED * _ROW, _HEAD)
            painter.drawText(place, Qt.AlignmentFlag.AlignLeft, f"{hour}:00")
        for day in range(DAYS):
            place = QRect(0, _HEAD + day * _ROW, self._left, _ROW)
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, self._names[day])

    def _draw_hour(self, painter: QPainter, cell: Cell) -> None:
        """Filled where practice is welcome, an outline where not."""
        place = QRectF(self._rect(cell)).adjusted(1.5, 1.5, -1.5, -1.5)
        if is_welcome(self._week, cell):
            painter.setPen(QPen(QColor(self._palette.mine), 1))
            painter.setBrush(QColor(self._palette.accent))
        else:
            painter.setPen(QPen(QColor(self._palette.edge), 1))
            painter.setBrush(QColor(self._palette.surface))
        painter.drawRoundedRect(place, 3, 3)

    def _paint_by_key(self) -> None:
        self._become(painted(self._week, [self._at], runs=self._paints))
        self.changed.emit(self._week)

    def _move(self, days: int, hours: int) -> None:
        self._at = ((self._at[0] + days) % DAYS, (self._at[1] + hours) % HOURS)
        self._tell()
        self.update()

    def _become(self, week: Week) -> None:
        self._week = week
        self._tell()
        self.update()

    def _tell(self) -> None:
        """Say to a screen reader where the keyboard is, and what is there."""
        runs = self.tr("runs") if is_welcome(self._week, self._at) else self.tr("does not run")
        hour = f"{self._names[self._at[0]]} {self._at[1]}:00"
        self.setAccessibleDescription(labelled(hour, runs))

    def _rect(self, cell: Cell) -> QRect:
        room = self.width() - self._left
        begin, end = (self._left + room * at // HOURS for at in (cell[1], cell[1] + 1))
        return QRect(begin, _HEAD + cell[0] * _ROW, end - begin, _ROW)

    def _cell_at(self, point: QPoint) -> Cell:
        """The nearest one."""
        room = max(self.width() - self._left, 1)
        hour = (point.x() - self._left) * HOURS // room
        day = (point.y() - _HEAD) // _ROW
        return (min(max(day, 0), DAYS - 1), min(max(hour, 0), HOURS - 1))

    def _cells_at(self, point: QPoint) -> list[Cell]:
        """The one there; all hours of a day beside its name, all days of an hour below its own."""
        day, hour = self._cell_at(point)
        if point.x() < self._left:
            return between((day, 0), (day, HOURS - 1))
        if point.y() < _HEAD:
            return between((0, hour), (DAYS - 1, hour))
        return [(day, hour)]
