"""How long a pause lasts that is to end tomorrow; pure."""

from datetime import datetime, timedelta
from typing import Final

MORNING: Final = 6
"""The hour at which tomorrow begins for whoever says it late at night, too."""


def seconds_till_tomorrow(now: datetime) -> int:
    """Seconds from ``now``, by the clock on the wall, to the next morning."""
    morning = now.replace(hour=MORNING, minute=0, second=0, microsecond=0)
    if morning <= now:
        morning += timedelta(days=1)
    return max(1, round((morning - now).total_seconds()))
