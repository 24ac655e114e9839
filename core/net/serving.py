"""Serving HTTP to anybody: what is spent on a client is bounded before anything is read.

Connections, requests at work, rates, sizes, and the seconds that a slow sender or reader may take.
Bodies are never decompressed. Hubs and nodes both stand on this.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass

import aiohttp
from aiohttp import web

from core.errors import SwarmError, WireError
from core.net.connection_limit import ConnectionLimit, ConnectionSlot
from core.net.limits import site_of
from core.wire.codec import Reason


def has_type(headers: Mapping[str, str], media_type: str) -> bool:
    """Whether ``headers`` announce a body of ``media_type``, whatever parameters it has."""
    said = headers.get("Content-Type", "")
    return said.partition(";")[0].strip().lower() == media_type


async def read_at_most(message: web.Request | aiohttp.ClientResponse, most: int) -> bytes:
    """All of the body; each route has a limit of its own, and aiohttp one for all, or none.

    Raises:
        WireError: it is larger than ``most`` bytes, or announced to be.
    """
    if (message.content_length or 0) > most:
        raise WireError(Reason.SIZE, f"{message.content_length} bytes")
    body = bytearray()
    async for chunk in message.content.iter_any():
        body += chunk
        if len(body) > most:
            raise WireError(Reason.SIZE, "endless")
    return bytes(body)


_HERE = ("127.0.0.1", "::1")

BUSY = "busy"
"""The reason where no slot is free."""

ABSENT = "absent"
"""The reason where there is nothing of that name, on a route that there is."""

QUOTA = "quota"
"""The reason where a swarm has as much as it may."""

_STATUS = {
    ABSENT: web.HTTPNotFound.status_code,
    QUOTA: web.HTTPInsufficientStorage.status_code,
    Reason.SIZE: web.HTTPRequestEntityTooLarge.status_code,
    Reason.RATE: web.HTTPTooManyRequests.status_code,
    Reason.MEMBER: web.HTTPForbidden.status_code,
    Reason.SIGNATURE: web.HTTPForbidden.status_code,
    BUSY: web.HTTPServiceUnavailable.status_code,
    "store": web.HTTPServiceUnavailable.status_code,
    "media": web.HTTPUnsupportedMediaType.status_code,
    "slow": web.HTTPRequestTimeout.status_code,
}
"""HTTP status by the reason why a whole request is refused; 400 for all others."""

_PIECE = 1 << 16  # bytes

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass(frozen=True, slots=True)
class ServerLimits:
    """Limits of connections, requests, bytes and seconds of a server."""

    silent: int = 2_048  # connected over TLS and said nothing yet: a socket each
    connections: int = 1_024
    connections_per_site: int = 128  # of each kind; ``ConnectionLimit`` says what an IPv6 /48 has
    handshakes: int = 128  # of TLS, under way at the same time; each takes a third of a megabyte
    handshakes_per_site: int = 64
    requests: int = 256  # at work at the same time
    requests_per_site: int = 16
    body_bytes: int = 256 << 20  # of requests and replies at work; unknown ones count as largest
    read_s: float = 10.0  # for a request's body
    write_s: float = 20.0  # for a reply
    idle_s: float = 15.0  # of an open connection, also before its first request
    behind_proxy: bool = False  # every visitor comes by a proxy on this machine, which names it


@dataclass(frozen=True, slots=True)
class Dialect:
    """The media type and size of a route's requests: bodies of this type, in both directions."""

    media_type: str
    most_bytes: int  # of a request, or of a reply to one without a body
    timeout_factor: float = 1.0  # times the seconds that a body may take else


