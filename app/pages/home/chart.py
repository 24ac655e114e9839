"""The chart *You and the swarm*: a function of points, drawn at most twice a second.

Rounds of a small model take a second, and the longer the curve, the more a drawing of it costs: it
is drawn less often then, so that watching does not take from the practice that is watched. Once
practice stands still there is nothing to take from, and all rounds are drawn at once.
"""

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt, QTimer
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QStackedLayout, QVBoxLayout, QWidget

from app.pages.home.marks import Marker
from app.pages.home.plot_drawing import curve_pen
from app.pages.home.plot_field import PlotField
from app.pages.home.scene import Span, knows_times, scene
from app.style import theme
from app.style.theme import Palette
from app.text.figures import figure
from app.widgets.basics import bare_column, label, picture
from app.widgets.segments import Segments
from core.api.events import Point

_SAMPLE = 22  # px


class CurveKey(QWidget):
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
        """Draw the piece of curve beside the name, on the side where reading begins."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(curve_pen(self._colour, self._style))
        middle = round(QRectF(self.rect()).center().y())
        begin = self.width() - _SAMPLE if self.isRightToLeft() else 1
        painter.drawLine(begin, middle, begin + _SAMPLE - 1, middle)
        painter.end()
        super().paintEvent(event)


REDRAW_MS = 500
MOST_MS = 10_000  # between a round and its being drawn
SHARE = 0.001  # of the processor that drawing may take while rounds go by
ROOMY = 250  # px of height that leave room for words below the curves


class ScoreChart(QWidget):
    """Faint points for single rounds, bold lines for their moving averages; words before that."""

    def __init__(self, palette: Palette, redraw_ms: int = REDRAW_MS) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Chart: you and the swarm"))
        self._palette = palette
        self._points: tuple[Point, ...] = ()
        self._marked: tuple[Marker, ...] = ()
        self._span: Span = "all"
        self._drawn: object = None
        self._field: PlotField | None = None
        self._redraw_ms = redraw_ms
        self._pause = QTimer(self, singleShot=True)
        self._pause.timeout.connect(self._draw)
        self._hint = label("", "muted", wrap=True)
        self._hint.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._switch = self._choice_of_span()
        self._mine = CurveKey(self.tr("Your model"), dashed=False)
        self._swarm = CurveKey(self.tr("Swarm"), dashed=True)
        self._reading = label("", "small", wrap=True)
        self._stack = QStackedLayout()
        self._empty = _empty_page(self._hint)
        self._stack.addWidget(self._empty)
        self._lay_out()
        self.show_palette(palette)

    def show_points(
        self,
        points: tuple[Point, ...],
        hint: str,
        marked: Sequence[Marker] = (),
        *,
        are_last: bool = False,
    ) -> None:
        """Show ``points`` and what is ``marked``, or the words of ``hint`` without any.

        ``are_last``: no more rounds go by for now, and none is left out until the next drawing.
        """
        self._hint.setText(hint)
        before = self._points[:1], self._marked
        self._points, self._marked = points, tuple(marked)
        has_grown = before == (points[:1], self._marked)  # or it is another model's, or a break
        if are_last or not (has_grown and self._pause.isActive()):
            self._draw()

    def show_palette(self, palette: Palette) -> None:
        """Take on the colours of ``palette``."""
        self._palette = palette
        self._mine.set_colour(palette.mine)
        self._swarm.set_colour(palette.swarm)
        if self._field is not None:
            self._field.show_palette(palette)

    def _ready_field(self) -> PlotField:
        if self._field is None:
            self._field = PlotField(self._palette)
            self._field.use_tips(on=not self._is_roomy)
            self._field.pointed.connect(self._show_reading)
            self._stack.addWidget(self._field)
        return self._field

    def _choice_of_span(self) -> Segments:
        made = Segments(
            (
                ("hour", self.tr("Hour"), self.tr("Show the last hour")),
                ("day", self.tr("Day"), self.tr("Show the last day")),
                ("all", self.tr("All"), self.tr("Show all rounds")),
            ),
            self._span,
        )
        made.changed.connect(self._on_span)
        return made

    def _on_span(self, span: Span) -> None:
        self._span = span
        self._draw()

    def _draw(self) -> None:
        wanted = (self._points or self._hint.text(), self._marked, self._span)
        if self._drawn == wanted or not self.isVisible():
            return
        self._drawn = wanted
        self._mine.setVisible(bool(self._points))
        self._swarm.setVisible(any(point.swarm_skill is not None for point in self._points))
        self._switch.setVisible(knows_times(self._points))
        self._show_extras()
        if not self._points:
            self._stack.setCurrentWidget(self._empty)
            self.setAccessibleDescription(self._hint.text())
            return
        field = self._ready_field()
        drawn = scene(self._points, self._marked, self._span)
        by_rounds = self.tr("Rounds practised")
        field.draw(drawn, by_rounds if drawn.ticks is None else self.tr("Time of day"))
        self._stack.setCurrentWidget(field)
        first, last = drawn.points[0].round, drawn.points[-1].round
        one, many = self.tr("Round {} is shown."), self.tr("Rounds {} to {} are shown.")
        shown = one if first == last else many
        self.setAccessibleDescription(shown.format(figure(first), figure(last)))
        self._pause.start(pause_ms(field.cost_s, self._redraw_ms))

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """Draw what has come while nobody looked."""
        super().showEvent(event)
        self._draw()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Leave a small chart all the room there is, and words as many lines as they can take."""
        super().resizeEvent(event)
        self._show_extras()
        lines = 1 if event.size().width() >= theme.READING_WIDTH else 2
        self._reading.setMinimumHeight(lines * theme.TEXT_LINE)

    @property
    def _is_roomy(self) -> bool:
        return self.height() >= ROOMY

    def _show_extras(self) -> None:
        self._reading.setVisible(bool(self._points) and self._is_roomy)
        if self._field is not None:
            self._field.use_tips(on=not self._is_roomy)

    def _show_reading(self, words: str) -> None:
        self._reading.setText(
            words or self.tr("Point at the chart, or use the arrow keys, to read single rounds.")
        )

    def _lay_out(self) -> None:
        top, keys = QHBoxLayout(), QHBoxLayout()
        top.addWidget(label(self.tr("You and the swarm"), "heading"))
        top.addStretch()
        top.addWidget(self._switch)
        keys.setSpacing(theme.SPACE_L)
        for key in (self._mine, self._swarm):
            keys.addWidget(key)
        keys.addStretch()
        self._reading.setAlignment(Qt.AlignmentFlag.AlignTop)
        column = bare_column(self)
        column.addLayout(top)
        column.addLayout(keys)
        column.addLayout(self._stack, 1)
        column.addWidget(self._reading)


def pause_ms(cost_s: float, least: int = REDRAW_MS) -> int:
    """How long to wait after a drawing that takes ``cost_s`` seconds of the processor."""
    return max(least, min(round(1_000 * cost_s / SHARE), MOST_MS))


def _empty_page(words: QLabel) -> QWidget:
    page = QWidget()
    column = QVBoxLayout(page)
    column.setSpacing(theme.SPACE_L)
    column.addStretch()
    column.addWidget(picture(theme.EMBLEM), 0, Qt.AlignmentFlag.AlignHCenter)
    column.addWidget(words)
    column.addStretch()
    return page
