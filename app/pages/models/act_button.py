"""A button for a ``RowAction``."""

from collections.abc import Callable

from PySide6.QtWidgets import QPushButton

from app.pages.models.view_model import RowAction
from app.widgets.basics import set_button

OnAct = Callable[[RowAction], None]


class ActButton(QPushButton):
    """Hidden while there is nothing to want."""

    def __init__(self, on_act: OnAct, kind: str = "small") -> None:
        super().__init__()
        self._act: RowAction | None = None
        self.setProperty("kind", kind)
        self.setAutoDefault(True)  # Enter presses what has the focus
        self.clicked.connect(lambda: on_act(self._act) if self._act is not None else None)
        self.hide()

    def show_act(self, act: RowAction | None) -> None:
        """Take on the words of ``act``."""
        if act != self._act:
            self._act = act
            if act is not None:
                set_button(self, act.text, enabled=act.enabled)
                self.setAccessibleName(act.name or act.text)
        self.setVisible(act is not None)
