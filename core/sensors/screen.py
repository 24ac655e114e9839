"""Sensor of full-screen programs: a game, a film, a talk."""

import sys

from core.i18n import translatable
from core.sensors.reading import Reading


def read_full_screen() -> Reading[bool]:
    """Whether a program fills the screen now."""
    if sys.platform == "win32":
        from core.sensors import windows_screen

        reading = windows_screen.read_full_screen()
    elif sys.platform == "darwin":
        reading: Reading[bool] = Reading(
            None, translatable("macOS does not tell whether something fills the screen")
        )
    else:
        from core.sensors import x11_screen

        reading = x11_screen.read_full_screen()
    return reading
