"""Room on a disk: how much is free, whether that is enough, and how people say it."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Final

from core.errors import DiskFullError
from core.i18n import TranslatableText, translatable

SPARE_BYTES: Final = 500 * 10**6
"""What a download leaves free on the disk at least, for everything else that writes."""

_GIGA: Final = 10**9


def free_space(folder: Path) -> int:
    """Bytes that are free on the disk of ``folder``."""
    return shutil.disk_usage(folder).free


def require_room(
    what: str, size: int, folder: Path, free: Callable[[Path], int] = free_space
) -> None:
    """Check that ``what``, as people call it, has room in ``folder``: ``size`` bytes.

    Raises:
        DiskFullError: fewer are free; it says how many.
    """
    there = free(folder)
    if there < size:
        raise DiskFullError(
            translatable(
                "There is no room for {}: it needs {} on the disk of {}, and {} are free. "
                "Free some space and try again.",
                what,
                size_in_words(size),
                folder,
                size_in_words(there),
            )
        )


def size_in_words(size: int) -> TranslatableText:
    """Bytes as people say them: ``995 MB``, ``3.1 GB``."""
    if size < _GIGA:
        return translatable("{} MB", round(size / 1e6))
    return translatable("{}.{} GB", *divmod(round(size / 1e8), 10))  # some languages write a comma
