"""How long a pause lasts that is to end tomorrow; pure."""

from datetime import datetime, timedelta
from typing import Final

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
