"""Reading what is small, and writing so that a crash leaves the old file or the new one."""

import errno
import os
import secrets
import shutil
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from core.errors import DiskFullError, HomeError
from core.i18n import translatable
from core.paths import explain_os_error

DRAFT_SUFFIX: Final = ".draft"
"""Of files that are being written; one that a crash left behind may be removed."""


def replace_file(path: Path, data: bytes, *, flushes: bool = True) -> None:
    """Write ``data`` to ``path`` in one step, readable by its owner only.

    Without ``flushes`` the system writes it to the disk when it likes to, or never if it is gone
    before: a crash of ours loses nothing, but a power cut may leave the name without the content.

    Raises:
        DiskFullError: no space is left; nothing was replaced.
        HomeError: the folder cannot be written; nothing was replaced.
    """
    draft = path.with_suffix(DRAFT_SUFFIX)
    try:
        try:
            _write(draft, data, flushes=flushes)
            move(draft, path)
        except BaseException:
            with suppress(OSError):
                draft.unlink(missing_ok=True)
            raise
        if flushes:
            flush_folder(path.parent)
    except OSError as error:
        raise explain_os_error(error, path) from error


def move(source: Path, target: Path) -> None:
    """Give ``source`` the name ``target`` in one step, in place of a file that has it.

    Windows refuses that while anybody has one of the two open, as virus scanners and indexers do
    for a moment with all that is new: it is tried again for about two seconds.

    Raises:
        OSError: it cannot be done, or still not.
    """
    _until_let_go(lambda: source.replace(target))


def publish(draft: Path, target: Path) -> None:
    """``move`` a finished file so that a power cut leaves all of it, or what was there before.

    Raises:
        OSError: it cannot be done.
    """
    with draft.open("r+b") as file:
        os.fsync(file.fileno())
    move(draft, target)
    flush_folder(target.parent)


def add(source: Path, target: Path) -> None:
    """Give ``source`` the name ``target`` in one step, like ``move``, unless a file has it.

    Elsewhere than on Windows it keeps its old name, too.

    Raises:
        FileExistsError: there is one.
        OSError: it cannot be done, or still not.
    """
    # Neither replaces what is there: on Windows a rename, and elsewhere a link.
    give_name = os.rename if os.name == "nt" else os.link
    _until_let_go(lambda: give_name(source, target))


def _until_let_go(call: Callable[[], object]) -> None:
    for pause_s in _PAUSES_S:
        try:
            call()
        except OSError as error:
            if getattr(error, "winerror", None) not in _HELD:
                raise
        else:
            return
        time.sleep(pause_s)
    call()


_HELD: Final = (5, 32)  # ERROR_ACCESS_DENIED, ERROR_SHARING_VIOLATION
_PAUSES_S: Final = (0.02, 0.05, 0.1, 0.2, 0.5, 1.0)


def remove_unless_open(path: Path) -> None:
    """Remove the file at ``path``, if there is one and the system permits it.

    Windows does not while somebody has it open. For what is of no use any more and looked at again
    another time.

    Raises:
        OSError: it cannot be removed for another reason.
    """
    with suppress(PermissionError):
        path.unlink(missing_ok=True)


def read_bounded(path: Path, most: int) -> bytes:
    """All bytes of the regular file at ``path``, of which there may be ``most``.

    Never waits: a pipe in a file's place, whose reader would hang, is refused as well as a device.

    Raises:
        FileNotFoundError: there is nothing.
        OSError: it cannot be read, or is a folder.
        ValueError: it is larger, or no regular file.
    """
    descriptor = os.open(path, os.O_RDONLY | _BINARY | getattr(os, "O_NONBLOCK", 0))
    try:  # closed here: fdopen does not close what it refuses
        mode = os.fstat(descriptor).st_mode
        if stat.S_ISDIR(mode):  # as Windows does, where a folder cannot be opened at all
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        if not stat.S_ISREG(mode):
            raise ValueError("it is no regular file")
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            data = file.read(most + 1)
    finally:
        os.close(descriptor)
    if len(data) > most:
        raise ValueError(f"it has more than {most:,} bytes")
    return data


def flush_folder(folder: Path) -> None:
    """Make a rename in ``folder`` survive a power cut; Windows does that by itself."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def size_of(path: Path) -> int:
    """Bytes of a file, or of all files below a folder; what goes meanwhile counts for nothing."""
    below = (Path(folder, name) for folder, _, names in os.walk(path) for name in names)
    total = 0
    for file in [path] if path.is_file() else below:
        with suppress(OSError):
            total += file.lstat().st_size
    return total


def _write(path: Path, data: bytes, *, flushes: bool) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | _BINARY, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        if flushes:
            file.flush()
            os.fsync(file.fileno())  # or a power cut might keep the new name without the content


_BINARY: Final = getattr(os, "O_BINARY", 0)  # Windows would translate line ends


def deliver(path: Path, data: bytes) -> None:
    """Write ``data`` to ``path`` in one step, readable by its owner only.

    Raises:
        DiskFullError: no space is left; what was there before stays.
        HomeError: it cannot be written there; likewise.
    """
    try:
        with draft_beside(path) as draft:
            _write(draft, data, flushes=True)
            move(draft, path)
    except OSError as error:
        raise _explained(error, path) from error


@contextmanager
def draft_beside(path: Path) -> Iterator[Path]:
    """A name to write a file or folder to that will then be moved to ``path``.

    It is the person's folder, so nothing but ``path`` is replaced there: the draft lies in a folder
    whose name is nobody's, and which goes afterwards with all that is still in it. Who may read
    there may read in it, and a person sees it where a killed process left it behind.

    Raises:
        OSError: that folder cannot be made.
    """
    if not path.name:  # ".", or the root of a disk
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    folder = path.with_name(f"{path.name}.{secrets.token_hex(4)}{DRAFT_SUFFIX}")
    folder.mkdir()
    try:
        yield folder / "new"
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _explained(error: OSError, path: Path) -> HomeError:
    told = explain_os_error(error, path, translatable("try again"))
    if isinstance(told, DiskFullError):
        return told
    return HomeError(
        translatable(
            "{} cannot be written ({}). Choose another place.", path, error.strerror or error
        )
    )
