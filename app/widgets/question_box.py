"""A question in its box, and questions of a deck with their answers; all of it plain text."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QLabel, QVBoxLayout, QWidget

from app.style import theme
from app.text.plain_text import blocks, breakable, harmless, is_grid
from app.widgets.basics import column_of, frame, label
from app.widgets.selectable_label import SelectableLabel
from core.api.decks import SampleQuestion
from core.api.preview import QUESTION_LENGTH

_LONGEST_ANSWER: Final = 400


def question_box(text: str) -> QFrame:
    """The question ``text``; paragraphs that are grids in letters of one width."""
    box = frame("question", margin=theme.SPACE_M, spacing=theme.SPACE_S)
    for block in blocks(harmless(text, QUESTION_LENGTH)):
        column_of(box).addWidget(text_label(block))
    return box


def text_label(text: str) -> QLabel:
    """``text``, which is harmless already, so that it can be selected and breaks everywhere."""
    made = SelectableLabel(breakable(text), "fixed" if is_grid(text) else "body")
    made.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
    return made


class SampleList(QWidget):
    """Questions with what is accepted as their answers."""

    def __init__(self, questions: Sequence[SampleQuestion]) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, theme.SPACE_S, 0, 0)
        column.setSpacing(theme.SPACE_S)
        for one in questions:
            column.addWidget(label(self.tr("Level {}").format(one.level), "small"))
            column.addWidget(question_box(one.question))
            answer = self.tr("Answer: {}").format(harmless(one.answers, _LONGEST_ANSWER))
            column.addWidget(text_label(answer))
            column.addSpacing(theme.SPACE_S)
