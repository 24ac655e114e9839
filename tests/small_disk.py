"""A disk that fills up."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def small_disk(folder: Path, megabytes: int) -> Iterator[None]:
    """A disk of its own for ``folder``; skips where none may be mounted."""
    folder.mkdir()
    size = f"size={megabytes}m"
    mount = subprocess.run(  # noqa: S603 - our own command
        ["mount", "-t", "tmpfs", "-o", size, "tmpfs", str(folder)],  # noqa: S607 - a test for Linux
        capture_output=True,
        check=False,
    )
    if mount.returncode:
        pytest.skip("no disk may be mounted here")
    try:
        yield
    finally:
        subprocess.run(["umount", str(folder)], check=True)  # noqa: S603, S607 - a test for Linux


def fill(path: Path) -> None:
    """Write until nothing more fits."""
    with path.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(1 << 16))
        except OSError:
            return
