"""Where a scene is shown; painted once, and again only when something else is to be seen."""

from time import thread_time

from PySide6.QtCore import QLineF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QWidget

from app.pages.home.plot_drawing import Axes, draw, lay_out
from app.pages.home.scene import ChartScene
from app.style.theme import Palette

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
