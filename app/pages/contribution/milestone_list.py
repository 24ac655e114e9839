"""Milestones: those of the past with their day, those ahead with how far they are."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QFrame, QSizePolicy, QVBoxLayout, QWidget

from app.pages.contribution.steps import MilestoneStep
from app.style import theme
from app.style.theme import Palette
from app.text.phrases import labelled
from app.widgets.basics import bare_row, label

_PEN = 2.5  # px
_FULL = 360 * 16  # in Qt's sixteenths of a degree
_TOP = 90 * 16
_TICK = ((0.28, 0.53), (0.44, 0.69), (0.73, 0.36))  # in shares of the circle's side


class ProgressRing(QWidget):
    """A function of the share that is done; says nothing that the words beside it do not say."""

    def __init__(self, palette: Palette) -> None:
        super().__init__()
        self._palette = palette
        self._share = 0.0
        # As high as a line of text, so that it stands in the middle of the first one.
        self.setFixedSize(QSize(theme.TEXT_LINE, theme.TEXT_LINE))

    def show_share(self, share: float, palette: Palette) -> None:
        """Draw ``share``, in [0, 1], in the colours of ``palette``."""
        self._share, self._palette = share, palette
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw the ring."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        circle = QRectF(self.rect()).adjusted(_PEN, _PEN, -_PEN, -_PEN)
        if self._share >= 1:
            self._draw_tick(painter, circle)
        else:
            painter.setPen(QPen(QColor(self._palette.line), _PEN))
            painter.drawEllipse(circle)
            painter.setPen(QPen(QColor(self._palette.mine), _PEN))
            painter.drawArc(circle, _TOP, -round(_FULL * self._share))
        painter.end()

    def _draw_tick(self, painter: QPainter, circle: QRectF) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._palette.good))
        painter.drawEllipse(circle.adjusted(-1, -1, 1, 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(self._palette.surface), _PEN * 0.75))
        side = circle.width()
        corners = [QPointF(circle.left() + x * side, circle.top() + y * side) for x, y in _TICK]
        painter.drawPolyline(QPolygonF(corners))


class MilestoneList(QWidget):
    """A function of its steps."""

    def __init__(self, palette: Palette) -> None:
        super().__init__()
        self._reached = _StepCard(palette, self.tr("Milestones"), self.tr("The first is near."))
        self._ahead = _StepCard(palette, self.tr("Next"), self.tr("All of them are behind you."))
        # The cards inside could grow; spare room belongs below them all.
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        row = bare_row(self)
        row.addWidget(self._reached, 1)
        row.addWidget(self._ahead, 1)

    def show_steps(self, reached: Sequence[MilestoneStep], ahead: Sequence[MilestoneStep]) -> None:
        """Show what was reached and what comes next."""
        self._reached.show_steps(reached)
        self._ahead.show_steps(ahead)

    def show_palette(self, palette: Palette) -> None:
        """Take on the colours of ``palette``."""
        self._reached.show_palette(palette)
        self._ahead.show_palette(palette)


class _StepCard(QFrame):
    def __init__(self, palette: Palette, title: str, otherwise: str) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self._palette = palette
        self._rows: list[_StepRow] = []
        self._otherwise = label(otherwise, "muted", wrap=True)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(theme.SPACE_L, theme.SPACE_M, theme.SPACE_L, theme.SPACE_L)
        self._column.setSpacing(theme.SPACE_S)
        self._column.addWidget(label(title, "heading"))
        self._column.addWidget(self._otherwise)
        self._column.addStretch()

    def show_steps(self, steps: Sequence[MilestoneStep]) -> None:
        for _ in range(len(self._rows), len(steps)):
            row = _StepRow(self._palette)
            self._rows.append(row)
            self._column.insertWidget(self._column.count() - 1, row)
        for row, step in zip(self._rows, steps, strict=False):
            row.show_step(step)
        for at, row in enumerate(self._rows):
            row.setVisible(at < len(steps))
        self._otherwise.setVisible(not steps)

    def show_palette(self, palette: Palette) -> None:
        self._palette = palette
        for row in self._rows:
            row.show_palette(palette)


class _StepRow(QWidget):
    def __init__(self, palette: Palette) -> None:
        super().__init__()
        self._palette = palette
        self._share = 0.0
        self._ring = ProgressRing(palette)
        self._words = label("", wrap=True)
        self._note = label("", "small")
        row = bare_row(self)
        row.addWidget(self._ring, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self._words, 1)
        row.addWidget(self._note, 0, Qt.AlignmentFlag.AlignTop)
        self._note.setMinimumHeight(theme.TEXT_LINE)

    def show_step(self, step: MilestoneStep) -> None:
        self._share = step.share
        self._words.setText(step.words)
        self._note.setText(step.note)
        self.setAccessibleName(labelled(step.words, step.note))
        self._ring.show_share(self._share, self._palette)

    def show_palette(self, palette: Palette) -> None:
        self._palette = palette
        self._ring.show_share(self._share, palette)
