"""A column that scrolls up and down, never sideways."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from app import theme


class Scroll(QScrollArea):
    """What is in ``column`` is as wide as the area, and as high as it needs to be at that width."""

    def __init__(self) -> None:
        super().__init__()
        self.inside = _Inside()
        self.column = QVBoxLayout(self.inside)
        self.column.setContentsMargins(
            theme.SPACE_XL, theme.SPACE_XL, theme.SPACE_XL, theme.SPACE_XL
        )
        self.column.setSpacing(theme.SPACE_S)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # what is inside has it, and is scrolled to
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidget(self.inside)


class _Inside(QWidget):
    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """None: Qt would add up the heights of words at their narrowest, and leave an empty end."""
        return QSize(0, 0)
