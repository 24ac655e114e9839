"""Where the chart is drawn, and where it can be asked about single rounds."""

from PySide6.QtCore import QEvent, QRectF, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QColor,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app import theme
from app.charts import step
from app.home.plot import Plot
from app.home.scene import Scene
from app.theme import Palette

_RING = 2  # px of the ring around what the keyboard is at
_LEAP = 10  # points


class PlotField(QWidget):
    """A scene. The mouse or the arrow keys choose the round that ``pointed`` tells about."""

    pointed = Signal(str)  # empty: at nothing

    def __init__(self, palette: Palette) -> None:
        super().__init__()
        self._palette = palette
        self._plot = Plot(palette)
        self._scene: Scene | None = None
        self._at: int | None = None
        self.setAccessibleName(self.tr("Chart: you and the swarm"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(_RING, _RING, _RING, _RING)
        column.addWidget(self._plot)

    @property
    def cost_s(self) -> float:
        """Seconds of the processor that the last drawing took."""
        return self._plot.cost_s

    def draw(self, scene: Scene, below: str) -> None:
        """Draw ``scene``; ``below`` names its lower axis. What was pointed at stays so."""
        before = None if self._scene is None or self._at is None else self._scene.xs[self._at]
        self._scene = scene
        self._plot.draw(scene, self.tr("Puzzles solved"), below)
        is_there = before is not None and scene.left <= before <= scene.right
        self._point(scene.nearest(before) if before is not None and is_there else None)

    def set_palette_of_field(self, palette: Palette) -> None:
        """Take on the colours of ``palette``."""
        self._palette = palette
        self._plot.set_colours(palette)
        self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Point at the round below the mouse."""
        if self._scene is not None:
            x = event.position().x() - self._plot.x()
            self._point(self._scene.nearest(self._plot.x_at(x)))

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """Point at nothing any more."""
        self._point(None)
        super().leaveEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802 - Qt's name
        """Point at nothing any more; the keyboard went elsewhere."""
        self._point(None)
        super().focusOutEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Go from round to round, in leaps, or to either end."""
        last = -1 if self._scene is None else len(self._scene.xs) - 1
        at = last + 1 if self._at is None else self._at
        leaps = {Qt.Key.Key_PageUp: -_LEAP, Qt.Key.Key_PageDown: _LEAP}
        wanted = step(event.key(), at, last, leaps)
        if wanted is None:
            super().keyPressEvent(event)
            return
        self._point(wanted)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw a ring where the keyboard is here."""
        if self.hasFocus():
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(self._palette.focus), _RING))
            ring = QRectF(self.rect()).adjusted(1, 1, -1, -1)
            painter.drawRoundedRect(ring, theme.RADIUS_S, theme.RADIUS_S)
            painter.end()

    def _point(self, at: int | None) -> None:
        self._at = at
        x, words = None, ""
        if self._scene is not None and at is not None:
            x, words = self._scene.xs[at], self._scene.reading(at)
        self._plot.point_at(x)
        self.pointed.emit(words)
        if words and words != self.accessibleDescription():
            self.setAccessibleDescription(words)
            change = QAccessibleEvent(self, QAccessible.Event.DescriptionChanged)
            QAccessible.updateAccessibility(change)
