"""How long a pause can be that ends by itself."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Final

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QMenu

MORNING: Final = 6
"""The hour at which tomorrow begins for whoever says it late at night, too."""


def seconds_till_tomorrow(now: datetime) -> int:
    """Seconds from ``now`` to the next morning by the clock on the wall.

    That clock may skip an hour of this night, or show one twice.
    """
    here = now.astimezone()
    wall = here.replace(tzinfo=None)
    morning = wall.replace(hour=MORNING, minute=0, second=0, microsecond=0)
    if morning <= wall:
        morning += timedelta(days=1)
    return max(1, round((morning.astimezone() - here).total_seconds()))


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
