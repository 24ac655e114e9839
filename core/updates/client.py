"""TUF client of the update source: only what is signed is believed.

TUF refuses metadata that is forged, older than what was seen before, out of date, or mixed from
several states of the repository; and a file that is not the one that was signed.
"""

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Final

from tuf.api.exceptions import (
    DownloadError,
    DownloadHTTPError,
    DownloadLengthMismatchError,
    ExpiredMetadataError,
    LengthOrHashMismatchError,
    RepositoryError,
)
from tuf.api.metadata import Metadata, TargetFile, Targets
from tuf.ngclient import Updater, UpdaterConfig

from core.errors import UpdateError
from core.i18n import translatable
from core.net.download import Pauses, appending, first_byte
from core.paths import explain_os_error
from core.storage.files import publish, remove_unless_open, size_of
from core.storage.room import SPARE_BYTES, require_room
from core.updates.source import ReleaseSource
from core.updates.transport import Transport


class _UnmeasuredError(DownloadError):
    """Asked for a part, the source began anew, and did not say how long that is."""


def append(
    transport: Transport, url: str, part: Path, size: int, report: Callable[[int, int], None]
) -> None:
    """Ask once for the rest of the ``size`` bytes of ``part``, and write what comes.

    Raises:
        DownloadError: the line broke off, or the answer begins elsewhere than was asked for, or is
            longer than was signed; what came before is kept. More came all the same: all of it is
            thrown away.
        DiskFullError: there is no room for it.
        StoppedError: the transport was told to stop; what came is kept.
        OSError: the disk refuses.
    """
    have = size_of(part)
    require_room(translatable("the update"), size - have + SPARE_BYTES, part.parent)
    with transport.opened(url, have) as response:
        of_what = response.headers.get("Content-Range", "")
        start = first_byte(response.status, of_what, have, is_whole=response.length == size)
        if start is None:
            is_unmeasured = response.status == HTTPStatus.OK and response.length is None
            kind = _UnmeasuredError if is_unmeasured else DownloadError
            raise kind("another part than was asked for")
        have = start
        if (response.length or 0) > size - have:
            raise DownloadLengthMismatchError("more than was signed")
        with appending(part, have) as file:
            for chunk in transport.chunks(response):
                have += len(chunk)
                if have > size:
                    break
                file.write(chunk)
                report(have, size)
    if have > size:
        part.unlink()
        raise DownloadLengthMismatchError("more than was signed")
    if have < size:
        raise DownloadError("the line broke off")


Report = Callable[[int, int], None]
"""(bytes that are there, bytes of the whole package)."""

MOST_BYTES: Final = 4 << 30
"""More than any Waggle will ever have."""

_CONFIG: Final = UpdaterConfig(
    max_root_rotations=64,
    max_delegations=0,
    root_max_length=64_000,
    timestamp_max_length=16_000,
    snapshot_max_length=64_000,
    targets_max_length=1_000_000,
)


