"""Idle time on Windows.

Written to the documentation of GetLastInputInfo; not yet run on Windows by its authors.
"""

import ctypes
import sys
from typing import Final

from core.i18n import translatable
from core.sensors.reading import Reading

_TICKS: Final = 1 << 32  # milliseconds after which the counters of Windows begin anew


class LastInput(ctypes.Structure):
    """LASTINPUTINFO."""

    _fields_ = (("size", ctypes.c_uint32), ("tick", ctypes.c_uint32))


def seconds_since(last_tick: int, tick: int) -> float:
    """Seconds between two values of a counter of milliseconds that has 32 bits."""
    return ((tick - last_tick) % _TICKS) / 1_000


if sys.platform == "win32":

    def read_idle() -> Reading[float]:
        """Seconds without a touch."""
        last = LastInput(size=ctypes.sizeof(LastInput))
        if not ctypes.windll.user32.GetLastInputInfo(ctypes.byref(last)):
            return Reading(None, translatable("Windows does not tell when it was last touched"))
        idle_s = seconds_since(last.tick, ctypes.windll.kernel32.GetTickCount())
        return Reading(idle_s, translatable("untouched for {} s", f"{idle_s:.0f}"))
