"""What practising costs, as a small card."""

from PySide6.QtWidgets import QWidget

from app.pages.contribution.energy_words import energy_words
from app.style import theme
from app.widgets.basics import bare_column, column_of, frame, label
from core.api.contribution import ContributionShown


class EnergyCard(QWidget):
    """A function of the contribution; hidden where nothing is known of its energy."""

    def __init__(self) -> None:
        super().__init__()
        self._headline = label("", wrap=True)
        self._now = label("", "muted", wrap=True)
        self._source = label("", "small", wrap=True)
        card = frame("card", margin=theme.SPACE_L, spacing=theme.SPACE_XS)
        column = column_of(card)
        column.addWidget(label(self.tr("Electricity"), "heading"))
        for line in (self._headline, self._now, self._source):
            column.addWidget(line)
        bare_column(self).addWidget(card)
        self.hide()

    def show_contribution(self, shown: ContributionShown) -> None:
        """Say what is known."""
        words = energy_words(shown)
        if words is not None:
            self._headline.setText(words.headline)
            self._source.setText(words.source)
            self._now.setText(words.now)
            self._now.setVisible(bool(words.now))
        self.setVisible(words is not None)
