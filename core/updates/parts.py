"""A file that grows as it comes in, over as many tries as it takes."""

import shutil
from collections.abc import Callable
from pathlib import Path

from tuf.api.exceptions import DownloadError, DownloadLengthMismatchError

from core.errors import DiskFullError
from core.i18n import translatable
from core.models.catalog.catalog import size_in_words
from core.net.download import appending, first_byte
from core.storage.files import SPARE_BYTES, size_of
from core.updates.transport import Transport


def append(
    transport: Transport, url: str, part: Path, size: int, report: Callable[[int, int], None]
) -> None:
    """Ask once for the rest of the ``size`` bytes of ``part``, and write what comes.

    Raises:
        DownloadError: the line broke off; what came is kept. More came than was signed, or other
            bytes than were asked for: all of it is thrown away.
        DiskFullError: there is no room for it.
        StoppedError: the transport was told to stop; what came is kept.
        OSError: the disk refuses.
    """
    have = size_of(part)
    _require_room(part.parent, size - have)
    with transport.opened(url, have) as response:
        start = first_byte(response.status, response.headers.get("Content-Range", ""), have)
        if start is None:
            raise DownloadError("another part than was asked for")
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


def _require_room(folder: Path, size: int) -> None:
    free = shutil.disk_usage(folder).free
    if free < size + SPARE_BYTES:
        raise DiskFullError(
            translatable(
                "There is no room for the update: it needs {} on the disk of {}, and {} are free. "
                "Free some space and try again.",
                size_in_words(size + SPARE_BYTES),
                folder,
                size_in_words(free),
            )
        )
