"""What each step of the welcome is."""

from PySide6.QtCore import Qt, Signal

from app.state.app_state import AppState
from app.style import theme
from app.widgets.scroll_area import ScrollArea


class WelcomeStep(ScrollArea):
    """A column in the middle that scrolls where the window is low."""

    changed = Signal()  # ``is_ready`` may be another

    def __init__(self) -> None:
        super().__init__(widest=theme.READING_WIDTH)
        self.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.column.setContentsMargins(
            theme.SPACE_XL, theme.SPACE_XL, theme.SPACE_XL, theme.SPACE_S
        )
        self.column.setSpacing(theme.SPACE_M)
        self.verticalScrollBar().rangeChanged.connect(self._balance)

    @property
    def is_ready(self) -> bool:
        """The person may go on."""
        return True

    def _balance(self, _least: int, most: int) -> None:
        """Leave as much room on the left as the bar takes on the right, or it would push aside."""
        bar = self.verticalScrollBar().sizeHint().width()
        self.setViewportMargins(bar if most else 0, 0, 0, 0)

    def begin(self, state: AppState) -> None:
        """Start from what is chosen by now; what was chosen here before is forgotten."""
