"""A row of buttons of which one is pressed: few choices that are changed often, all in sight."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QButtonGroup, QWidget

from app.widgets.basics import bare_row, button

Segment = tuple[object, str, str]
"""What is chosen, what its button says, and what it is called by whoever does not see the row."""


class Segments(QWidget):
    """Exactly one button is down; ``changed`` tells when another one is pressed.

    Arrow keys move along the row.
    """

    changed = Signal(object)  # what was chosen

    def __init__(self, segments: Sequence[Segment], chosen: object) -> None:
        super().__init__()
        group = QButtonGroup(self)
        row = bare_row(self, 0)
        for value, words, name in segments:
            made = button(words, kind="segment")
            made.setCheckable(True)
            made.setChecked(value == chosen)
            made.setAccessibleName(name)
            made.setMinimumSize(QSize(0, 0))
            made.toggled.connect(lambda on, value=value: self.changed.emit(value) if on else None)
            group.addButton(made)
            row.addWidget(made)
