"""Unpacks an archive as if a stranger had packed it, although it was signed.

Only folders, files and links that stay inside; no name that leads out, no file behind a link, no
more files and bytes than a Waggle may have. Links are made last, so that nothing is ever written
through one. Each must stay inside; whether there is anything at its end does not matter.
"""

import os
import shutil
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from threading import Event
from typing import IO, Final, Never, Self

from core.errors import UpdateError, WaggleError
from core.i18n import translatable
from core.paths import explain_os_error
from core.updates.transport import StoppedError

_CHUNK: Final = 1 << 20
_LONGEST_NAME: Final = 1_000
_LARGEST_HEADER: Final = 1 << 16
_RUNS: Final = 0o111
_HEADERS: Final = (
    tarfile.GNUTYPE_LONGNAME,
    tarfile.GNUTYPE_LONGLINK,
    tarfile.XHDTYPE,
    tarfile.XGLTYPE,
    tarfile.SOLARIS_XHDTYPE,
)
"""Kinds of entries that tell of the next one."""


@dataclass(frozen=True, slots=True)
class ArchiveLimits:
    """Limits of an archive."""

    members: int = 60_000
    bytes: int = 8 << 30


def unpack(archive: Path, into: Path, stop: Event, limits: ArchiveLimits | None = None) -> None:
    """Unpack the tar file ``archive``, compressed or not, into the empty folder ``into``.

    Raises:
        UpdateError: it holds what it must not; ``into`` is to be thrown away.
        HomeError: the disk refuses.
        StoppedError: ``stop`` was set.
    """
    try:
        with _refusing(), tarfile.open(archive, "r|*", tarinfo=_BoundedEntry) as tar:
            _Unpacking(into, stop, limits or ArchiveLimits()).take(tar)
    except OSError as error:
        raise explain_os_error(error, into) from error


def _refuse_holes(of: tarfile.TarInfo, *_: object) -> Never:
    raise _refusal(translatable("{} is neither file nor folder", of.name))


class _BoundedEntry(tarfile.TarInfo):
    """Refuses large headers, which tarfile reads whole before anybody sees what they are of.

    So it does with the lists of a sparse file's holes, which may go on for as long as the archive.
    """

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str | None, errors: str) -> Self:
        """The entry whose header is ``buf``.

        Raises:
            UpdateError: it announces more of a header than any name needs, or holes.
        """
        entry = super().frombuf(buf, encoding, errors)  # type: ignore[arg-type]
        if entry.type in _HEADERS and entry.size > _LARGEST_HEADER:
            raise _refusal(translatable("it is larger than a Waggle may be"))
        if entry.type == tarfile.GNUTYPE_SPARSE:
            _refuse_holes(entry)
        return entry

    # What tarfile calls where a PAX header tells of holes, in one of three formats.
    _proc_gnusparse_00 = _proc_gnusparse_01 = _proc_gnusparse_10 = staticmethod(_refuse_holes)


class _Unpacking:
    def __init__(self, into: Path, stop: Event, limits: ArchiveLimits) -> None:
        self._into = into
        self._stop = stop
        self._limits = limits
        self._made: set[PurePosixPath] = {PurePosixPath()}  # folders
        self._files: set[PurePosixPath] = set()
        self._links: dict[PurePosixPath, str] = {}
        self._members = 0
        self._bytes = 0

    def take(self, tar: tarfile.TarFile) -> None:
        """Write everything, links last."""
        for member in tar:
            if self._stop.is_set():
                raise StoppedError
            self._count(member)
            self._take_one(tar, member, _inner_path(member.name))
        self._make_links()

    def _count(self, member: tarfile.TarInfo) -> None:
        self._members += 1
        self._bytes += max(0, member.size)
        if self._members > self._limits.members or self._bytes > self._limits.bytes:
            raise _refusal(translatable("it is larger than a Waggle may be"))

    def _take_one(self, tar: tarfile.TarFile, member: tarfile.TarInfo, name: PurePosixPath) -> None:
        if member.isdir():
            self._make_folder(name)
            return
        if name in self._made or name in self._files or name in self._links:
            raise _refusal(translatable("it names {} twice", name))
        self._make_folder(name.parent)
        content = tar.extractfile(member) if member.isreg() else None
        if content is not None:
            self._files.add(name)
            self._write(content, name, runs=bool(member.mode & _RUNS))
        elif member.issym():
            self._links[name] = member.linkname
        else:
            raise _refusal(translatable("{} is neither file nor folder", name))

    def _make_folder(self, name: PurePosixPath) -> None:
        for folder in (*reversed(name.parents), name):
            if folder in self._files or folder in self._links:
                raise _refusal(translatable("{} is no folder", folder))
            if folder not in self._made:
                (self._into / folder).mkdir(mode=0o755)
                self._made.add(folder)

    def _write(self, content: IO[bytes], name: PurePosixPath, *, runs: bool) -> None:
        """Neither who owns it nor who else may write counts; whether it can be run does."""
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        descriptor = os.open(self._into / name, flags, 0o755 if runs else 0o644)
        with os.fdopen(descriptor, "wb") as file:
            shutil.copyfileobj(content, file, _CHUNK)

    def _make_links(self) -> None:
        for name, target in self._links.items():
            if not target or PurePosixPath(target).is_absolute() or "\\" in target:
                raise _refusal(translatable("the link {} leads out", name))
            (self._into / name).symlink_to(target)
        root = self._into.resolve()
        for name in self._links:
            led = Path(os.path.realpath(self._into / name))  # through all others, as they are now
            if not led.is_relative_to(root):
                raise _refusal(translatable("the link {} leads out", name))


def _inner_path(name: str) -> PurePosixPath:
    """``name`` as a path that stays inside on every system.

    Raises:
        UpdateError: it does not.
    """
    path = PurePosixPath(name)
    strange = any(ord(sign) < ord(" ") or sign == "\\" for sign in name)
    if path.is_absolute() or ".." in path.parts or strange or len(name) > _LONGEST_NAME:
        raise _refusal(translatable("it holds a name that leads out"))
    if path == PurePosixPath():
        return path
    try:
        os.fsencode(name)
    except UnicodeEncodeError:
        raise _refusal(translatable("it holds a name that is none")) from None
    return path


@contextmanager
def _refusing() -> Iterator[None]:
    """Turn whatever tarfile raises on damaged archives into an ``UpdateError``."""
    try:
        yield
    except (WaggleError, StoppedError, OSError):
        raise
    except Exception as error:  # strangers' bytes raise anything, as tarfile does
        raise _refusal(translatable("it is damaged")) from error


def _refusal(reason: str) -> UpdateError:
    return UpdateError(
        translatable(
            "The update was not unpacked: {}. Nothing was changed; tell the makers of Waggle.",
            reason,
        )
    )
