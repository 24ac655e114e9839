"""The choice between models: one card each, a radio button inside."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QButtonGroup, QFrame, QRadioButton, QVBoxLayout, QWidget

from app import theme
from app.model_choices import ModelChoice
from app.widgets import label, restyle


class ModelCards(QWidget):
    """Exactly one model is chosen at any time; emits ``chosen`` when a person changes it."""

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._cards: dict[str, _ModelCard] = {}
        self._group = QButtonGroup(self)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(theme.SPACE_S)

    def show_choices(self, choices: Sequence[ModelChoice], chosen: str) -> None:
        """Offer ``choices``, with ``chosen`` marked; does nothing where nothing changed."""
        if list(self._cards) != [choice.id for choice in choices]:
            self._rebuild(choices)
        for id_, card in self._cards.items():
            card.mark(chosen=id_ == chosen)

    def _rebuild(self, choices: Sequence[ModelChoice]) -> None:
        for card in self._cards.values():
            self._group.removeButton(card.radio)
            self._column.removeWidget(card)
            card.hide()
            card.deleteLater()
        self._cards = {choice.id: _ModelCard(choice) for choice in choices}
        for id_, card in self._cards.items():
            self._group.addButton(card.radio)
            self._column.addWidget(card)
            card.radio.clicked.connect(lambda _on=True, id_=id_: self.chosen.emit(id_))


class _ModelCard(QFrame):
    def __init__(self, choice: ModelChoice) -> None:
        super().__init__()
        self.setProperty("role", "choice")
        self.radio = QRadioButton(choice.title)
        self.radio.setAccessibleName(f"{choice.title}, {choice.size}")
        self.radio.setAccessibleDescription(choice.sentence)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.SPACE_M, theme.SPACE_S, theme.SPACE_M, theme.SPACE_M)
        column.setSpacing(theme.SPACE_XS)
        column.addWidget(self.radio)
        column.addWidget(label(choice.sentence, "small", wrap=True))
        column.addWidget(label(choice.size, "small"))

    def mark(self, *, chosen: bool) -> None:
        """Show whether this is the one."""
        self.radio.setChecked(chosen)
        if self.property("chosen") != chosen:
            self.setProperty("chosen", chosen)
            restyle(self)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """The whole card can be clicked, not only its small circle."""
        inside = self.rect().contains(event.position().toPoint())
        if inside and event.button() is Qt.MouseButton.LeftButton:
            self.radio.click()
        super().mouseReleaseEvent(event)
