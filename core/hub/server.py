"""The hub over HTTP: one batched exchange, a health check, and figures for Prometheus.

A hub stands open to the internet, so everything is bounded before it is read: connections,
requests at work, rates, sizes, and the seconds that a slow sender or reader may take. Bodies are
never decompressed.
"""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import aiohttp
from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError

from core.errors import SwarmError, WireError
from core.hub.limits import Rates, Seats, site_of
from core.hub.metrics import CONTENT_TYPE, render
from core.hub.reception import Clocks, Reception
from core.hub.store import Store
from core.wire.codec import MAX_EXCHANGE_BYTES, Reason
from core.wire.exchange import MEDIA_TYPE

_STATUS = {
    Reason.SIZE: web.HTTPRequestEntityTooLarge.status_code,
    Reason.RATE: web.HTTPTooManyRequests.status_code,
    "busy": web.HTTPServiceUnavailable.status_code,
    "store": web.HTTPServiceUnavailable.status_code,
    "media": web.HTTPUnsupportedMediaType.status_code,
    "slow": web.HTTPRequestTimeout.status_code,
}
"""HTTP status by the reason why a whole request is refused; 400 for all others."""


def _is_our_trouble(record: logging.LogRecord) -> bool:
    """Malformed HTTP is not: anybody can send any amount, and each line would name the sender."""
    return not (record.exc_info and isinstance(record.exc_info[1], HttpProcessingError))


_log = logging.getLogger(__name__)
_log.addFilter(_is_our_trouble)


@dataclass(frozen=True, slots=True)
class HubLimits:
    """What a hub's owner spends on visitors."""

    connections: int = 1_024
    requests: int = 256  # at work at the same time
    requests_per_site: int = 16
    read_s: float = 10.0  # for a request's body
    write_s: float = 20.0  # for a reply
    idle_s: float = 15.0  # of an open connection, also before its first request
    rates: Rates = field(default_factory=Rates)


class HubServer:
    """The handlers of a hub."""

    def __init__(self, store: Store, limits: HubLimits, clocks: Clocks) -> None:
        self._store = store
        self._limits = limits
        self._reception = Reception(store, limits.rates, clocks)
        self._seats = Seats(limits.requests, limits.requests_per_site)

    def application(self) -> web.Application:
        """The routes."""
        app = web.Application(client_max_size=MAX_EXCHANGE_BYTES)
        swarm = r"{swarm:[a-z0-9][a-z0-9-]{0,39}}"
        app.router.add_post(f"/v1/swarms/{swarm}/exchange", self._exchange)
        app.router.add_get("/healthz", self._health)
        app.router.add_get("/metrics", self._metrics)
        app.on_response_prepare.append(_say_little)
        return app

    async def _exchange(self, request: web.Request) -> web.StreamResponse:
        site = site_of(request.remote)
        with self._seats.take(site) as seated:
            try:
                reply = await self._answer(request, site) if seated else "busy"
            except WireError as error:
                reply = error.reason
            except SwarmError:
                reply = "store"
            except (OSError, aiohttp.ClientError):  # the sender went away in mid-sentence
                reply = "cut"
            if isinstance(reply, str):
                return self._refuse(reply)
            return await self._send(request, reply)

    async def _answer(self, request: web.Request, site: str) -> bytes:
        """The reply to an exchange.

        Raises:
            WireError: the request is refused as a whole; the reason is a key of ``_STATUS``.
            SwarmError: the store cannot be used.
        """
        if not self._reception.may_come(site):
            raise WireError(Reason.RATE)
        if request.content_type != MEDIA_TYPE or "Content-Encoding" in request.headers:
            raise WireError("media")
        if (request.content_length or 0) > MAX_EXCHANGE_BYTES:
            raise WireError(Reason.SIZE)
        try:
            async with asyncio.timeout(self._limits.read_s):
                body = await request.read()
        except TimeoutError as error:
            raise WireError("slow") from error
        except web.HTTPRequestEntityTooLarge as error:
            raise WireError(Reason.SIZE) from error
        return await self._reception.serve(request.match_info["swarm"], body, site)

    def _refuse(self, reason: str) -> web.Response:
        self._reception.tally.refused[reason] += 1
        status = _STATUS.get(reason, web.HTTPBadRequest.status_code)
        response = web.Response(status=status, text=f"{reason}\n")
        response.force_close()  # whatever is left of the body is not worth reading
        return response

    async def _send(self, request: web.Request, reply: bytes) -> web.StreamResponse:
        """Send within ``write_s``, or hang up on a reader that takes longer."""
        response = web.Response(body=reply, content_type=MEDIA_TYPE)
        try:
            async with asyncio.timeout(self._limits.write_s):
                await response.prepare(request)
                await response.write_eof()
        except TimeoutError:
            self._reception.tally.refused["deaf"] += 1
            if request.transport is not None:
                request.transport.abort()
        return response

    async def _health(self, _: web.Request) -> web.Response:
        try:
            await self._store.stats()
        except SwarmError:
            raise web.HTTPServiceUnavailable(text="store\n") from None
        return web.Response(text="ok\n")

    async def _metrics(self, _: web.Request) -> web.Response:
        page = render(self._reception.tally, await self._store.stats())
        return web.Response(body=page.encode(), headers={"Content-Type": CONTENT_TYPE})


@asynccontextmanager
async def serving(
    store: Store,
    host: str = "127.0.0.1",
    port: int = 0,
    limits: HubLimits | None = None,
    clocks: Clocks | None = None,
) -> AsyncIterator[str]:
    """Run a hub on ``host`` and ``port`` (0: any free one) within the block; its base URL.

    Raises:
        SwarmError: the address cannot be listened on.
    """
    limits = limits or HubLimits()
    runner = web.AppRunner(
        HubServer(store, limits, clocks or Clocks()).application(),
        access_log=None,  # addresses of visitors are nobody's business
        logger=_log,
        keepalive_timeout=limits.idle_s,
        lingering_time=1.0,
        shutdown_timeout=1.0,
        auto_decompress=False,
    )
    await runner.setup()
    try:
        listener = await _listen(runner, host, port, limits.connections)
        try:
            bound = listener.sockets[0].getsockname()[1]
            yield f"http://{f'[{host}]' if ':' in host else host}:{bound}"
        finally:
            listener.close()
    finally:
        await runner.cleanup()


async def _listen(runner: web.AppRunner, host: str, port: int, connections: int) -> asyncio.Server:
    """Accept connections, but hang up at once on those beyond ``connections``."""
    server = runner.server
    if server is None:
        raise RuntimeError("the runner is not set up")

    def welcome() -> asyncio.Protocol:
        return server() if len(server.connections) < connections else _HangUp()

    try:
        return await asyncio.get_running_loop().create_server(welcome, host, port, backlog=512)
    except OSError as error:
        raise SwarmError(
            f"The hub cannot listen on {host}:{port} ({error.strerror or error}). "
            "Choose another address with --listen."
        ) from error


class _HangUp(asyncio.Protocol):
    """The conversation with one visitor too many."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        if isinstance(transport, asyncio.Transport):
            transport.abort()


async def _say_little(_: web.Request, response: web.StreamResponse) -> None:
    """Name no versions to look up holes for."""
    response.headers["Server"] = "waggle"
