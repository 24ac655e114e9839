"""This very thread on another computer: whatever it opens or starts from here on is there."""

import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.netns import Host

_NETWORK = 0x40000000  # CLONE_NEWNET; os.setns came with Python 3.12


@contextmanager
def inside(host: Host) -> Iterator[None]:
    """Within the block, sockets of this thread and its processes belong to ``host``."""
    with (
        Path("/proc/thread-self/ns/net").open("rb") as here,
        Path("/run/netns", host.namespace).open("rb") as there,
    ):
        _enter(there.fileno())
        try:
            yield
        finally:
            _enter(here.fileno())


def _enter(namespace: int) -> None:
    system = ctypes.CDLL(None, use_errno=True)
    if system.setns(namespace, _NETWORK):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
