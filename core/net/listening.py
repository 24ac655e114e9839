"""Listening for connections, of which there may be so many in all and so many of one site.

A slot is taken when a connection is made, over TLS once its handshake is done, and not with its
first request, since one that never sends any costs a connection, too. Where all are taken,
``core.net.connection_limit`` says which one ends.
"""

import asyncio
import logging
import socket
import ssl
import sys
import traceback
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractContextManager, aclosing, asynccontextmanager, suppress
from dataclasses import dataclass

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError

from core.errors import SwarmError
from core.i18n import translatable
from core.net.connection_limit import ConnectionLimit, ConnectionSlot
from core.net.handshakes import Handshakes, PendingConnection
from core.net.limits import site_of
from core.net.serving import ServerLimits


def _without_addresses(record: logging.LogRecord) -> bool:
    """Keep of ``record`` what failed and where; its words may hold the address of a visitor.

    Malformed HTTP is no trouble of ours, and anybody can send any amount: nothing is kept of it.
    """
    error = record.exc_info[1] if record.exc_info else None
    if isinstance(error, HttpProcessingError):
        return False
    record.msg, record.args, record.exc_info = "A visitor could not be served.", None, None
    if error is not None:
        where = "".join(traceback.format_tb(error.__traceback__))
        record.msg += f" {type(error).__name__}:\n{where}"
    return True


BACKLOG = 512  # connections that wait to be accepted
_OPEN_FILES = 4_096  # more than all that ``ServerLimits`` lets in

_log = logging.getLogger(__name__)
_log.addFilter(_without_addresses)


@dataclass(frozen=True, slots=True)
class ListenAddress:
    """An address and port to listen on, with or without TLS."""

    host: str = "127.0.0.1"  # "": every address, of IPv4 and IPv6
    port: int = 0  # any free one
    tls: ssl.SSLContext | None = None


def allow_connections() -> None:
    """Have the system allow this process as many open connections as a server takes.

    Many systems begin with 1,024 or 256 open files; beyond them it could not even hang up.
    """
    if sys.platform != "win32":  # which has no such limit
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = _OPEN_FILES if hard == resource.RLIM_INFINITY else min(_OPEN_FILES, hard)
        if soft != resource.RLIM_INFINITY and soft < wanted:
            with suppress(OSError, ValueError):  # a sandbox says no: fewer come in
                resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


@asynccontextmanager
async def listening(
    app: web.Application, address: ListenAddress, limits: ServerLimits
) -> AsyncIterator[int]:
    """Serve ``app`` within the block; the port.

    Raises:
        SwarmError: the address cannot be listened on.
    """
    allow_connections()
    app.on_response_prepare.append(_hide_version)
    runner = web.AppRunner(
        app,
        access_log=None,  # addresses of visitors are nobody's business
        logger=_log,
        keepalive_timeout=limits.idle_s,
        lingering_time=1.0,
        shutdown_timeout=1.0,
        auto_decompress=False,
    )
    await runner.setup()
    try:
        async with _accepting(runner, address, limits) as listener:
            yield listener.sockets[0].getsockname()[1]
    finally:
        await runner.cleanup()


@asynccontextmanager
async def _accepting(
    runner: web.AppRunner, address: ListenAddress, limits: ServerLimits
) -> AsyncIterator[asyncio.Server]:
    server = runner.server
    if server is None:
        raise RuntimeError("the runner is not set up")
    per_site = limits.connections if limits.behind_proxy else limits.connections_per_site
    limit = ConnectionLimit(limits.connections, per_site)
    async with aclosing(Handshakes(address.tls, limits)) as handshakes:
        listener = await _listen(address, lambda: _Connection(server, limit, handshakes))
        try:
            yield listener
        finally:
            listener.close()


async def _listen(
    address: ListenAddress, factory: Callable[[], asyncio.Protocol]
) -> asyncio.Server:
    loop = asyncio.get_running_loop()
    try:
        if not address.host:
            everywhere = _bind_everywhere(address.port)
            return await loop.create_server(factory, sock=everywhere, backlog=BACKLOG)
        return await loop.create_server(factory, address.host, address.port, backlog=BACKLOG)
    except OSError as error:
        where = f"{address.host}:{address.port}" if address.host else f"port {address.port}"
        raise SwarmError(
            translatable(
                "Nothing can listen on {} ({}). Choose another port or address.",
                where,
                error.strerror or error,
            )
        ) from error


def _bind_everywhere(port: int) -> socket.socket:
    """A socket on every address of this machine.

    One for both IPv4 and IPv6 where the system has that: two would get different free ports.

    Raises:
        OSError: the port is taken.
    """
    if socket.has_dualstack_ipv6():
        with suppress(OSError):  # IPv6 may be switched off all the same
            return socket.create_server(
                ("", port), family=socket.AF_INET6, backlog=BACKLOG, dualstack_ipv6=True
            )
    return socket.create_server(("", port), backlog=BACKLOG)


class _Connection(PendingConnection):
    """A connection on its way to aiohttp's handler; aborted where no slot is free."""

    def __init__(self, server: web.Server, limit: ConnectionLimit, handshakes: Handshakes) -> None:
        self._server = server
        self._handler: web.RequestHandler | None = None  # made once it is ready
        self._limit = limit
        self._handshakes = handshakes
        self._slot: AbstractContextManager[ConnectionSlot | None] | None = None
        self._site = ""
        self._is_closed = False
        self._buffered = b""  # read together with the end of the handshake

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        address = transport.get_extra_info("peername")
        if not isinstance(transport, asyncio.Transport):
            raise TypeError("a connection is a stream")
        self._site = site_of(address[0] if address else None)
        self._handshakes.accept(transport, self, self._site)

    def connection_ready(self, transport: asyncio.Transport) -> None:
        """Take a slot, and hand all that follows to the handler."""
        slot = self._limit.take(self._site, evict=transport.abort)
        if self._is_closed or slot.__enter__() is None:
            transport.abort()
            return
        self._slot = slot
        self._handler = self._server()
        self._handler.connection_made(transport)
        if self._buffered:
            self._handler.data_received(self._buffered)
            self._buffered = b""

    def data_received(self, data: bytes) -> None:
        if self._handler is not None:
            self._handler.data_received(data)
        else:
            self._buffered += data

    def eof_received(self) -> bool | None:
        if self._handler is not None:
            self._handler.eof_received()
        return None

    def pause_writing(self) -> None:
        if self._handler is not None:
            self._handler.pause_writing()

    def resume_writing(self) -> None:
        if self._handler is not None:
            self._handler.resume_writing()

    def connection_lost(self, exc: BaseException | None) -> None:
        self._is_closed = True
        handler, self._handler = self._handler, None
        if handler is not None:
            handler.connection_lost(exc)
        if self._slot is not None:
            self._slot.__exit__(None, None, None)
            self._slot = None


async def _hide_version(_: web.Request, response: web.StreamResponse) -> None:
    """Name no versions by which known vulnerabilities could be looked up."""
    response.headers["Server"] = "waggle"
