"""A pause that ends by itself."""

from PySide6.QtWidgets import QMenu, QPushButton

from app.backend.actions import Actions
from app.widgets.snooze_menu import fill_snoozes
from core.api.events import Snooze


class SnoozeButton(QPushButton):
    """A small arrow beside Pause, with a menu of how long."""

    def __init__(self, actions: Actions) -> None:
        super().__init__()
        self.setProperty("kind", "more")
        self.setAccessibleName(self.tr("Pause for a while"))
        self.setToolTip(self.tr("Pause for a while"))
        menu = QMenu(self)
        fill_snoozes(menu, lambda seconds: actions.dispatch(Snooze(seconds=seconds)))
        self.setMenu(menu)
