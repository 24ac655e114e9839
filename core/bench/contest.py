"""A fair comparison: contestants take turns, so that a busy neighbour disturbs all alike."""

import statistics
import time
from collections.abc import Callable, Mapping, Sequence

import msgspec


class Lap(msgspec.Struct, frozen=True):
    """One turn of one contestant."""

    seconds: float
    work: float  # what was done: tokens, or floating-point operations, or bytes
    peak_mb: float | None = None  # most memory its process ever held; None: shares a process
    parts: dict[str, float] = {}  # where the seconds went, as far as it is known


class Figure(msgspec.Struct, frozen=True):
    """What the laps of one contestant come to."""

    seconds: float  # of a lap: median
    least: float  # of a lap: quickest
    most: float  # of a lap: slowest
    rate: float  # work per second: median
    peak_mb: float | None = None
    parts: dict[str, float] = {}  # medians of seconds


Contestant = Callable[[], Lap]

OnLap = Callable[[str, Lap], None]
"""Told of every lap, the ones that are not counted included: a benchmark may take long."""


OnTrouble = Callable[[str, Exception], None]
"""Told of a contestant that could not go on."""


def ignore(name: str, lap: Lap) -> None:
    """Tell nobody."""


def timed(task: Callable[[], float], now: Callable[[], float] = time.perf_counter) -> Contestant:
    """Make a contestant of ``task``, which returns the work that it did."""

    def lap() -> Lap:
        began = now()
        work = task()
        return Lap(now() - began, work)

    return lap


def hold_contest(
    contestants: Mapping[str, Contestant],
    laps: int,
    on_lap: OnLap = ignore,
    on_trouble: OnTrouble | None = None,
) -> dict[str, Figure]:
    """Let all run in turns ``laps`` times, after one turn that is not counted.

    One that raises leaves with the laps that it has, where ``on_trouble`` is told of it; else it
    ends the contest.
    """
    run: dict[str, list[Lap]] = {name: [] for name in contestants}
    going = dict(contestants)
    for number in range(laps + 1):
        for name, contestant in list(going.items()):
            try:
                lap = contestant()
            except Exception as error:
                if on_trouble is None:
                    raise
                on_trouble(name, error)
                del going[name]
                continue
            on_lap(name, lap)
            if number:  # the first one warms up caches and builds what is built late
                run[name].append(lap)
    return {name: summarise(kept) for name, kept in run.items() if kept}


def summarise(laps: Sequence[Lap]) -> Figure:
    """Medians and range of ``laps``, of which there is at least one and all have the same parts."""
    seconds = [lap.seconds for lap in laps]
    peaks = [lap.peak_mb for lap in laps if lap.peak_mb is not None]
    return Figure(
        seconds=statistics.median(seconds),
        least=min(seconds),
        most=max(seconds),
        rate=statistics.median(lap.work / lap.seconds for lap in laps),
        peak_mb=max(peaks, default=None),
        parts={part: statistics.median(lap.parts[part] for lap in laps) for part in laps[0].parts},
    )