class RequestGate:
    """Reads requests and sends replies within the limits; says why where it does not."""

    def __init__(self, limits: ServerLimits, count: Callable[[str], None]) -> None:
        """``count`` is told the reason of every request that was refused."""
        self._limits = limits
        self._count = count
        self._limit = ConnectionLimit(limits.body_bytes, limits.requests_per_site)
        self._least = limits.body_bytes // limits.requests  # so that no more requests fit

    def limited(self, handler: Handler, admits: Callable[[str], bool]) -> Handler:
        """``handler`` for as long as ``admits(site)``; it raises SwarmError if its store fails.

        That is asked before anything else, and counts what then finds no slot, too: whoever comes
        too often takes nobody's.
        """

        async def handle(request: web.Request) -> web.StreamResponse:
            if not admits(site_of(self.client_address(request))):
                return self.refuse(Reason.RATE)
            try:
                return await handler(request)
            except SwarmError:
                return self.refuse("store")

        return handle

    async def handle(
        self,
        request: web.Request,
        dialect: Dialect,
        answer: Callable[[bytes, str], Awaitable[bytes]],
    ) -> web.StreamResponse:
        """Answer one request of the site it comes from: ``answer(body, site)``.

        ``answer`` raises WireError to refuse.
        """
        size = min(request.content_length or dialect.most_bytes, dialect.most_bytes)

        async def read_and_answer(slot: ConnectionSlot) -> bytes:
            return await answer(await self._read(request, dialect, slot), slot.site)

        return await self._serve(request, dialect, size, read_and_answer)

    async def hand_out(
        self,
        request: web.Request,
        dialect: Dialect,
        answer: Callable[[], Awaitable[bytes]],
    ) -> web.StreamResponse:
        """Answer one request that has no body, otherwise as ``handle`` does."""
        return await self._serve(request, dialect, dialect.most_bytes, lambda _: answer())

    async def _serve(
        self,
        request: web.Request,
        dialect: Dialect,
        size: int,
        answer: Callable[[ConnectionSlot], Awaitable[bytes]],
    ) -> web.StreamResponse:
        """Answer within the limits; until the reply is there, its ``size`` in bytes counts."""
        site = site_of(self.client_address(request))
        with self._limit.take(site, max(size, self._least)) as slot:
            if slot is None:
                return self.refuse(BUSY)
            try:
                reply = await answer(slot)
            except WireError as error:
                return self.refuse(error.reason)
            except (OSError, aiohttp.ClientError):  # the sender went away in mid-sentence
                return self.refuse("cut")
            if not self._limit.resize(slot, max(len(reply), self._least)):
                return self.refuse(BUSY)
            return await self._send(request, reply, dialect, slot)

    def client_address(self, request: web.Request) -> str:
        """The address that a request comes from.

        A proxy appends whom it spoke with, so only the last entry is not the visitor's own claim.
        """
        named = request.headers.getall("X-Forwarded-For", [])
        if self._limits.behind_proxy and named and request.remote in _HERE:
            return named[-1].rpartition(",")[2].strip()
        return request.remote or ""

    def refuse(self, reason: str) -> web.Response:
        """The reply to a request that is not served."""
        self._count(reason)
        status = _STATUS.get(reason, web.HTTPBadRequest.status_code)
        response = web.Response(status=status, text=f"{reason}\n")
        response.force_close()  # whatever is left of the body is not worth reading
        return response

    async def _read(self, request: web.Request, dialect: Dialect, slot: ConnectionSlot) -> bytes:
        """The body of a request.

        Raises:
            WireError: it is refused; the reason is a key of ``_STATUS``.
        """
        is_ours = has_type(request.headers, dialect.media_type)
        if not is_ours or "Content-Encoding" in request.headers:
            raise WireError("media")
        try:
            async with _at_most(self._limits.read_s * dialect.timeout_factor, slot):
                return await read_at_most(request, dialect.most_bytes)
        except TimeoutError as error:
            raise WireError("slow") from error

    async def _send(
        self, request: web.Request, reply: bytes, dialect: Dialect, slot: ConnectionSlot
    ) -> web.StreamResponse:
        """Send within ``write_s``, or hang up on a reader that takes longer.

        In pieces, or the connection would keep a copy of all that is not yet read.
        """
        response = web.StreamResponse()
        response.content_type = dialect.media_type
        response.content_length = len(reply)
        pieces = memoryview(reply)
        try:
            async with _at_most(self._limits.write_s * dialect.timeout_factor, slot):
                await response.prepare(request)
                for start in range(0, len(reply), _PIECE):
                    await response.write(pieces[start : start + _PIECE])
                await response.write_eof()
        except TimeoutError:
            self._count("deaf")
            if request.transport is not None:
                request.transport.abort()
        except (OSError, aiohttp.ClientError):  # nobody is there to hear it any more
            self._count("cut")
        return response


@asynccontextmanager
async def _at_most(seconds: float, slot: ConnectionSlot) -> AsyncIterator[None]:
    """Wait for a client so long, or until others need its slot.

    Raises:
        TimeoutError: it was too slow.
    """
    async with asyncio.timeout(seconds) as timeout:

        def evict() -> None:
            if not timeout.expired():  # else it is on its way out already
                timeout.reschedule(0)

        slot.evict = evict
        try:
            yield
        finally:
            slot.evict = None
