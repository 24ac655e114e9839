"""The chart *You and the swarm*: a function of points, drawn at most twice a second.

pyqtgraph and numpy take a quarter of a second to import, so they come with the first points and
not with the window.
"""

import math
from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QRectF, Qt, QTimer
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QLabel, QStackedLayout, QVBoxLayout, QWidget

from app import theme
from app.theme import Palette
from app.widgets import label, picture
from core.engine.curves import moving_average
from core.engine.events import Point

REDRAW_MS = 500
MIN_ROUNDS = 20  # width of the axis before there is more to show
LINE_WIDTH = 2.5
_DOT_ALPHA = 70
_AXES = {"left": "Puzzles solved", "bottom": "Rounds practised"}
_SCALES = ((0.1, 0.02), (0.2, 0.05), (0.3, 0.1), (0.5, 0.1), (0.6, 0.2), (0.8, 0.2), (1.0, 0.2))


class ScoreChart(QWidget):
    """Faint points for single rounds, bold lines for their moving averages; words before that."""

    def __init__(self, palette: Palette, redraw_ms: int = REDRAW_MS) -> None:
        super().__init__()
        self.setAccessibleName("Chart: you and the swarm")
        self._palette = palette
        self._points: tuple[Point, ...] = ()
        self._drawn: tuple[Point, ...] | None = None
        self._plot: _Plot | None = None
        self._pause = QTimer(self, singleShot=True, interval=redraw_ms)
        self._pause.timeout.connect(self._draw)
        self.redraws = 0
        self._hint = label("", "muted", wrap=True)
        self._hint.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._keys = (_CurveKey("Your model", dashed=False), _CurveKey("Swarm", dashed=True))
        self._stack = QStackedLayout()
        self._empty = _empty_page(self._hint)
        self._stack.addWidget(self._empty)
        self._lay_out()
        self.set_palette_of_curves(palette)

    def show_points(self, points: tuple[Point, ...], hint: str) -> None:
        """Show ``points``, or the words of ``hint`` where there are none."""
        self._hint.setText(hint)
        self._points = points
        if not self._pause.isActive():
            self._draw()

    def set_palette_of_curves(self, palette: Palette) -> None:
        """Take on the colours of ``palette``."""
        self._palette = palette
        for key, colour in zip(self._keys, (palette.mine, palette.swarm), strict=True):
            key.set_colour(colour)
        if self._plot is not None:
            self._plot.set_colours(palette)

    def warm_up(self) -> None:
        """Import and build what drawing needs, while nobody waits for it."""
        self._ready_plot()

    def _ready_plot(self) -> "_Plot":
        if self._plot is None:
            self._plot = _Plot(self._palette)
            self._stack.addWidget(self._plot.widget)
        return self._plot

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.setSpacing(theme.SPACE_L)
        top.addWidget(label("You and the swarm", "heading"))
        top.addStretch()
        for key in self._keys:
            top.addWidget(key)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.SPACE_S)
        column.addLayout(top)
        column.addLayout(self._stack, 1)

    def _draw(self) -> None:
        if self._points is self._drawn:
            return
        self._drawn = self._points
        mine, swarm = self._keys
        mine.setVisible(bool(self._points))
        swarm.setVisible(any(point.swarm_score is not None for point in self._points))
        if not self._points:
            self._stack.setCurrentWidget(self._empty)
            self.setAccessibleDescription(self._hint.text())
            return
        plot = self._ready_plot()
        plot.draw(self._points)
        self._stack.setCurrentWidget(plot.widget)
        self.setAccessibleDescription(f"{len(self._points)} rounds are shown.")
        self.redraws += 1
        self._pause.start()