class UpdateClient:
    """Keeps what it has seen in ``folder``, so that nobody can lead it back to older news."""

    def __init__(
        self,
        source: ReleaseSource,
        folder: Path,
        transport: Transport,
        pauses_s: tuple[float, ...],
    ) -> None:
        self._source = source
        self._metadata = folder / "metadata"
        self._packages = folder / "packages"
        self._transport = transport
        self._pauses_s = pauses_s
        self._updater: Updater | None = None

    def look(self) -> list[str]:
        """The names of all packages that are signed by now.

        Raises:
            UpdateError: the source cannot be reached, or is not to be believed.
            HomeError: the disk refuses.
        """
        with _explaining(self._metadata):
            self._metadata.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._updater = Updater(
                str(self._metadata),
                f"{self._source.url}metadata/",
                fetcher=self._transport,
                config=_CONFIG,
                bootstrap=self._source.root,
            )
            self._updater.refresh()
            # What was just verified lies here; TUF lists it nowhere else.
            targets = Metadata[Targets].from_file(str(self._metadata / "targets.json"))
        return list(targets.signed.targets)

    def size_of(self, name: str) -> int:
        """Bytes of a package that ``look`` has seen.

        Raises:
            UpdateError: it is not offered, or of no sensible size.
        """
        return self._signed(name).length

    def fetch(self, name: str, report: Report) -> Path:
        """The package ``name``, whole and proven; an interrupted download goes on.

        Raises:
            UpdateError: it cannot be had, or is not what was signed; that is thrown away.
            HomeError: the disk refuses.
            StoppedError: the transport was told to stop; what came is kept.
        """
        signed = self._signed(name)
        path = self._packages / name
        part = self._packages / f"{_hash(signed)[:16]}.part"
        with _explaining(self._packages):
            self._packages.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._clear(path, part)
            if not _is_whole(path, signed):
                self._retry(part, signed, report)
                try:
                    with part.open("rb") as file:
                        signed.verify_length_and_hashes(file)
                except LengthOrHashMismatchError:
                    part.unlink()
                    raise
                publish(part, path)
        report(signed.length, signed.length)
        return path

    def forget_packages(self) -> None:
        """Free the disk of what was fetched."""
        self._clear()

    def _signed(self, name: str) -> TargetFile:
        if self._updater is None:
            self.look()
        with _explaining(self._metadata):
            found = self._updater.get_targetinfo(name) if self._updater is not None else None
        if found is None or not 0 < found.length <= MOST_BYTES or not _hash(found):
            raise UpdateError(
                translatable("{} is no longer offered. Look for updates again.", name)
            )
        return found

    def _clear(self, *kept: Path) -> None:
        """Older packages are of no use any more."""
        for path in list(self._packages.glob("*")):
            if path not in kept:
                remove_unless_open(path)

    def _retry(self, part: Path, signed: TargetFile, report: Report) -> None:
        """Stream until all is there; give up where several tries in a row bring nothing."""
        url = f"{self._source.url}targets/{_hash(signed)}.{signed.path}"
        pauses = Pauses(self._pauses_s, size_of(part))
        while size_of(part) < signed.length:
            try:
                append(self._transport, url, part, signed.length, report)
            except DownloadError as error:
                is_unmeasured = isinstance(error, _UnmeasuredError)
                pause = pauses.after(size_of(part), is_unmeasured=is_unmeasured)
                if pause is None and pauses.wants_whole:  # or it is never asked for
                    part.unlink()
                if pause is None or _is_refusal(error):
                    raise
                self._transport.wait(pause)


def _is_refusal(error: DownloadError) -> bool:
    """Whether the source would say the same again."""
    return (
        isinstance(error, DownloadHTTPError)
        and error.status_code < HTTPStatus.INTERNAL_SERVER_ERROR
    )


def _hash(signed: TargetFile) -> str:
    """The SHA-256 that stands in the name under which the file is served; empty without one."""
    found = signed.hashes.get("sha256", "")
    return found if len(found) == hashlib.sha256().digest_size * 2 and found.isalnum() else ""


def _is_whole(path: Path, signed: TargetFile) -> bool:
    try:
        with path.open("rb") as file:
            signed.verify_length_and_hashes(file)
    except (OSError, LengthOrHashMismatchError):
        return False
    return True


@contextmanager
def _explaining(folder: Path) -> Iterator[None]:
    """Say in words what went wrong."""
    try:
        yield
    except ExpiredMetadataError as error:
        raise UpdateError(
            translatable(
                "The update source has not been renewed in time, so nobody vouches for it now; or "
                "the date of this computer is wrong. Nothing was changed; look again later."
            )
        ) from error
    except LengthOrHashMismatchError as error:
        raise UpdateError(
            translatable(
                "What came is not what the makers of Waggle signed, and was thrown away. "
                "Nothing was changed; look again later."
            )
        ) from error
    except RepositoryError as error:
        raise UpdateError(
            translatable(
                "What the update source says is not signed by the makers of Waggle, or is older "
                "than what it said before. Nothing was changed; look again later."
            )
        ) from error
    except DownloadError as error:
        raise UpdateError(
            translatable(
                "The update source cannot be reached. Nothing was changed; look again later."
            )
        ) from error
    except OSError as error:
        raise explain_os_error(error, folder) from error
