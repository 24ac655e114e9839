"""The choice between models: one card each, a radio button inside."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QButtonGroup, QFrame, QRadioButton, QVBoxLayout, QWidget

from app import theme
from app.core_words import listed
from app.model_choices import ModelChoice, offered
from app.widgets import button, drop, label, restyle


class ModelCards(QWidget):
    """Exactly one model is chosen at any time; emits ``chosen`` when a person changes it."""

    chosen = Signal(str)
    more_asked = Signal()  # for models that are not offered here

    def __init__(self) -> None:
        super().__init__()
        self._cards: dict[str, _ModelCard] = {}
        self._shown: tuple[ModelChoice, ...] = ()
        self._guest = ""  # id of a model that is no starter
        self._group = QButtonGroup(self)
        self._more = button(self.tr("More models…"), kind="quiet")
        self._more.setProperty("flush", True)  # noqa: FBT003 - Qt's way
        self._more.clicked.connect(self.more_asked)
        self._column = QVBoxLayout()
        self._column.setSpacing(theme.SPACE_S)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(theme.SPACE_S)
        whole.addLayout(self._column)
        whole.addWidget(self._more, 0, Qt.AlignmentFlag.AlignLeft)

    def show_choices(self, choices: Sequence[ModelChoice], chosen: str) -> None:
        """Offer the starters among ``choices`` and the one that is ``chosen``, which is marked.

        Another one that was chosen before stays, so that one can go back to it. Does nothing where
        nothing changed.
        """
        if any(choice.id == chosen and choice.repo for choice in choices):
            self._guest = chosen
        shown = offered(choices, self._guest)
        if self._shown != shown:
            self._shown = shown
            self._rebuild(shown)
        for id_, card in self._cards.items():
            card.mark(chosen=id_ == chosen)

    def _rebuild(self, choices: Sequence[ModelChoice]) -> None:
        for card in self._cards.values():
            self._group.removeButton(card.radio)
            drop(card, self._column)
        self._cards = {choice.id: _ModelCard(choice) for choice in choices}
        for id_, card in self._cards.items():
            self._group.addButton(card.radio)
            self._column.addWidget(card)
            card.radio.clicked.connect(lambda _on=True, id_=id_: self.chosen.emit(id_))
        self._put_in_turn()

    def _put_in_turn(self) -> None:
        """New cards would come last of the whole page for whoever uses the Tab key."""
        before = self._more.previousInFocusChain() or self._more
        while before is not self._more and before.focusPolicy() is Qt.FocusPolicy.NoFocus:
            before = before.previousInFocusChain() or self._more
        for card in self._cards.values():
            self.setTabOrder(before, card.radio)
            before = card.radio


class _ModelCard(QFrame):
    def __init__(self, choice: ModelChoice) -> None:
        super().__init__()
        self.setProperty("role", "choice")
        self.radio = QRadioButton(choice.title)
        self.radio.setAccessibleName(choice.title)
        self.radio.setAccessibleDescription(listed(choice.sentence))
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.SPACE_M, theme.SPACE_S, theme.SPACE_M, theme.SPACE_M)
        column.setSpacing(theme.SPACE_XS)
        column.addWidget(self.radio)
        if choice.sentence:
            column.addWidget(label(listed(choice.sentence), "small", wrap=True))

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
