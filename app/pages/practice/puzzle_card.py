"""One puzzle that passed by: what was asked, and what was answered to it."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QEnterEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout

from app.pages.practice.answer_list import AnswerList
from app.pages.practice.answers import tally
from app.style import theme
from app.text.core_words import listed
from app.text.figures import figure
from app.text.plain_text import harmless
from app.widgets.basics import hung, label
from app.widgets.question_box import question_box
from app.widgets.row_list import RowButton
from core.api.preview import Attempt, PuzzleTried

_LONGEST_NAME = 40


class PuzzleCard(QFrame):
    """The question on the left, answers on the right; a peer's with a way to block it."""

    block_asked = Signal(str)  # peer id
    entered = Signal()  # the mouse came over it

    def __init__(self, puzzle: PuzzleTried) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self.puzzle = puzzle
        self.block: QPushButton | None = None  # the button, where a peer answered
        card = QVBoxLayout(self)
        card.setContentsMargins(theme.SPACE_L, theme.SPACE_M, theme.SPACE_L, theme.SPACE_L)
        card.setSpacing(theme.SPACE_S)
        card.addLayout(self._heading())
        body = QHBoxLayout()
        body.setSpacing(theme.SPACE_L)
        asked = QVBoxLayout()
        asked.addWidget(question_box(puzzle.question))
        asked.addStretch()
        body.addLayout(asked, 1)
        body.addLayout(self._answers(), 1)
        card.addLayout(body)

    def enterEvent(self, event: QEnterEvent) -> None:  # noqa: N802 - Qt's name
        """Tell of it."""
        super().enterEvent(event)
        self.entered.emit()

    def _heading(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.addWidget(label(listed(self.puzzle.title), "heading", wrap=True), 1)
        number = self.tr("Round {}").format(figure(self.puzzle.round))
        row.addWidget(label(number, "small"), 0, Qt.AlignmentFlag.AlignTop)
        return row

    def _answers(self) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(theme.SPACE_S)
        if self.puzzle.own:
            self._add(column, self.tr("Your model"), self.puzzle.own)
        if self.puzzle.theirs:
            if self.puzzle.own:
                column.addSpacing(theme.SPACE_S)
            name = harmless(self.puzzle.name, _LONGEST_NAME, 1)
            self._add(column, self.tr("What {} answered to this").format(name), self.puzzle.theirs)
            self.block = self._block_button(name)
            row = hung(self.block, theme.QUIET_INSET)
            row.addStretch()
            column.addLayout(row)
        column.addStretch()
        return column

    def _add(self, column: QVBoxLayout, who: str, attempts: Sequence[Attempt]) -> None:
        said = tally(attempts)
        whole = said.replace(" ", "\u00a0")  # its words stay in one line
        words = self.tr("{who}: {said}").format(who=who, said=whole) if said else who
        column.addWidget(label(words, "muted", wrap=True))
        column.addWidget(AnswerList(attempts))

    def _block_button(self, name: str) -> QPushButton:
        made = RowButton(self.tr("Block {}").format(name), "quiet")
        made.setAccessibleDescription(
            self.tr("Nothing of {} is shown or learnt from any more").format(name)
        )
        made.clicked.connect(lambda: self.block_asked.emit(self.puzzle.peer))
        return made
