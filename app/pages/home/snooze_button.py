"""A pause that ends by itself."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMenu, QPushButton

from app.widgets.snooze_menu import fill_snoozes


class SnoozeButton(QPushButton):
    """A small arrow beside Pause, with a menu of how long."""

    chosen = Signal(int)  # seconds

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("kind", "more")
        self.setAccessibleName(self.tr("Pause for a while"))
        self.setToolTip(self.tr("Pause for a while"))
        menu = QMenu(self)
        fill_snoozes(menu, self.chosen.emit)
        self.setMenu(menu)
