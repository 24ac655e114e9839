"""The pyqtgraph side of the chart, which ships no types.

pyqtgraph and numpy take a quarter of a second to import, so they come with the first points and
not with the window.
"""

import math
from typing import Any

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPen

from app import theme
from app.charts import percent, small_font
from app.home.scene import Curve, Scene
from app.theme import Palette

LINE_WIDTH = 2.5
_DOT_ALPHA = 70
_BAND_ALPHA = 36
_ROUND = Qt.PenCapStyle.RoundCap
_DASHED, _DOTTED, _SOLID = Qt.PenStyle.DashLine, Qt.PenStyle.DotLine, Qt.PenStyle.SolidLine


class Plot:
    """Draws scenes; ``widget`` is to be put somewhere."""

    def __init__(self, palette: Palette) -> None:
        import numpy as np
        import pyqtgraph as pg

        self._np, self._pg = np, pg
        self._palette = palette
        self.widget: Any = pg.PlotWidget()
        self.widget.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.widget.setMouseEnabled(x=False, y=False)
        self.widget.setMenuEnabled(False)
        self.widget.hideButtons()
        self.widget.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._dots = [pg.ScatterPlotItem(size=5, pen=None, pxMode=True) for _ in range(2)]
        self._lines, self._edges = ([_curve(pg) for _ in range(2)] for _ in range(2))
        self._band = pg.FillBetweenItem(*self._edges)
        self._cursor = pg.InfiniteLine(angle=90)
        self._cursor.hide()
        self._across: list[Any] = []
        for item in (self._band, *reversed(self._dots), *reversed(self._lines), self._cursor):
            self.widget.addItem(item)
        self._set_up_axes()
        self.set_colours(palette)

    def set_colours(self, palette: Palette) -> None:
        """Colour curves, axes and grid."""
        self._palette = palette
        scale = self.widget.devicePixelRatioF()
        for dots, line, colour, style in (
            (self._dots[0], self._lines[0], palette.mine, _SOLID),
            (self._dots[1], self._lines[1], palette.swarm, _DASHED),
        ):
            dots.setBrush(self._pg.mkBrush(_faint(colour, _DOT_ALPHA)))
            # pyqtgraph draws lines in the screen's own pixels, of which a point has several at 2x.
            pen = curve_pen(colour, style, scale)
            pen.setCosmetic(True)
            line.setPen(pen)
        self._band.setBrush(self._pg.mkBrush(_faint(palette.swarm, _BAND_ALPHA)))
        self._cursor.setPen(self._pg.mkPen(palette.muted, width=scale))
        for across in self._across:
            across.setPen(self._mark_pen())
        self.widget.setBackground(palette.surface)
        for name in ("left", "bottom"):
            axis = self.widget.getAxis(name)
            axis.setPen(self._pg.mkPen(palette.line))
            axis.setTextPen(self._pg.mkPen(palette.muted))
            axis.setTickPen(self._pg.mkPen(palette.line))

    def draw(self, scene: Scene, side: str, below: str) -> None:
        """Draw ``scene`` between axes with these names."""
        gaps = [at + 1 for at in scene.cuts]
        xs = self._np.insert(self._np.array(scene.xs, dtype=float), gaps, math.nan)
        for dots, scores in zip(self._dots, (scene.mine, scene.swarm), strict=True):
            known = [(x, s) for x, s in zip(scene.xs, scores, strict=True) if s is not None]
            dots.setData(x=[x for x, _ in known], y=[s for _, s in known])
        means = (scene.my_mean, scene.swarm_mean, scene.low, scene.high)
        for line, mean in zip((*self._lines, *self._edges), means, strict=True):
            line.setData(x=xs, y=self._np.insert(self._numbers(mean), gaps, math.nan))
        self._draw_across([x for x, _ in scene.lines])
        self.widget.setXRange(scene.left, scene.right, padding=0.02)
        self.widget.setYRange(0, scene.levels[-1], padding=0.05)  # room for the outer labels
        left, bottom = self.widget.getAxis("left"), self.widget.getAxis("bottom")
        left.setTicks([[(level, percent(level)) for level in scene.levels]])
        bottom.setTicks(None if scene.ticks is None else [scene.ticks])
        words = {"color": self._palette.muted, "font-size": f"{theme.TEXT_SMALL}px"}
        left.setLabel(side, **words)
        bottom.setLabel(below, **words)

    def x_at(self, x: float) -> float:
        """What lies ``x`` px from the left edge of ``widget``."""
        place = self.widget.mapToScene(QPointF(x, 0).toPoint())
        return float(self.widget.getViewBox().mapSceneToView(place).x())

    def point_at(self, x: float | None) -> None:
        """Draw a line at ``x``; None: nowhere."""
        self._cursor.setVisible(x is not None)
        if x is not None:
            self._cursor.setPos(x)

    def _numbers(self, curve: Curve) -> Any:  # noqa: ANN401 - numpy comes late
        return self._np.array([math.nan if y is None else y for y in curve], dtype=float)

    def _draw_across(self, xs: list[float]) -> None:
        while len(self._across) > len(xs):
            self.widget.removeItem(self._across.pop())
        while len(self._across) < len(xs):
            self._across.append(self._pg.InfiniteLine(angle=90, pen=self._mark_pen()))
            self.widget.addItem(self._across[-1])
        for across, x in zip(self._across, xs, strict=True):
            across.setPos(x)

    def _mark_pen(self) -> QPen:
        scale = self.widget.devicePixelRatioF()
        made: QPen = self._pg.mkPen(self._palette.edge, width=scale, style=_DOTTED)
        return made

    def _set_up_axes(self) -> None:
        for name in ("left", "bottom"):
            axis = self.widget.getAxis(name)
            axis.enableAutoSIPrefix(enable=False)
            axis.setStyle(tickLength=0, tickFont=small_font())
        self.widget.showGrid(x=False, y=True, alpha=1.0)


def curve_pen(colour: str, style: Qt.PenStyle, scale: float = 1.0) -> QPen:
    """The pen of a bold curve."""
    pen = QPen(QColor(colour), LINE_WIDTH * scale, style)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap if style is _DASHED else _ROUND)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    return pen


def _curve(pg: Any) -> Any:  # noqa: ANN401 - it ships no types
    return pg.PlotCurveItem(antialias=True, connect="finite", skipFiniteCheck=True)


def _faint(colour: str, alpha: int) -> QColor:
    faint = QColor(colour)
    faint.setAlpha(alpha)
    return faint
