"""Where the chart is drawn, and where it can be asked about single rounds."""

from html import escape
from time import thread_time

from PySide6.QtCore import QEvent, QLineF, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
)
from PySide6.QtWidgets import QToolTip, QVBoxLayout, QWidget

from app.pages.home.plot_drawing import Axes, draw, lay_out
from app.pages.home.scene import ChartScene
from app.style import theme
from app.style.theme import Palette
from app.widgets.charts import draw_focus_ring, step

LEAST = QSize(160, 120)


class Plot(QWidget):
    """Shows one scene at a time; nothing before the first."""

    def __init__(self, palette: Palette) -> None:
        super().__init__()
        self._palette = palette
        self._scene: ChartScene | None = None
        self._names = ("", "")  # of the axes: on the side, and below
        self._pointed: float | None = None
        self._picture: QPixmap | None = None  # of all but what is pointed at
        self.cost_s = 0.0  # that painting the picture took of the processor, the last time
        self.setMinimumSize(LEAST)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def show_palette(self, palette: Palette) -> None:
        """Take on the colours of ``palette``."""
        self._palette = palette
        self._paint_anew()

    def draw(self, scene: ChartScene, side: str, below: str) -> None:
        """Draw ``scene`` between axes with these names."""
        self._scene, self._names = scene, (side, below)
        self._paint_anew()

    def point_at(self, x: float | None) -> None:
        """Draw a line at ``x``; None: nowhere."""
        if x != self._pointed:
            self._pointed = x
            self.update()

    def x_at(self, left: float) -> float:
        """What lies ``left`` px from the left edge."""
        return 0.0 if self._scene is None else self._axes(self._scene).x_at(left)

    def left_of(self, x: float) -> float:
        """How many px from the left edge ``x`` lies."""
        return 0.0 if self._scene is None else self._axes(self._scene).at(x, 0).x()

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw the scene, and the line of what is pointed at."""
        if self._scene is None:
            return
        axes = self._axes(self._scene)
        painter = QPainter(self)
        painter.drawPixmap(0, 0, self._picture_of(axes))
        if self._pointed is not None:
            x = round(axes.at(self._pointed, 0).x()) + 0.5  # on the screen's own pixels
            painter.setPen(QPen(QColor(self._palette.muted), 1))
            painter.drawLine(QLineF(x, axes.field.top(), x, axes.field.bottom()))
        painter.end()

    def _axes(self, scene: ChartScene) -> Axes:
        return lay_out(scene, QRectF(self.rect()))

    def _paint_anew(self) -> None:
        self._picture = None
        self.update()

    def _picture_of(self, axes: Axes) -> QPixmap:
        scale = self.devicePixelRatioF()
        size = self.size() * scale
        if self._picture is None or self._picture.size() != size:
            began = thread_time()
            picture = QPixmap(size)
            picture.setDevicePixelRatio(scale)
            picture.fill(Qt.GlobalColor.transparent)
            painter = QPainter(picture)
            draw(painter, axes, self._names, self._palette)
            painter.end()
            self._picture, self.cost_s = picture, thread_time() - began
        return self._picture


_LEAP = 10  # points
_NEAR = 6.0  # px around the mouse within which what is marked is told


class PlotField(QWidget):
    """A scene. The mouse or the arrow keys choose the round that ``pointed`` tells about."""

    pointed = Signal(str)  # empty: at nothing

    def __init__(self, palette: Palette) -> None:
        super().__init__()
        self._palette = palette
        self._plot = Plot(palette)
        self._scene: ChartScene | None = None
        self._at: int | None = None  # the point that is told about
        self._x: float | None = None  # what the mouse is at; None: the keyboard chose
        self._has_tips = False
        self.setAccessibleName(self.tr("Chart: you and the swarm"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.RING, theme.RING, theme.RING, theme.RING)
        column.addWidget(self._plot)

    @property
    def cost_s(self) -> float:
        """Seconds of the processor that the last drawing took."""
        return self._plot.cost_s

    def draw(self, scene: ChartScene, below: str) -> None:
        """Draw ``scene``; ``below`` names its lower axis. What was pointed at stays so."""
        before = None if self._scene is None or self._at is None else self._scene.xs[self._at]
        self._scene = scene
        self._plot.draw(scene, self.tr("Puzzles solved"), below)
        is_there = before is not None and scene.left <= before <= scene.right
        self._point(scene.nearest(before) if before is not None and is_there else None, self._x)

    def use_tips(self, *, on: bool) -> None:
        """Tell about points beside the mouse, too, where nothing else shows what is told."""
        self._has_tips = on

    def show_palette(self, palette: Palette) -> None:
        """Take on the colours of ``palette``."""
        self._palette = palette
        self._plot.show_palette(palette)
        self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Point at the round below the mouse."""
        if self._scene is not None:
            x = self._plot.x_at(event.position().x() - self._plot.x())
            words = self._point(self._scene.nearest(x), x)
            self._show_tip(words, event.globalPosition().toPoint())

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
        words = self._point(wanted)
        if self._scene is not None:
            left = self._plot.x() + self._plot.left_of(self._scene.xs[wanted])
            self._show_tip(words, self.mapToGlobal(QPoint(round(left), self.height())))

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw a ring where the keyboard is here."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw_focus_ring(painter, self, self._palette)
        painter.end()

    def _point(self, at: int | None, x: float | None = None) -> str:
        """Tell about the point ``at``, and what is marked near ``x``; the words."""
        if at is None and self._at is not None and self._has_tips:
            QToolTip.hideText()
        self._at, self._x = at, x
        here, words = None, ""
        if self._scene is not None and at is not None:
            here = self._scene.xs[at]
            reach = self._plot.x_at(_NEAR) - self._plot.x_at(0)
            words = self._scene.reading(at, x, reach)
        self._plot.point_at(here)
        self.pointed.emit(words)
        if words:
            self.setAccessibleDescription(words)
        return words

    def _show_tip(self, words: str, where: QPoint) -> None:
        if self._has_tips:  # as markup, whose lines end where they are long; words are no markup
            QToolTip.showText(where, f"<p>{escape(words, quote=False)}</p>", self)
