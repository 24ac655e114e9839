"""How long a pause can be that ends by itself."""

from collections.abc import Callable
from datetime import UTC, datetime

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QMenu

from core.api.snoozing import seconds_till_tomorrow

translate = QCoreApplication.translate

HALF_AN_HOUR_S = 30 * 60
HOUR_S = 60 * 60


def fill_snoozes(menu: QMenu, chosen: Callable[[int], object]) -> None:
    """Put an entry for every span into ``menu``; ``chosen`` is told its seconds."""
    spans: tuple[tuple[str, Callable[[], int]], ...] = (
        (translate("Snoozes", "For 30 minutes"), lambda: HALF_AN_HOUR_S),
        (translate("Snoozes", "For 1 hour"), lambda: HOUR_S),
        (translate("Snoozes", "Until tomorrow"), lambda: seconds_till_tomorrow(datetime.now(UTC))),
    )
    for words, seconds in spans:
        action = menu.addAction(words)
        action.triggered.connect(lambda _on=False, s=seconds: chosen(s()))
