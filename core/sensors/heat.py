"""Sensor of the processor's temperature, or of throttling by the system."""

import ctypes
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, Protocol

import psutil

from core.i18n import translatable
from core.sensors.reading import Reading

_PROCESSORS: Final = ("coretemp", "k10temp", "zenpower", "cpu_thermal", "soc_thermal", "acpitz")
"""Drivers that measure the processor, the most exact first; the last one measures near it."""

_COLDEST_C: Final = 1.0
_HOTTEST_C: Final = 150.0


@dataclass(frozen=True, slots=True)
class Heat:
    """One of the two is known."""

    degrees_c: float | None = None
    throttled: bool | None = None


class Thermometer(Protocol):
    """One of those that a driver has."""

    @property
    def current(self) -> float:
        """Degrees Celsius."""


def hottest(drivers: Mapping[str, Sequence[Thermometer]]) -> float | None:
    """Degrees of the processor's hottest spot, by the best driver there is; None without one."""
    for name in _PROCESSORS:
        degrees = [
            one.current
            for one in drivers.get(name, ())
            if _COLDEST_C < one.current < _HOTTEST_C  # some tell 0 or 255 for "nothing there"
        ]
        if degrees:
            return max(degrees)
    return None


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

    def notify_get_state(self, token: ctypes.c_int, state: object) -> int:
        """Fill in the 64 bits that go with ``token``."""


class ThermalPressure:
    """Reads macOS's level of pressure by heat: it tells no degrees to a program without rights.

    It is what ``notifyutil -g com.apple.system.thermalpressurelevel`` prints. Written to the
    headers ``notify.h`` and ``OSThermalNotification.h``; not yet run on a Mac by its authors.
    """

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
def _thermal_pressure() -> ThermalPressure:
    return ThermalPressure(ctypes.CDLL("/usr/lib/libSystem.B.dylib"))


def read_heat() -> Reading[Heat]:
    """The processor's heat as far as this system tells."""
    return _thermal_pressure().read() if sys.platform == "darwin" else _by_drivers()


def _by_drivers() -> Reading[Heat]:
    ask = getattr(psutil, "sensors_temperatures", None)  # Windows has none
    degrees = None if ask is None else hottest(ask())
    if degrees is None:
        return Reading(None, translatable("this computer does not tell how hot its processor is"))
    return Reading(
        Heat(degrees_c=degrees), translatable("the processor has {} °C", f"{degrees:.0f}")
    )
