"""A file that grows as it comes in, over as many tries as it takes."""

import os
import re
import shutil
from collections.abc import Callable
from http import HTTPStatus
from http.client import HTTPResponse
from pathlib import Path

from tuf.api.exceptions import DownloadError, DownloadLengthMismatchError

from core.errors import DiskFullError
from core.i18n import translatable
from core.models.catalog.catalog import size_in_words
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
        have = _first_byte(response, have)
        _check_length(response, size - have)
        with part.open("r+b" if have else "wb") as file:
            file.truncate(have)
            file.seek(have)
            for chunk in transport.chunks(response):
                have += len(chunk)
                if have > size:
                    break
                file.write(chunk)
                report(have, size)
            file.flush()
            os.fsync(file.fileno())
    if have > size:
        part.unlink()
        raise DownloadLengthMismatchError("more than was signed")
    if have < size:
        raise DownloadError("the line broke off")


def _first_byte(response: HTTPResponse, wanted: int) -> int:
    """Where the answer begins: with the part that was asked for, or from the start.

    Raises:
        DownloadError: it begins elsewhere.
    """
    if response.status == HTTPStatus.OK:
        return 0
    found = re.match(r"bytes (\d{1,12})-", response.headers.get("Content-Range", ""), re.ASCII)
    if response.status != HTTPStatus.PARTIAL_CONTENT or not found or int(found[1]) != wanted:
        raise DownloadError("another part than was asked for")
    return wanted


def _check_length(response: HTTPResponse, most: int) -> None:
    if (response.length or 0) > most:
        raise DownloadLengthMismatchError("more than was signed")


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
