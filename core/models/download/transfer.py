"""One file on its way from a hub: streamed, resumed where it broke off, and checked at the end."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from typing import Final, Literal
from urllib.parse import SplitResult, urlsplit
from urllib.request import getproxies, proxy_bypass

import aiohttp

from core.errors import ModelError
from core.i18n import translatable
from core.models.catalog.manifest import FileRecord
from core.models.download.bandwidth import BandwidthLimit
from core.models.download.connection_errors import permanent_error, proxy_is_closed
from core.models.download.hub import CLOSED, Hub
from core.models.download.listing import Listing
from core.net.download import Pauses, appending, first_byte, web_context
from core.storage.files import publish, size_of
from core.storage.room import SPARE_BYTES, free_space, require_room
from core.threads import aside, to_the_end

Report = Callable[[int, int], None]
"""(bytes that are there, bytes of the whole model)."""

Stage = Literal["downloading", "waiting", "verifying"]
"""Waiting: the line broke, and another try comes."""

OnStage = Callable[[Stage], None]


class DownloadProgress:
    """Counts the bytes of a model that are there, and passes on what is being done."""

    def __init__(self, total: int, report: Report, on_stage: OnStage = lambda _: None) -> None:
        self._total = total
        self._report = report
        self.enter = on_stage
        self.done = 0

    def add(self, count: int) -> None:
        """So many bytes more; negative where some had to be dropped."""
        self.done += count
        self._report(self.done, self._total)

    def leave_out(self, count: int) -> None:
        """So many bytes of the model are not needed after all."""
        self._total -= count


_CHUNK: Final = 1 << 20
_LOOK_EVERY: Final = 64 << 20  # bytes between two looks at the free space
_PROGRESS: Final = 1 << 20  # bytes without which a try counts as having brought nothing
_TIMEOUT: Final = aiohttp.ClientTimeout(total=None, sock_connect=30.0, sock_read=60.0)


@dataclass(frozen=True, slots=True)
class TransferOptions:
    """Hub, pauses, callbacks and bandwidth limit of a download."""

    hub: Hub
    pauses_s: Sequence[float] = (1.0, 2.0, 5.0, 10.0, 20.0)  # before another try, while none helps
    free_space: Callable[[Path], int] = free_space
    on_stage: OnStage = lambda _: None  # told what is being done
    bandwidth: BandwidthLimit = field(default_factory=BandwidthLimit)
    spare: int = SPARE_BYTES  # bytes left free on the disk


class _BrokenOffError(Exception):
    """The connection ended before the file did."""


class _UnmeasuredError(_BrokenOffError):
    """Asked for a part, the hub began anew, and did not say how long that is."""


class Transfer:
    """The files of one listing, one after another, into one folder."""

    def __init__(
        self, title: str, listing: Listing, options: TransferOptions, progress: DownloadProgress
    ) -> None:
        self._title = title  # of the model, for errors
        self._listing = listing
        self._options = options
        self._progress = progress

    def session(self) -> aiohttp.ClientSession:
        """A session that goes with ``get``."""
        return aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(ssl=web_context()),
            timeout=_TIMEOUT,
            middlewares=(_by_proxy,),  # trust_env would also send passwords that ~/.netrc holds
            auto_decompress=False,  # sizes and hashes are those of the bytes as they come
        )

    def narrow(self, listing: Listing) -> None:
        """Go on with ``listing``, which holds only some of the files."""
        self._progress.leave_out(self._listing.size - listing.size)
        self._listing = listing

    async def get(self, session: aiohttp.ClientSession, folder: Path, record: FileRecord) -> None:
        """Make ``record`` complete and checked in ``folder``.

        Raises:
            ModelError: it cannot be had, or is not the file that was announced.
            DiskFullError: others have filled the disk meanwhile.
            OSError: the disk refuses.
        """
        path, part = folder / record.name, folder / part_name(record)
        self._progress.enter("verifying")
        before = self._progress.done
        if await aside(lambda stop: record.matches(path, self._progress.add, stop)):
            return
        path.unlink(missing_ok=True)
        self._progress.add(before - self._progress.done + size_of(part))
        await self._retry(session, part, record)
        self._progress.enter("verifying")
        if not await aside(lambda stop: record.matches(part, stop=stop)):
            raise self._other(part, record)
        await to_the_end(lambda: publish(part, path))

    def require_space(self, folder: Path, size: int) -> None:
        """Raise DiskFullError where fewer than ``size`` bytes are free."""
        require_room(self._title, size, folder.parent, self._options.free_space)

    async def _retry(self, session: aiohttp.ClientSession, part: Path, record: FileRecord) -> None:
        """Stream until the file is complete; give up once several tries in a row bring little."""
        pauses = Pauses(self._options.pauses_s, size_of(part), _PROGRESS)
        while not _is_full(part, record.size):
            try:
                await self._stream(session, part, record)
            except (aiohttp.ClientError, TimeoutError, _BrokenOffError) as error:
                given_up = permanent_error(error)
                if given_up is not None:
                    raise given_up from error
                is_unmeasured = isinstance(error, _UnmeasuredError)
                pause = pauses.after(size_of(part), is_unmeasured=is_unmeasured)
                if pause is None:
                    raise self._given_up(part, wants_whole=pauses.wants_whole) from error
                self._progress.enter("waiting")
                await asyncio.sleep(pause)

    async def _stream(self, session: aiohttp.ClientSession, part: Path, record: FileRecord) -> None:
        """Ask for the rest of a file once, and append what comes to ``part``."""
        have = size_of(part)
        rest = {"Range": f"bytes={have}-"} if have else {}
        url, hub = self._options.hub.url(self._listing, record.name), self._options.hub
        # On its way to another host, aiohttp takes the token out of the headers.
        async with session.get(url, headers=hub.headers | rest) as response:
            if response.status in CLOSED and await _opens(hub, url, response):
                return  # the next try shows the token
            self._check_status(response.status, part, record)
            is_whole = response.content_length == record.size
            of_what = response.headers.get("Content-Range", "")
            start = first_byte(response.status, of_what, have, is_whole=is_whole)
            if start is None:
                is_unmeasured = response.status == HTTPStatus.OK and response.content_length is None
                raise _UnmeasuredError if is_unmeasured else _BrokenOffError
            self._progress.add(start - have)
            self._progress.enter("downloading")
            fits = await self._append(response.content, part, start, record.size)
        if not fits:
            raise self._other(part, record)
        if size_of(part) < record.size:
            raise _BrokenOffError

    async def _append(
        self, content: aiohttp.StreamReader, part: Path, have: int, size: int
    ) -> bool:
        """Write ``content`` behind the first ``have`` bytes; False once it is more than ``size``.

        Nothing is thrown away here: Windows removes no file that is open.
        """
        with appending(part, have) as file:
            async for chunk in content.iter_chunked(self._options.bandwidth.at_once(_CHUNK)):
                if file.tell() + len(chunk) > size:
                    return False
                self._look_at_space(part, file.tell(), len(chunk))
                file.write(chunk)
                self._progress.add(len(chunk))
                await self._options.bandwidth.pass_on(len(chunk))
        return True

    def _look_at_space(self, part: Path, position: int, coming: int) -> None:
        """Now and then, since others write to the disk too."""
        if position // _LOOK_EVERY != (position + coming) // _LOOK_EVERY:
            self.require_space(part.parent, self._options.spare)

    def _check_status(self, status: int, part: Path, record: FileRecord) -> None:
        if status in (HTTPStatus.OK, HTTPStatus.PARTIAL_CONTENT):
            return
        if status in CLOSED:
            raise self._options.hub.closed(self._listing.repo, status)
        if status == HTTPStatus.PROXY_AUTHENTICATION_REQUIRED:
            raise proxy_is_closed()
        if status == HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
            raise self._other(part, record)
        if status >= HTTPStatus.INTERNAL_SERVER_ERROR or status == HTTPStatus.TOO_MANY_REQUESTS:
            raise _BrokenOffError
        raise ModelError(
            translatable(
                "The model hub answered with the error {} when asked for {} of "
                "{}. Try again later.",
                status,
                record.name,
                self._title,
            )
        )

    def _given_up(self, part: Path, *, wants_whole: bool) -> ModelError:
        """The error to raise; a part that nothing can be added to is thrown away."""
        if not wants_whole:
            return ModelError(
                translatable(
                    "The connection broke off while {} was being downloaded. "
                    "Try again: it goes on where it stopped.",
                    self._title,
                )
            )
        part.unlink(missing_ok=True)
        return ModelError(
            translatable(
                "The connection broke off while {} was being downloaded, and the model hub cannot "
                "go on where it stopped. Try again: it begins anew.",
                self._title,
            )
        )

    def _other(self, part: Path, record: FileRecord) -> ModelError:
        """Throw ``part`` away; the error to raise."""
        part.unlink(missing_ok=True)
        return ModelError(
            translatable(
                "The file {} of {} is not the one that the hub announced, and "
                "was thrown away. Try again later.",
                record.name,
                self._title,
            )
        )


def part_name(record: FileRecord) -> str:
    """The name of a file on its way; it holds the hash, so that versions are never mixed."""
    return f"{record.name}.{record.digest[:16]}.part"


async def _opens(hub: Hub, asked: str, response: aiohttp.ClientResponse) -> bool:
    """Whether the access token, which was not shown so far, may open what was refused.

    Raises:
        _BrokenOffError: a content network or a firewall refused, which no licence would change.
    """
    if response.url.host != urlsplit(asked).hostname:
        raise _BrokenOffError
    return await aside(lambda _: hub.unlock())


async def _by_proxy(
    request: aiohttp.ClientRequest, handler: aiohttp.ClientHandlerType
) -> aiohttp.ClientResponse:
    """Send a request, that of a redirect too, by the proxy that this computer has for it."""
    url = request.url
    proxy = await aside(lambda _: _proxy_for(url.scheme, url.host or ""))
    if proxy is not None:
        to = url.build(scheme=proxy.scheme, authority=proxy.netloc, encoded=True)
        request.update_proxy(to, None, None)
    return await handler(request)


def _proxy_for(scheme: str, host: str) -> SplitResult | None:
    found = getproxies().get(scheme)
    if not found or proxy_bypass(host):
        return None
    try:
        proxy = urlsplit(found if "://" in found else f"http://{found}")
        if proxy.scheme in ("http", "https") and proxy.hostname and proxy.port != 0:
            return proxy
    except ValueError:  # of the port, or of brackets
        pass
    raise aiohttp.InvalidURL("the proxy's")


def _is_full(path: Path, size: int) -> bool:
    return path.exists() and size_of(path) >= size
