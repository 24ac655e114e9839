"""The processor's heat from all that a system's drivers measure; pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

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
        ...


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
