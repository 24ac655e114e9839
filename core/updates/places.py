"""The folders beside an installation, and how the new one takes the place of the old one.

For ``waggle`` they are ``waggle.new`` (tried and ready), ``waggle.old`` (until the new one has
started) and ``.waggle.part-…`` (being unpacked); the file ``.waggle.lock`` is there in a switch.
All lie on the same disk, so renaming is enough. Whoever chose where Waggle lies may have folders of
these names: what is no Waggle is never touched.
"""

import ctypes
import errno
import os
import shutil
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from core.storage.files import flush_folder, move
from core.updates.installation import is_waggle

_AT_FDCWD: Final = -100
_RENAME_EXCHANGE: Final = 2  # <linux/fs.h>
_RENAME_SWAP: Final = 2  # <sys/stdio.h> of macOS
_YOUNG_S: Final = 3_600.0
_CANNOT: Final = frozenset((errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP))


def exchange(one: Path, other: Path) -> bool:
    """Let ``one`` and ``other`` change names; False where the system cannot, and nothing changed.

    Raises:
        OSError: it could, and did not.
    """
    try:
        code: int | None = None
        if sys.platform == "linux":
            code = _libc().renameat2(
                _AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other), _RENAME_EXCHANGE
            )
        elif sys.platform == "darwin":
            code = _libc().renamex_np(os.fsencode(one), os.fsencode(other), _RENAME_SWAP)
    except AttributeError:  # an old C library
        return False
    if code == 0:
        return True
    number = ctypes.get_errno()
    if code is None or number in _CANNOT:
        return False
    raise OSError(number, os.strerror(number), str(one))


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


Exchange = Callable[[Path, Path], bool]


@dataclass(frozen=True, slots=True)
class Places:
    """The folders of the installation at ``place``."""

    place: Path

    @property
    def new(self) -> Path:
        """The folder of the version to be installed."""
        return self.place.with_name(f"{self.place.name}.new")

    @property
    def old(self) -> Path:
        """The folder of the version before, until the new one has started."""
        return self.place.with_name(f"{self.place.name}.old")

    @property
    def draft_prefix(self) -> str:
        """Begins the names of folders into which something is unpacked."""
        return f".{self.place.name}.part-"

    @property
    def lock(self) -> Path:
        """The file that is locked while folders change places; there only meanwhile."""
        return self.place.with_name(f".{self.place.name}.lock")

    @property
    def in_the_way(self) -> Path | None:
        """A path of the person's own whose name is needed here; None where there is none."""
        taken = (path for path in (self.new, self.old) if os.path.lexists(path))
        return next((path for path in taken if not is_waggle(path)), None)

    def swap(self, swapping: Exchange = exchange) -> None:
        """Put the new one in place, and the old one beside it.

        Raises:
            OSError: it cannot be done; ``heal`` leaves the old one in place.
        """
        if (own := self.in_the_way) is not None:
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(own))
        remove(self.old)
        if swapping(self.new, self.place):
            move(self.new, self.old)  # it holds the old one by now
        else:
            move(self.place, self.old)
            move(self.new, self.place)
        flush_folder(self.place.parent)

    def put_back(self, swapping: Exchange = exchange) -> None:
        """Undo ``swap``, and throw the new one away.

        Raises:
            OSError: it cannot be done.
        """
        if not swapping(self.old, self.place):
            move(self.place, self.new)
            move(self.old, self.place)
        flush_folder(self.place.parent)
        remove(self.old)
        remove(self.new)

    def heal(self) -> None:
        """Repair what a switch left behind that was cut off, at whatever point.

        Raises:
            OSError: the old one cannot be brought back.
        """
        if not self.place.exists() and is_waggle(self.old):
            move(self.old, self.place)
        if self.place.exists() and is_waggle(self.old):
            remove(self.old)

    def clear(self) -> None:
        """Throw away what was unpacked and not put in place."""
        if is_waggle(self.new):
            remove(self.new)

    def clear_drafts(self) -> None:
        """Throw away what was cut off; a young draft may be another window's, who is at it."""
        for draft in self.place.parent.glob(f"{self.draft_prefix}*"):
            with suppress(FileNotFoundError):  # that window has just finished
                if not 0 <= time.time() - draft.stat().st_mtime < _YOUNG_S:
                    remove(draft)


def remove(folder: Path) -> None:
    """Delete a folder with all that is in it; what cannot be deleted stays, under a draft's name.

    Emptied in place it would be half a Waggle under the name of a whole one for a while.
    """
    if not folder.exists():
        return
    place = folder.name.rpartition(".")[0].lstrip(".")
    doomed = folder.with_name(f".{place}.part-gone")
    with suppress(OSError):
        shutil.rmtree(doomed, ignore_errors=True)
        move(folder, doomed)
        folder = doomed
    shutil.rmtree(folder, ignore_errors=True)
