"""The card with the bar chart: how far back it goes, and a line about one day."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from app.pages.contribution.bar_drawing import BarScene, draw, lay_out
from app.pages.contribution.columns import SPANS, WEEK, Column, Span, columns
from app.style import theme
from app.style.theme import Palette
from app.widgets.basics import label
from app.widgets.charts import draw_focus_ring, step
from app.widgets.segments import Segments
from core.api.contribution import ContributionShown

LEAST_SIZE = QSize(320, 200)


class BarChart(QWidget):
    """One bar a day. The mouse or the arrow keys choose the day that ``pointed`` tells about."""

    pointed = Signal(str)  # all about the chosen day; about today where none is chosen

    def __init__(self, palette: Palette) -> None:
        super().__init__()
        self._palette = palette
        self._columns: tuple[Column, ...] = ()
        self._hovered: int | None = None
        self._chosen: int | None = None  # by keyboard
        self.setAccessibleName(self.tr("Chart: practice per day"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setMinimumSize(LEAST_SIZE)

    def show_columns(self, columns: Sequence[Column]) -> None:
        """Draw ``columns``, at least one; the last one is today."""
        if len(columns) != len(self._columns):
            self._hovered = self._chosen = None
        self._columns = tuple(columns)
        self._tell()

    def show_palette(self, palette: Palette) -> None:
        """Take on the colours of ``palette``."""
        self._palette = palette
        self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Point at the day below the mouse."""
        self._hover(self._scene().column_at(event.position()) if self._columns else None)

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """Point at nothing any more."""
        self._hover(None)
        super().leaveEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Go from day to day, from week to week, or to either end."""
        last = len(self._columns) - 1
        at = last if self._chosen is None else self._chosen
        leaps = {Qt.Key.Key_Up: -WEEK, Qt.Key.Key_Down: WEEK}
        wanted = step(event.key(), at, last, leaps)
        if wanted is None:
            super().keyPressEvent(event)
            return
        self._chosen, self._hovered = wanted, None
        self._tell()

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802 - Qt's name
        """Point at nothing any more; the keyboard went elsewhere."""
        self._chosen = None
        self._tell()
        super().focusOutEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw the days, and a ring where the keyboard is here."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._columns:
            draw(painter, self._scene(), self._palette, self._pointed_at())
        draw_focus_ring(painter, self, self._palette)
        painter.end()

    def _scene(self) -> BarScene:
        return lay_out(self._columns, QRectF(self.rect()))

    def _hover(self, at: int | None) -> None:
        if at != self._hovered:
            self._hovered = at
            self._tell()

    def _pointed_at(self) -> int | None:
        return self._chosen if self._hovered is None else self._hovered

    def _tell(self) -> None:
        self.update()
        if not self._columns:
            return
        at = self._pointed_at()
        words = self._columns[-1 if at is None else at].words
        self.pointed.emit(words)
        self.setAccessibleDescription(words)


TALLEST = 440  # px; higher bars tell nothing more


class DaysCard(QFrame):
    """A function of what the helper found, and of how many days the person wants to see."""

    def __init__(self, palette: Palette) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self.setMaximumHeight(TALLEST)
        self._shown: ContributionShown | None = None
        self._span: Span = SPANS[0]
        self._chart = BarChart(palette)
        self._words = label("", "muted", wrap=True)
        self._chart.pointed.connect(self._words.setText)
        self._lay_out()

    def show_contribution(self, shown: ContributionShown) -> None:
        """Draw the days of ``shown``."""
        self._shown = shown
        self._chart.show_columns(columns(shown.days, shown.today, self._span))

    def show_palette(self, palette: Palette) -> None:
        """Take on the colours of ``palette``."""
        self._chart.show_palette(palette)

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.setSpacing(theme.SPACE_M)
        top.addWidget(label(self.tr("Practice per day"), "heading"))
        top.addStretch()
        names = {30: self.tr("Month"), 90: self.tr("3 months"), 365: self.tr("Year")}
        shown = self.tr("Show: {}")
        spans = Segments([(s, names[s], shown.format(names[s])) for s in SPANS], self._span)
        spans.changed.connect(self._choose)
        top.addWidget(spans)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.SPACE_L, theme.SPACE_M, theme.SPACE_L, theme.SPACE_M)
        column.setSpacing(theme.SPACE_XS)
        column.addLayout(top)
        column.addWidget(self._words)
        column.addWidget(self._chart, 1)

    def _choose(self, span: Span) -> None:
        self._span = span
        if self._shown is not None:
            self.show_contribution(self._shown)
