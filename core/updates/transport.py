"""HTTP towards the update source: bounded in time, by the proxy of this computer, stoppable.

Nothing that comes is believed here; signatures and hashes are looked at by TUF. Redirects are
followed, since release files tend to lie elsewhere, but from HTTPS to HTTPS only.
"""

import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from http.client import HTTPException, HTTPMessage, HTTPResponse
from threading import Event
from typing import IO, Final
from urllib.error import HTTPError
from urllib.parse import urlsplit

from tuf.api.exceptions import DownloadError, DownloadHTTPError, SlowRetrievalError
from tuf.ngclient.fetcher import FetcherInterface

from core.net.download import web_context
from core.version import VERSION

CHUNK: Final = 1 << 18

_SILENCE_S: Final = 30.0
_GRACE_S: Final = 60.0
_SLOWEST: Final = 2_000  # bytes a second, after the grace


class StoppedError(Exception):
    """The download was stopped by its caller."""


class SecureRedirects(urllib.request.HTTPRedirectHandler):
    """Leads nobody out of TLS: others on the way would see which release this computer fetches."""

    def redirect_request(  # noqa: PLR0913, PLR0917 - urllib's
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: HTTPMessage,
        newurl: str,
    ) -> urllib.request.Request | None:
        """What to ask next; None where that is refused, and the redirect is an error."""
        if req.type == "https" and urlsplit(newurl).scheme != "https":
            return None
        return super().redirect_request(req, fp, code, msg, headers, newurl)


class Transport(FetcherInterface):
    """Asks with GET only; ``stop`` ends whatever goes on, before anything more is written."""

    def __init__(self, stop: Event) -> None:
        self._stop = stop
        self._opener = _opener()

    @contextmanager
    def opened(self, url: str, start: int = 0) -> Iterator[HTTPResponse]:
        """The response at ``url``, from byte ``start`` on where it can do that (status 206).

        Raises:
            DownloadError: nobody answers, or with an error (DownloadHTTPError).
        """
        headers = {"User-Agent": f"waggle/{VERSION}", "Accept-Encoding": "identity"}
        if start:
            headers["Range"] = f"bytes={start}-"
        with _as_download_error():
            asked = urllib.request.Request(url, headers=headers)  # noqa: S310 - the opener has HTTP only
            response: HTTPResponse = self._opener.open(asked, timeout=_SILENCE_S)
        with response:
            yield response

    def chunks(self, response: HTTPResponse) -> Iterator[bytes]:
        """The body, as long as it comes at a bearable pace.

        Raises:
            DownloadError: the line broke off, or it does not (SlowRetrievalError).
            StoppedError: ``stop`` was set.
        """
        began, came = time.monotonic(), 0
        while chunk := _read(response):
            if self._stop.is_set():
                raise StoppedError
            came += len(chunk)
            if time.monotonic() - began > _GRACE_S + came / _SLOWEST:
                raise SlowRetrievalError(f"{came} bytes")
            yield chunk

    def wait(self, seconds: float) -> None:
        """Wait ``seconds``, or until stopped.

        Raises:
            StoppedError: ``stop`` was set.
        """
        if self._stop.wait(seconds):
            raise StoppedError

    def _fetch(self, url: str) -> Iterator[bytes]:
        """The body at ``url`` in chunks; ``FetcherInterface`` counts its bytes."""
        with self.opened(url) as response:
            if response.status != HTTPStatus.OK:
                raise DownloadHTTPError(f"status {response.status}", response.status)
            yield from self.chunks(response)


def _read(response: HTTPResponse) -> bytes:
    with _as_download_error():
        return response.read1(CHUNK)


@contextmanager
def _as_download_error() -> Iterator[None]:
    """Tell TUF in its own words what the network did; only its faults, not those of the disk."""
    try:
        yield
    except HTTPError as error:
        error.close()
        raise DownloadHTTPError(f"status {error.code}", error.code) from error
    except TimeoutError as error:
        raise SlowRetrievalError(str(error)) from error
    except (OSError, HTTPException, ValueError) as error:
        raise DownloadError(str(error)) from error


def _opener() -> urllib.request.OpenerDirector:
    """HTTP, its proxies, its redirects and its errors, and no other way to name a file."""
    made = urllib.request.OpenerDirector()
    for handler in (
        urllib.request.ProxyHandler(),
        urllib.request.HTTPHandler(),
        urllib.request.HTTPSHandler(context=web_context()),
        SecureRedirects(),
        urllib.request.HTTPDefaultErrorHandler(),
        urllib.request.HTTPErrorProcessor(),
        urllib.request.UnknownHandler(),
    ):
        made.add_handler(handler)
    return made
