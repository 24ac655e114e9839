"""How much of the processor others use."""

import os
from contextlib import suppress
from dataclasses import dataclass

import psutil

from core.i18n import translatable
from core.sensors.reading import Reading


@dataclass(frozen=True, slots=True)
class Worked:
    """Processor seconds since the computer started, over all cores."""

    total: float  # that passed, idle ones included
    busy: float  # in which anything ran
    own: float  # in which we ran


def share_of_others(before: Worked, now: Worked) -> float | None:
    """Share of all cores that others used in between, in [0, 1]; None where no time passed."""
    passed = now.total - before.total
    if passed <= 0:
        return None
    own = max(0.0, now.own - before.own)  # a child that ended takes its seconds with it
    return min(1.0, max(0.0, (now.busy - before.busy - own) / passed))


class LoadOfOthers:
    """Compares each reading with the one before, and the first one with when this was made."""

    def __init__(self, root: int | None = None) -> None:
        self._root = os.getpid() if root is None else root  # it and all below it are no others
        self._before: Worked | None = None
        with suppress(psutil.Error, OSError):  # told by the first reading
            self._before = worked(self._root)

    def read(self) -> Reading[float]:
        """Share of all cores that others used since the last reading, in [0, 1]."""
        before, self._before = self._before, worked(self._root)
        share = None if before is None else share_of_others(before, self._before)
        if share is None:
            return Reading(
                None, translatable("how busy the processor is will be known in a moment")
            )
        return Reading(
            share, translatable("others use {} % of the processor", f"{100 * share:.0f}")
        )


def worked(root: int) -> Worked:
    """The machine's seconds, and those of process ``root`` and its descendants."""
    times = psutil.cpu_times()._asdict()
    # Linux counts a guest's seconds among the user's, too.
    total = sum(times.values()) - times.get("guest", 0.0) - times.get("guest_nice", 0.0)
    idle = times["idle"] + times.get("iowait", 0.0)
    return Worked(total, total - idle, _own_seconds(root))


def _own_seconds(root: int) -> float:
    try:
        top = psutil.Process(root)
        family = [top, *top.children(recursive=True)]
    except psutil.NoSuchProcess:  # whoever started us is gone, and so are we soon
        family = [psutil.Process()]
    seconds = 0.0
    for process in family:
        try:
            seconds += sum(process.cpu_times()[:4])  # its own and those of children that ended
        except psutil.Error:  # it ended meanwhile, or is none of our business
            continue
    return seconds
