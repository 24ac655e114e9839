"""The time zone of this computer, which changes while programs run: laptops travel."""

import time


def follow_time_zone() -> None:
    """Let the local times that are made from here on be those of where this computer is now."""
    if hasattr(time, "tzset"):  # not on Windows, which is asked each time; glibc asks once
        time.tzset()
