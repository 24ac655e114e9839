"""The file in which is kept what is known about releases."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import msgspec
from filelock import FileLock

from core.api.updates import VersionText
from core.paths import Home
from core.storage.files import read_bounded, replace_file

_MOST_BYTES: Final = 10_000


class Known(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Read from the disk; as if nothing were known where that is not what we wrote."""

    looked_at: float = 0.0  # seconds since 1970
    newest: VersionText = ""
    size: int = 0
    staged: VersionText = ""  # lies beside this one, tried and ready
    failed: VersionText = ""  # did not start here; it only rises
    held_up: bool = False  # something of Waggle ran on, so that it could not be put in place


def recall(folder: Path) -> Known:
    """Read the file below ``folder``; defaults where it is missing or damaged."""
    try:
        return msgspec.json.decode(read_bounded(folder / "known.json", _MOST_BYTES), type=Known)
    except (OSError, ValueError):  # msgspec's errors, and text that is no UTF-8
        return Known()


def remember(folder: Path, known: Known) -> None:
    """Write ``known`` to the file below ``folder``.

    Raises:
        HomeError: it cannot be written.
    """
    replace_file(folder / "known.json", msgspec.json.encode(known))


@contextmanager
def switch_lock(home: Home, beside: Path | None) -> Iterator[None]:
    """Held while folders change places, until the new one has shown that it starts.

    A window of another home knows nothing of ``home``: ``beside`` is the lock that all windows of
    one installation find, and goes with its holder; None where a setup changes the places.

    Raises:
        Timeout: another one holds it.
        OSError: it cannot be made.
    """
    with FileLock(home.updates / "switch.lock", timeout=0):
        if beside is None:
            yield
            return
        with FileLock(beside, timeout=0):
            try:
                yield
            finally:
                with suppress(OSError):  # whoever waits for it sees that it is gone, and makes anew
                    beside.unlink()
