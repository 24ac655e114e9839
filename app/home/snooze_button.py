"""A pause that ends by itself."""

from collections.abc import Callable
from datetime import UTC, datetime

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMenu, QPushButton

from core.engine.snoozing import seconds_till_tomorrow

HALF_AN_HOUR_S = 30 * 60
HOUR_S = 60 * 60


class SnoozeButton(QPushButton):
    """A small arrow beside Pause, with a menu of how long."""

    chosen = Signal(int)  # seconds

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("kind", "more")
        self.setAccessibleName(self.tr("Pause for a while"))
        self.setToolTip(self.tr("Pause for a while"))
        menu = QMenu(self)
        spans: tuple[tuple[str, Callable[[], int]], ...] = (
            (self.tr("For 30 minutes"), lambda: HALF_AN_HOUR_S),
            (self.tr("For 1 hour"), lambda: HOUR_S),
            (self.tr("Until tomorrow"), lambda: seconds_till_tomorrow(_now())),
        )
        for words, seconds in spans:
            action = menu.addAction(words)
            action.triggered.connect(lambda _on=False, s=seconds: self.chosen.emit(s()))
        self.setMenu(menu)


def _now() -> datetime:
    return datetime.now(UTC).astimezone()
