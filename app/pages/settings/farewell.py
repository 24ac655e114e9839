"""Asks twice before everything is removed."""

import time
from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from app.style import theme
from app.widgets.basics import button, label, set_button
from app.widgets.confirm import ConfirmButton


class Farewell(QDialog):
    """Says what goes; the word has to be typed, and the button pressed twice."""

    agreed = Signal()

    def __init__(self, parent: QWidget, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(parent)
        self._word = self.tr("remove")
        self._thought = ConfirmButton(clock)
        self.setWindowTitle(self.tr("Remove everything"))
        self.setModal(True)
        self._typed = QLineEdit()
        self._typed.setAccessibleName(self.tr("The word that confirms it"))
        self._typed.textChanged.connect(self._on_typed)
        self._go = button(self.tr("Remove everything"), kind="danger")
        self._go.setEnabled(False)
        self._go.setAutoDefault(False)  # Enter in the field must not press it
        self._go.clicked.connect(self._on_go)
        self._keep = button(self.tr("Keep everything"))
        self._keep.clicked.connect(self.reject)
        self._lay_out()
        self._typed.setFocus()

    def _on_typed(self, text: str) -> None:
        self._thought.drop()
        is_right = text.strip().casefold() == self._word.casefold()
        set_button(self._go, self.tr("Remove everything"), enabled=is_right)

    def _on_go(self) -> None:
        if not self._thought.press():
            set_button(self._go, self.tr("Really remove everything?"), enabled=True)
            return
        self.accept()
        self.agreed.emit()

    def _lay_out(self) -> None:
        goes = self.tr(
            "Your identity, what your models learnt, fetched models, rounds, scores and settings "
            "are deleted from this computer. Nothing of it can be brought back; what others have "
            "of your model's answers stays with them for a while."
        )
        first = self.tr("To keep who you are, or a model, back it up or export it before.")
        how = self.tr("To go on, type the word: {word}").format(word=self._word)
        buttons = QHBoxLayout()
        buttons.setSpacing(theme.SPACE_S)
        buttons.addWidget(self._go)
        buttons.addStretch()
        buttons.addWidget(self._keep)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.SPACE_XL, theme.SPACE_XL, theme.SPACE_XL, theme.SPACE_XL)
        column.setSpacing(theme.SPACE_M)
        column.addWidget(label(self.tr("Remove everything?"), "lead"))
        for words in (goes, first, how):
            column.addWidget(label(words, wrap=True))
        column.addWidget(self._typed)
        column.addSpacing(theme.SPACE_S)
        column.addLayout(buttons)
        self.setFixedWidth(theme.DIALOG_WIDTH)
