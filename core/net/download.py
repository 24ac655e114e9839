"""Parts of resumable downloads: trust in certificates, growing files, pauses between tries.

Models come by aiohttp, in tasks; updates by urllib, in threads, as TUF asks its fetcher. So each
has a way of its own to ask, and both go on alike where an answer broke off.
"""

import os
import re
import ssl
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path
from typing import BinaryIO

import truststore


def web_context() -> ssl.SSLContext:
    """Trusts whom the system trusts, or the files that a person named in the environment."""
    if os.environ.get("SSL_CERT_FILE") or os.environ.get("SSL_CERT_DIR"):
        return ssl.create_default_context()  # OpenSSL reads both
    return truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def first_byte(status: int, content_range: str, wanted: int, *, is_whole: bool) -> int | None:
    """Where an answer begins that was asked for all from ``wanted`` on; None: elsewhere.

    ``is_whole``: it is as long as the file. Another one that ignores what was asked for is a
    firewall's page, say, for which nobody gives up what came before.
    """
    if status == HTTPStatus.OK:
        return 0 if is_whole or wanted == 0 else None
    found = re.match(r"bytes (\d{1,15})-", content_range, re.ASCII)
    is_part = status == HTTPStatus.PARTIAL_CONTENT and found and int(found[1]) == wanted
    return wanted if is_part else None


@contextmanager
def appending(part: Path, have: int) -> Iterator[BinaryIO]:
    """Open ``part`` behind its first ``have`` bytes, of which those that are too many go."""
    with part.open("r+b" if have else "wb") as file:
        file.truncate(have)
        file.seek(have)
        yield file


class Pauses:
    """Seconds to wait before other tries; all of them anew once ``enough`` bytes came.

    ``wants_whole``: all tries since then were answered from the beginning, at an unknown length
    (``is_unmeasured``). Nothing but a request for the whole can help there.
    """

    def __init__(self, pauses_s: Sequence[float], have: int, enough: int = 1) -> None:
        self._pauses_s, self._enough = pauses_s, enough
        self._left, self._before = iter(pauses_s), have
        self._is_mixed, self.wants_whole = False, False

    def after(self, have: int, *, is_unmeasured: bool = False) -> float | None:
        """Seconds to wait, now that ``have`` bytes are there; None: give up."""
        if have - self._before >= self._enough:
            self._left, self._before = iter(self._pauses_s), have
            self._is_mixed = False
        elif not is_unmeasured:
            self._is_mixed = True
        self.wants_whole = is_unmeasured and not self._is_mixed
        return next(self._left, None)
