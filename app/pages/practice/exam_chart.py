"""Before and after, a line each: a hollow dot, and a filled one where it is now.

Where it is known how sure they are, each has its interval around it.
"""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QSizePolicy, QWidget

from app.pages.practice.exam_view_model import ExamRow, scale_words
from app.style import theme
from app.style.theme import Palette
from app.widgets.basics import label

_RADIUS = 4.5  # px of a dot
_ROW = 24  # px
_FAINT = 0.3  # opacity of an interval
_MARKS = (0.0, 0.5, 1.0)


class ExamChart(QWidget):
    """A function of its rows; every figure stands there in words, too.

    Its lines end at the share ``scale``.
    """

    def __init__(self, rows: Sequence[ExamRow], palette: Palette, scale: float = 1.0) -> None:
        super().__init__()
        self._tracks: list[_Track] = []
        self._dots = (_Key(is_filled=False), _Key(is_filled=True))
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(theme.SPACE_M)
        grid.setVerticalSpacing(theme.SPACE_XS)
        grid.setColumnStretch(0, 6)
        grid.setColumnStretch(1, 5)
        grid.addLayout(self._legend(), 0, 1)
        grid.addWidget(label(scale_words(scale), "small"), 0, 2, _MIDDLE | _RIGHT)
        for number, row in enumerate(rows, start=1):
            track = _Track(row, scale)
            self._tracks.append(track)
            grid.addWidget(label(row.title, wrap=True), number, 0, _MIDDLE)
            grid.addWidget(track, number, 1)
            grid.addWidget(label(row.words, "muted"), number, 2, _MIDDLE | _RIGHT)
        self.show_palette(palette)

    def show_palette(self, palette: Palette) -> None:
        """Take on the colours of ``palette``."""
        for drawn in (*self._tracks, *self._dots):
            drawn.show_palette(palette)

    def _legend(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(theme.SPACE_XS)
        for dot, words in zip(self._dots, (self.tr("before"), self.tr("now")), strict=True):
            row.addWidget(dot)
            row.addWidget(label(words, "small"))
            row.addSpacing(theme.SPACE_M)
        row.addStretch()
        return row


_MIDDLE = Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight


class _Dots(QWidget):
    """Draws dots in the colours of the palette that it was given."""

    def __init__(self) -> None:
        super().__init__()
        self._colours: Palette = theme.LIGHT

    def show_palette(self, palette: Palette) -> None:
        """Take on the colours of ``palette``."""
        self._colours = palette
        self.update()

    def _painter(self) -> QPainter:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        return painter

    def _dot(self, painter: QPainter, at: QPointF, *, is_filled: bool) -> None:
        colour = QColor(self._colours.mine if is_filled else self._colours.muted)
        painter.setPen(QPen(colour, 2))
        painter.setBrush(colour if is_filled else QColor(self._colours.surface))
        painter.drawEllipse(at, _RADIUS, _RADIUS)


class _Key(_Dots):
    """A dot that stands for all of its kind."""

    def __init__(self, *, is_filled: bool) -> None:
        super().__init__()
        self._is_filled = is_filled
        self.setFixedSize(QSize(theme.SPACE_L, theme.TEXT_LINE))

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw the one dot."""
        painter = self._painter()
        middle = QPointF(self.width() / 2, self.height() / 2)
        self._dot(painter, middle, is_filled=self._is_filled)
        painter.end()


class _Track(_Dots):
    """The line from none to the share at the end of its scale, with two dots on it."""

    def __init__(self, row: ExamRow, scale: float) -> None:
        super().__init__()
        self._scale = scale
        self._row = row
        self.setMinimumHeight(_ROW)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw the line, its marks, the way between the dots, and the dots."""
        painter = self._painter()
        row = self._row
        before, now = self._at(row.before), self._at(row.now)
        painter.setPen(QPen(QColor(self._colours.line), 1))
        painter.drawLine(self._at(0.0), self._at(self._scale))
        for mark in (self._at(mark * self._scale) for mark in _MARKS):
            painter.drawLine(mark - QPointF(0, _RADIUS), mark + QPointF(0, _RADIUS))
        painter.setPen(QPen(QColor(self._colours.edge), 2))
        painter.drawLine(before, now)
        self._interval(painter, row.before, row.before_margin, self._colours.muted)
        self._interval(painter, row.now, row.now_margin, self._colours.mine)
        self._dot(painter, before, is_filled=False)
        self._dot(painter, now, is_filled=True)
        painter.end()

    def _interval(self, painter: QPainter, share: float, margin: float, colour: str) -> None:
        if margin == 0.0:
            return
        faint = QColor(colour)
        faint.setAlphaF(_FAINT)
        painter.setPen(QPen(faint, 2 * _RADIUS, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
        painter.drawLine(
            self._at(max(0.0, share - margin)), self._at(min(self._scale, share + margin))
        )

    def _at(self, share: float) -> QPointF:
        margin = _RADIUS + 2
        return QPointF(
            margin + share / self._scale * (self.width() - 2 * margin), self.height() / 2
        )
