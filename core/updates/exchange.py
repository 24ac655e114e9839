"""Two folders change names in one step, where the system can do that.

Linux and macOS can, on nearly every file system. A crash then leaves either the one or the other,
and never a moment without a Waggle.
"""

import ctypes
import errno
import os
import sys
from pathlib import Path
from typing import Final

_AT_FDCWD: Final = -100
_RENAME_EXCHANGE: Final = 2  # <linux/fs.h>
_RENAME_SWAP: Final = 2  # <sys/stdio.h> of macOS
_CANNOT: Final = frozenset((errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP))


def exchange(one: Path, other: Path) -> bool:
    """Let ``one`` and ``other`` change names; False where the system cannot, and nothing changed.

    Raises:
        OSError: it could, and did not.
    """
    try:
        if sys.platform == "linux":
            code = _libc().renameat2(
                _AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other), _RENAME_EXCHANGE
            )
        elif sys.platform == "darwin":
            code = _libc().renamex_np(os.fsencode(one), os.fsencode(other), _RENAME_SWAP)
        else:
            return False
    except AttributeError:  # an old C library
        return False
    if code == 0:
        return True
    number = ctypes.get_errno()
    if number in _CANNOT:
        return False
    raise OSError(number, os.strerror(number), str(one))


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)
