"""What POSIX has and Windows has not; there a test that asks for it is skipped, in words."""

import os
import socket
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


def make_pipe(path: Path) -> None:
    """A pipe with a name: opening it waits for whoever opens its other end."""
    if sys.platform == "win32":
        pytest.skip("Windows has no pipes in folders")
    else:
        os.mkfifo(path)


def mode_of(path: Path) -> int:
    """Who may do what with a file or folder, in the bits of chmod."""
    if os.name == "nt":
        pytest.skip("Windows has no mode bits; the profile folder guards")
    return stat.S_IMODE(path.stat().st_mode)


def is_private(path: Path) -> bool:
    """Whether only its owner may look in; on Windows the profile folder sees to that."""
    return os.name == "nt" or mode_of(path) & 0o077 == 0


def niceness(thread: int = 0) -> int:
    """How far behind others a thread stands, by its system's number; the first one's without."""
    if sys.platform == "win32":
        pytest.skip("classes stand for niceness on Windows")
    else:
        return os.getpriority(os.PRIO_PROCESS, thread)


def unix_socket() -> socket.socket:
    """One that is bound to a path, or to a name without a file."""
    if sys.platform == "win32":
        pytest.skip("Python has no such sockets on Windows")
    else:
        return socket.socket(socket.AF_UNIX)


@contextmanager
def files_no_larger(than: int) -> Iterator[None]:
    """Every write beyond ``than`` bytes of a file fails, as on a disk that fills up meanwhile."""
    if sys.platform == "win32":
        pytest.skip("POSIX alone limits the size of files")
    else:
        import resource

        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (than, before[1]))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)


@contextmanager
def time_zone(name: str) -> Iterator[None]:
    """The clock on the wall is one of this zone, such as "Europe/Berlin"."""
    if sys.platform == "win32":
        pytest.skip("the zone of a process cannot be chosen on Windows")
    else:
        with pytest.MonkeyPatch.context() as there:
            there.setenv("TZ", name)
            time.tzset()
            yield
        time.tzset()


def is_root_of_linux() -> bool:
    """Whether this process may do what only the superuser of a Linux may."""
    return sys.platform == "linux" and os.geteuid() == 0
