"""A column that scrolls up and down, never sideways."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from app.style import theme


class ScrollArea(QScrollArea):
    """What is in ``column`` is as wide as the area, and as high as it needs to be at that width.

    ``widest`` is a bound of that width in px; 0: there is none.
    """

    def __init__(self, widest: int = 0) -> None:
        super().__init__()
        self.inside = _Inside()
        self.column = QVBoxLayout(self.inside)
        self.column.setContentsMargins(
            theme.SPACE_XL, theme.SPACE_XL, theme.SPACE_XL, theme.SPACE_XL
        )
        self.column.setSpacing(theme.SPACE_S)
        if widest:
            self.inside.setMaximumWidth(widest)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # what is inside has it, and is scrolled to
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidget(self.inside)


class _Inside(QWidget):
    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """No width; and where words wrap, no height: it follows from the width.

        Qt would add up their heights at their narrowest, and leave an empty end.
        """
        follows = self.hasHeightForWidth()
        return QSize(0, 0 if follows else super().minimumSizeHint().height())
