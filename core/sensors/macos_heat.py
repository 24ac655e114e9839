"""Whether macOS slows the processor down because of heat.

It tells no degrees to a program without rights, but a level of pressure to everybody: what
``notifyutil -g com.apple.system.thermalpressurelevel`` prints. Written to the headers
``notify.h`` and ``OSThermalNotification.h``; not yet run on a Mac by its authors.
"""

import ctypes
from functools import cache
from typing import Final, Protocol

from core.i18n import translatable
from core.sensors.reading import Reading
from core.sensors.thermometer import Heat

NAME: Final = b"com.apple.system.thermalpressurelevel"
HEAVY: Final = 2  # 0 nominal, 1 moderate; from here on the work itself is slowed down
_LEVELS: Final = (
    translatable("none"),
    translatable("moderate"),
    translatable("heavy"),
    translatable("very heavy"),
    translatable("about to sleep"),
)


class Notify(Protocol):
    """The two functions of libnotify that are used; both return 0 where all is well."""

    def notify_register_check(self, name: bytes, token: object) -> int:
        """Fill in a token for ``name``."""
        ...

    def notify_get_state(self, token: ctypes.c_int, state: object) -> int:
        """Fill in the 64 bits that go with ``token``."""
        ...


class Barometer:
    """Reads the level of pressure."""

    def __init__(self, library: Notify) -> None:
        self._library = library
        self._token = ctypes.c_int(0)
        self._is_told = library.notify_register_check(NAME, ctypes.pointer(self._token)) == 0

    def read(self) -> Reading[Heat]:
        """Whether the pressure is so high that work is slowed down."""
        level = ctypes.c_uint64(0)
        if not self._is_told or self._get(level) != 0:
            return Reading(None, translatable("macOS does not tell how hot the computer is"))
        words = _LEVELS[min(level.value, len(_LEVELS) - 1)]
        return Reading(
            Heat(throttled=level.value >= HEAVY), translatable("pressure by heat: {}", words)
        )

    def _get(self, level: ctypes.c_uint64) -> int:
        return self._library.notify_get_state(self._token, ctypes.pointer(level))


@cache
def _barometer() -> Barometer:
    return Barometer(ctypes.CDLL("/usr/lib/libSystem.B.dylib"))


def read_pressure() -> Reading[Heat]:
    """The pressure of heat now."""
    return _barometer().read()
