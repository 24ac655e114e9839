"""The card with the bar chart: how far back it goes, and a line about one day."""

from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout

from app.pages.contribution.bar_chart import BarChart
from app.pages.contribution.columns import SPANS, Span, columns
from app.style import theme
from app.style.theme import Palette
from app.widgets.basics import label
from app.widgets.segments import Segments
from core.api.contribution import ContributionShown

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
