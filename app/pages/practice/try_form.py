"""What the model is asked: a puzzle of some kind, or words of one's own."""

import secrets
from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QComboBox,
    QHBoxLayout,
    QPlainTextEdit,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from app.pages.practice.try_view_model import hint
from app.state.model_choices import ModelChoice
from app.style import theme
from app.text.core_words import listed
from app.widgets.basics import hung, label
from core.api.practice import PuzzleKind
from core.api.preview import QUESTION_LENGTH

_TEXT_HEIGHT = 72  # px, three lines


class TryForm(QWidget):
    """A choice of two; ``changed`` whenever what it would ask is another thing."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._kinds: tuple[PuzzleKind, ...] = ()
        self._puzzle = QRadioButton(self.tr("A puzzle"))
        self._own = QRadioButton(self.tr("Your own words"))
        self._kind = QComboBox()
        self._text = QPlainTextEdit()
        self._hint = label("", "small", wrap=True)
        self._group = QButtonGroup(self)
        self._set_up()
        self._lay_out()
        self._puzzle.setChecked(True)

    @property
    def task(self) -> str:
        """The kind of puzzle to ask, drawn by lot where any will do; empty for own words."""
        if not self._puzzle.isChecked() or not self._kinds:
            return ""
        chosen = self._kind.currentIndex()
        return secrets.choice(self._kinds).task if chosen < 1 else self._kinds[chosen - 1].task

    @property
    def text(self) -> str:
        """The own words; empty for a puzzle."""
        return "" if self._puzzle.isChecked() else self._text.toPlainText().strip()

    @property
    def can_ask(self) -> bool:
        """There is something to ask."""
        return (
            bool(self._kinds) if self._puzzle.isChecked() else 0 < len(self.text) <= QUESTION_LENGTH
        )

    def show_model(self, model: ModelChoice) -> None:
        """Say what may be asked of ``model``."""
        self._hint.setText(hint(model))

    def show_kinds(self, kinds: Sequence[PuzzleKind]) -> None:
        """Offer ``kinds`` of puzzles."""
        ordered = tuple(sorted(kinds, key=lambda kind: listed(kind.title).casefold()))
        if ordered == self._kinds:
            return
        self._kinds = ordered
        self._kind.clear()
        self._kind.addItem(self.tr("Of any kind"))
        self._kind.addItems([listed(kind.title) for kind in ordered])
        self.changed.emit()

    def _set_up(self) -> None:
        for choice in (self._puzzle, self._own):
            choice.setAccessibleName(choice.text())
            self._group.addButton(choice)
            choice.toggled.connect(self._on_toggled)
        self._kind.setAccessibleName(self.tr("Kind of puzzle"))
        self._kind.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self._text.setAccessibleName(self.tr("Your own words"))
        self._text.setPlaceholderText(self.tr("Ask something, for example: What is 17 + 25?"))
        self._text.setFixedHeight(_TEXT_HEIGHT)
        self._text.setTabChangesFocus(True)
        self._text.textChanged.connect(self.changed)

    def _on_toggled(self) -> None:
        self._kind.setVisible(self._puzzle.isChecked())
        for widget in (self._text, self._hint):
            widget.setVisible(self._own.isChecked())
        self.changed.emit()

    def _lay_out(self) -> None:
        choices = hung(self._puzzle, theme.RADIO_INSET)
        choices.addSpacing(theme.SPACE_XL)
        choices.addWidget(self._own)
        choices.addStretch()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addSpacing(theme.RADIO_INSET)
        column = QVBoxLayout()
        row.addLayout(column)
        column.setSpacing(theme.SPACE_S)
        column.addLayout(choices)
        column.addWidget(self._kind, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self._text)
        column.addWidget(self._hint)
