"""What each step of the welcome is."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from app import theme
from app.state import AppState


class Step(QScrollArea):
    """A column in the middle that scrolls where the window is low."""

    changed = Signal()  # ``is_ready`` may be another

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        text = QWidget()
        text.setMaximumWidth(theme.READING_WIDTH)
        self.column = QVBoxLayout(text)
        self.column.setContentsMargins(theme.SPACE_XL, theme.SPACE_L, theme.SPACE_XL, theme.SPACE_S)
        self.column.setSpacing(theme.SPACE_M)
        page = QWidget()
        centred = QHBoxLayout(page)
        centred.setContentsMargins(0, 0, 0, 0)
        centred.addStretch(1)
        centred.addWidget(text, 100)
        centred.addStretch(1)
        self.setWidget(page)

    @property
    def is_ready(self) -> bool:
        """The person may go on."""
        return True

    def begin(self, state: AppState) -> None:
        """Start from what is chosen by now; what was chosen here before is forgotten."""

    def show_state(self, state: AppState) -> None:
        """Take note of what changed meanwhile."""
