"""Processor seconds, of the whole computer and of a process with all below it."""

from collections.abc import Iterable
from dataclasses import dataclass

import psutil


@dataclass(frozen=True, slots=True)
class Worked:
    """Processor seconds since the computer started, over all cores."""

    total: float  # that passed, idle ones included
    busy: float  # in which anything ran
    own: float  # in which we ran


def family_of(root: int) -> list[psutil.Process]:
    """Process ``root`` and its descendants; reads a file of every process there is."""
    try:
        top = psutil.Process(root)
        return [top, *top.children(recursive=True)]
    except psutil.NoSuchProcess:  # whoever started us is gone, and so are we soon
        return [psutil.Process()]


def worked(family: Iterable[psutil.Process]) -> Worked:
    """The machine's seconds, and those of ``family``."""
    times = psutil.cpu_times()._asdict()
    # Linux counts a guest's seconds among the user's, too.
    total = sum(times.values()) - times.get("guest", 0.0) - times.get("guest_nice", 0.0)
    own = 0.0
    for process in family:
        try:
            own += sum(process.cpu_times()[:4])  # its own and those of children that ended
        except psutil.Error:  # it ended meanwhile, or is none of our business
            continue
    return Worked(total, total - times["idle"] - times.get("iowait", 0.0), own)
