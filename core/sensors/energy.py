"""What a process and all below it take of the processor: seconds, and joules where it counts them.

Intel's and AMD's processors count the energy of each package, and Linux lists the counters
(Documentation/ABI/testing/sysfs-class-powercap). Since 2020 most systems let administrators alone
read them; elsewhere seconds are all that there is, and what they cost is an estimate
(``core.services.energy``).
"""

import math
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import psutil

from core.engine.ports import Meter, NoMeter, RoundCost
from core.sensors.worked import family_of, worked

POWERCAP: Final = Path("/sys/class/powercap")

LOOK_S: Final = 60.0
"""New children are looked for at most so often: that reads a file of every process there is."""

MOST_WATTS: Final = 500.0
"""Of a package, in the mean: more than a laptop's or desktop's draws.

A counter that is less than before began anew at its end, or at any height while the computer slept;
what it counted is then not known, which shows by this as a rule.
"""

READING_S: Final = 1.0
"""A reading takes no longer."""

_MILLION: Final = 1e6


@dataclass(frozen=True, slots=True)
class Counter:
    """The energy counter of one package of the processor."""

    joules: float
    until: float  # joules at which it begins anew


@dataclass(frozen=True, slots=True)
class EnergyReading:
    """What had been taken until some moment."""

    own_s: float  # processor seconds of the process and all below it
    busy_s: float  # of everything that runs
    counters: Mapping[str, Counter]
    at: float  # seconds of a steady clock


def between(before: EnergyReading, now: EnergyReading) -> RoundCost:
    """What the process took in between: of the energy, its share of all that kept the cores busy.

    With it goes that share of what the idle parts of the package took.
    """
    own = max(0.0, now.own_s - before.own_s)  # a child that ended takes its seconds with it
    joules = _counted(before, now)
    busy = now.busy_s - before.busy_s
    if joules is None or busy <= 0:
        return RoundCost(own)
    return RoundCost(own, joules * min(1.0, own / busy))


def _counted(before: EnergyReading, now: EnergyReading) -> float | None:
    first, last = before.counters, now.counters
    if not last or last.keys() != first.keys():
        return None
    passed = ((last[name].joules - first[name].joules, last[name].until) for name in last)
    counted = [joules if joules >= 0 else joules + until for joules, until in passed]
    most = MOST_WATTS * (now.at - before.at + READING_S)
    return sum(counted) if max(counted) <= most else None


def read_counters(folder: Path = POWERCAP) -> dict[str, Counter]:
    """The counters of all packages by name; none where they may not be read."""
    found = {}
    for zone in sorted(folder.glob("intel-rapl:*")):
        try:
            if (zone / "name").read_text(encoding="ascii").startswith("package"):
                until = int((zone / "max_energy_range_uj").read_text(encoding="ascii"))
                joules = int((zone / "energy_uj").read_text(encoding="ascii"))
                found[zone.name] = Counter(joules / _MILLION, until / _MILLION)
        except (OSError, ValueError):  # for administrators only, or none of today's kernel
            return {}
    return found


def meter_for(device: str) -> Meter:
    """A meter of this process, computing on ``device``; what a graphics card takes is not known."""
    return EnergyMeter(os.getpid()) if device == "cpu" else NoMeter()


class EnergyMeter:
    """Counts from when it was made; for one thread at a time."""

    def __init__(
        self,
        root: int,
        counters: Callable[[], dict[str, Counter]] = read_counters,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._root = root
        self._counters = counters
        self._clock = clock
        self._family: list[psutil.Process] = []
        self._looked = -math.inf  # when children were looked for
        self._before: EnergyReading | None = None  # None: the system refused
        self.read()

    def read(self) -> RoundCost:
        """What was taken since the last reading; nothing is known where the system refuses."""
        before = self._before
        try:
            self._before = self._reading()
        except (psutil.Error, OSError):
            return RoundCost()
        return RoundCost() if before is None else between(before, self._before)

    def _reading(self) -> EnergyReading:
        now = self._clock()
        if now - self._looked >= LOOK_S:
            self._looked = now
            self._family = family_of(self._root)
        spent = worked(self._family)
        return EnergyReading(spent.own, spent.busy, self._counters(), now)
