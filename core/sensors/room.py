"""How much memory and disk is free."""

import shutil
from pathlib import Path

import psutil

from core.said import said
from core.sensors.reading import Reading

_GIB = 1 << 30


def read_memory() -> Reading[int]:
    """Bytes of memory that could still be taken."""
    free: int = psutil.virtual_memory().available
    return Reading(free, said("{} GiB of memory are free", f"{free / _GIB:.1f}"))


def read_disk(folder: Path) -> Reading[int]:
    """Bytes that are free on the disk that holds ``folder``."""
    free = shutil.disk_usage(folder).free
    return Reading(free, said("{} GiB are free on the disk", f"{free / _GIB:.1f}"))
