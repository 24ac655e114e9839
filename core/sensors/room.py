"""How much memory and disk is free."""

import shutil
from pathlib import Path

import psutil

from core.i18n import translatable
from core.models.catalog.catalog import size_in_words
from core.sensors.reading import Reading


def read_memory() -> Reading[int]:
    """Bytes of memory that could still be taken."""
    free: int = psutil.virtual_memory().available
    return Reading(free, translatable("{} of memory are free", size_in_words(free)))


def read_disk(folder: Path) -> Reading[int]:
    """Bytes that are free on the disk that holds ``folder``."""
    free = shutil.disk_usage(folder).free
    return Reading(free, translatable("{} are free on the disk", size_in_words(free)))
