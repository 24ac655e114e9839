"""Sensor of the time since the last keyboard or mouse input."""

import sys
from collections.abc import Callable

from core.sensors.reading import Reading


def open_idle() -> Callable[[], Reading[float]]:
    """The idle sensor of this system, in seconds; for one thread at a time."""
    if sys.platform == "win32":
        from core.sensors import windows_idle

        read = windows_idle.read_idle
    elif sys.platform == "darwin":
        from core.sensors import macos_idle

        read = macos_idle.read_idle
    else:
        from core.sensors import linux_idle

        read = linux_idle.LinuxIdle().read
    return read
