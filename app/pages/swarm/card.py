"""What all cards of this page have in common."""

from PySide6.QtWidgets import QFrame, QVBoxLayout

from app.style import theme
from app.widgets.basics import label


class Card(QFrame):
    """A frame with a column, and a heading where it is given one."""

    def __init__(self, heading: str = "", *, role: str = "card") -> None:
        super().__init__()
        self.setProperty("role", role)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(theme.SPACE_L, theme.SPACE_L, theme.SPACE_L, theme.SPACE_L)
        self.column.setSpacing(theme.SPACE_S)
        if heading:
            self.column.addWidget(label(heading, "heading", wrap=True))