class _Plot:
    """The pyqtgraph side of the chart, which ships no types."""

    def __init__(self, palette: Palette) -> None:
        import numpy as np
        import pyqtgraph as pg

        self._np, self._pg = np, pg
        self.widget: Any = pg.PlotWidget()
        self.widget.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.widget.setMouseEnabled(x=False, y=False)
        self.widget.setMenuEnabled(False)
        self.widget.hideButtons()
        self.widget.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._dots = [pg.ScatterPlotItem(size=5, pen=None, pxMode=True) for _ in range(2)]
        self._lines = [
            pg.PlotCurveItem(antialias=True, connect="finite", skipFiniteCheck=True)
            for _ in range(2)
        ]
        for item in (*reversed(self._dots), *reversed(self._lines)):
            self.widget.addItem(item)
        self._set_up_axes()
        self.set_colours(palette)

    def set_colours(self, palette: Palette) -> None:
        """Colour curves, axes and grid."""
        for dots, line, colour, style in (
            (self._dots[0], self._lines[0], palette.mine, Qt.PenStyle.SolidLine),
            (self._dots[1], self._lines[1], palette.swarm, Qt.PenStyle.DashLine),
        ):
            faint = QColor(colour)
            faint.setAlpha(_DOT_ALPHA)
            dots.setBrush(self._pg.mkBrush(faint))
            # pyqtgraph draws lines in the screen's own pixels, of which a point has several at 2x.
            pen = _pen(colour, style, self.widget.devicePixelRatioF())
            pen.setCosmetic(True)
            line.setPen(pen)
        self.widget.setBackground(palette.surface)
        words = {"color": palette.muted, "font-size": f"{theme.TEXT_SMALL}px"}
        for name, what in _AXES.items():
            axis = self.widget.getAxis(name)
            axis.setPen(self._pg.mkPen(palette.line))
            axis.setTextPen(self._pg.mkPen(palette.muted))
            axis.setTickPen(self._pg.mkPen(palette.line))
            axis.setLabel(what, **words)

    def draw(self, points: Sequence[Point]) -> None:
        """Draw ``points``, at least one."""
        rounds = [point.round for point in points]
        for dots, line, scores in (
            (self._dots[0], self._lines[0], [point.score for point in points]),
            (self._dots[1], self._lines[1], [point.swarm_score for point in points]),
        ):
            known = [(at, s) for at, s in zip(rounds, scores, strict=True) if s is not None]
            dots.setData(x=[at for at, _ in known], y=[s for _, s in known])
            means = moving_average(rounds, scores)
            line.setData(
                x=self._np.array(rounds, dtype=float),
                y=self._np.array([math.nan if m is None else m for m in means]),
            )
        marks = score_marks(points)
        first = min(rounds[0], 1)
        self.widget.setXRange(first, max(rounds[-1], first + MIN_ROUNDS), padding=0.02)
        self.widget.setYRange(0, marks[-1], padding=0.05)  # room for the outer labels
        self.widget.getAxis("left").setTicks([[(mark, percent(mark)) for mark in marks]])

    def _set_up_axes(self) -> None:
        for name in _AXES:
            axis = self.widget.getAxis(name)
            axis.enableAutoSIPrefix(enable=False)
            axis.setStyle(tickLength=0, tickFont=_small_font())
        self.widget.showGrid(x=False, y=True, alpha=1.0)


class _CurveKey(QWidget):
    """A short piece of a curve and its name; tells the curves apart without colour, too."""

    def __init__(self, words: str, *, dashed: bool) -> None:
        super().__init__()
        self._style = Qt.PenStyle.DashLine if dashed else Qt.PenStyle.SolidLine
        self._colour = "black"
        row = QHBoxLayout(self)
        row.setContentsMargins(_SAMPLE + theme.SPACE_S, 0, 0, 0)
        row.addWidget(label(words, "small"))

    def set_colour(self, colour: str) -> None:
        """Draw the piece of curve in ``colour``."""
        self._colour = colour
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw the piece of curve left of the name."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(_pen(self._colour, self._style))
        middle = QRectF(self.rect()).center().y()
        painter.drawLine(1, round(middle), _SAMPLE, round(middle))
        painter.end()
        super().paintEvent(event)


_SAMPLE = 22  # px


def score_marks(points: Sequence[Point]) -> list[float]:
    """Round marks from 0 to the first that is above every point."""
    highest = max(max(point.score, point.swarm_score or 0.0) for point in points)
    top, step = next((scale for scale in _SCALES if highest <= scale[0]), _SCALES[-1])
    return [step * mark for mark in range(round(top / step) + 1)]


def percent(share: float) -> str:
    """A share in words; a no-break space keeps the sign with its number."""
    return f"{100 * share:.0f}\u00a0%"


def _empty_page(words: QLabel) -> QWidget:
    page = QWidget()
    column = QVBoxLayout(page)
    column.setSpacing(theme.SPACE_L)
    column.addStretch()
    column.addWidget(picture(theme.EMBLEM), 0, Qt.AlignmentFlag.AlignHCenter)
    column.addWidget(words)
    column.addStretch()
    return page


def _small_font() -> QFont:
    font = QFont(theme.FONT_FAMILY)
    font.setPixelSize(theme.TEXT_SMALL)
    return font


def _pen(colour: str, style: Qt.PenStyle, scale: float = 1.0) -> QPen:
    pen = QPen(QColor(colour), LINE_WIDTH * scale, style)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap if style is Qt.PenStyle.DashLine else _ROUND)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    return pen


_ROUND = Qt.PenCapStyle.RoundCap
