"""Idle time on macOS.

Written to the documentation of CGEventSourceSecondsSinceLastEventType; not yet run on a Mac by its
authors.
"""

import ctypes
from functools import cache
from typing import Final, Protocol

from core.i18n import translatable
from core.sensors.reading import Reading

_GRAPHICS: Final = "/System/Library/Frameworks/CoreGraphics.framework/CoreGraphics"
HARDWARE: Final = 1  # kCGEventSourceStateHIDSystemState: what hands did, not programs
ANY_INPUT: Final = 0xFFFFFFFF  # kCGAnyInputEventType


class Events(Protocol):
    """The one function of Core Graphics that is used."""

    def CGEventSourceSecondsSinceLastEventType(  # noqa: N802 - Apple's name
        self, state: ctypes.c_int32, kind: ctypes.c_uint32
    ) -> float:
        """Seconds since the last event."""


def idle_by(events: Events) -> Reading[float]:
    """Seconds without a touch."""
    idle_s = events.CGEventSourceSecondsSinceLastEventType(
        ctypes.c_int32(HARDWARE), ctypes.c_uint32(ANY_INPUT)
    )
    if not idle_s >= 0:  # nobody is logged in at the screen
        return Reading(None, translatable("macOS does not tell when it was last touched"))
    return Reading(idle_s, translatable("untouched for {} s", f"{idle_s:.0f}"))


@cache
def _graphics() -> ctypes.CDLL:
    library = ctypes.CDLL(_GRAPHICS)
    library.CGEventSourceSecondsSinceLastEventType.restype = ctypes.c_double
    return library


def read_idle() -> Reading[float]:
    """Seconds without a touch."""
    return idle_by(_graphics())
