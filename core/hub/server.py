"""The hub over HTTP: one batched exchange, a health check, and figures for Prometheus.

A hub stands open to the internet, so everything is bounded before it is read: connections,
requests at work, rates, sizes, and the seconds that a slow sender or reader may take. Bodies are
never decompressed.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from math import inf
from typing import Final, Generic, TypeVar

from aiohttp import web

from core.errors import SwarmError
from core.hub.census import Census
from core.hub.deck_desk import DeckDesk, DeckRates
from core.hub.metrics import CONTENT_TYPE, render
from core.hub.page import render_page, security_headers
from core.hub.reception import Clocks, Labels, Reception
from core.hub.store import Store
from core.net.greeting import HelloHandler
from core.net.limits import Rates, SiteBuckets
from core.net.listening import ListenAddress, listening
from core.net.serving import Dialect, RequestGate, ServerLimits
from core.net.tls import ring
from core.settings import SWARM, in_url
from core.wire import dialback
from core.wire.codec import (
    DECK_GET_RATE,
    DECK_PUT_RATE,
    DIALBACK_RATE,
    MAX_DIALBACK_BYTES,
    MAX_EXCHANGE_BYTES,
    Rate,
    encode,
)
from core.wire.exchange import MEDIA_TYPE
from core.wire.identity import Identity

TTL_S: Final = 2.0

T = TypeVar("T")


class TtlCache(Generic[T]):
    """Cache of what ``find`` returned at most ``TTL_S`` seconds ago, be it a failure.

    However many ask at once, it is called once.
    """

    def __init__(self, find: Callable[[], Awaitable[T]], clock: Callable[[], float]) -> None:
        """``clock`` is in seconds and never goes back."""
        self._find = find
        self._clock = clock
        self._finding = asyncio.Lock()  # whoever asks meanwhile waits for the same answer
        self._found: T
        self._trouble: SwarmError | None = None
        self._until = -inf

    async def get(self) -> T:
        """The value, at most ``TTL_S`` seconds old.

        Raises:
            SwarmError: there was none.
        """
        async with self._finding:
            if self._clock() >= self._until:
                try:
                    self._found, self._trouble = await self._find(), None
                except SwarmError as error:
                    self._trouble = error
                self._until = self._clock() + TTL_S
            if self._trouble is not None:
                raise self._trouble.with_traceback(None)  # or it would grow with every asker
            return self._found


EXCHANGE = Dialect(MEDIA_TYPE, MAX_EXCHANGE_BYTES)


DIALBACK = Dialect(dialback.MEDIA_TYPE, MAX_DIALBACK_BYTES)


@dataclass(frozen=True, slots=True)
class HubLimits(ServerLimits):
    """Limits and rates of a hub."""

    rates: Rates = field(default_factory=Rates)
    dialbacks: Rate = DIALBACK_RATE  # per site
    deck_puts: Rate = DECK_PUT_RATE  # likewise
    deck_gets: Rate = DECK_GET_RATE


@dataclass(frozen=True, slots=True)
class HubFace:
    """The identity and URL of a hub, and its statistics."""

    identity: Identity
    url: str = ""  # where it wants to be asked, if another address leads here, too
    census: Census = field(default_factory=lambda: Census(time.monotonic))


class HubServer:
    """The HTTP handlers of a hub."""

    def __init__(self, store: Store, face: HubFace, limits: HubLimits, clocks: Clocks) -> None:
        self._face = face
        self._hello_handler = HelloHandler(face.identity, "hub", url=face.url)
        self._clocks = clocks
        self._reception = Reception(store, limits.rates, clocks, Labels(face.identity), face.census)
        self._gate = RequestGate(limits, self._reception.refused)
        self._dialbacks = SiteBuckets(limits.dialbacks, clocks.steady)
        rates = DeckRates(limits.deck_puts, limits.deck_gets)
        place = self._reception.place
        self._decks = DeckDesk(store.decks, self._gate, rates, clocks.steady, place)
        # Not those of the exchanges: nodes must not use up what a monitor at their address needs.
        self._looks = SiteBuckets(limits.rates.address_exchanges, clocks.steady)
        self._stats = TtlCache(store.stats, clocks.steady)
        self._view = TtlCache(self._render_page, clocks.steady)

    def application(self) -> web.Application:
        """The HTTP routes of a hub."""
        app = web.Application()
        swarm = f"{{swarm:{SWARM}}}"
        limited, exchanges = self._gate.limited, self._reception.admits
        app.router.add_post(f"/v1/swarms/{swarm}/exchange", limited(self._exchange, exchanges))
        self._decks.add_to(app.router, f"/v1/swarms/{swarm}/decks")
        app.router.add_get(r"/v1/hello/{nonce:[0-9a-f]{32}}", limited(self._hello, exchanges))
        app.router.add_post("/v1/dialback", limited(self._dialback, self._dialbacks.take))
        looks = {"/": self._page, "/healthz": self._health, "/metrics": self._metrics}
        for path, handler in looks.items():
            app.router.add_get(path, limited(handler, self._looks.take))
        return app

    async def _exchange(self, request: web.Request) -> web.StreamResponse:
        answer = partial(self._reception.serve, request.match_info["swarm"])
        return await self._gate.handle(request, EXCHANGE, answer)

    async def _dialback(self, request: web.Request) -> web.StreamResponse:
        client_address = self._gate.client_address(request)

        async def answer(body: bytes, _: str) -> bytes:
            port = dialback.decode_dialback_request(body).port
            return encode(await ring(client_address, port))

        return await self._gate.handle(request, DIALBACK, answer)

    async def _hello(self, request: web.Request) -> web.Response:
        return self._hello_handler.answer(request, self._clocks.wall())

    async def _page(self, _: web.Request) -> web.Response:
        page = await self._view.get()
        return web.Response(text=page, content_type="text/html", headers=security_headers())

    async def _render_page(self) -> str:
        return render_page(self._face.census.view())

    async def _health(self, _: web.Request) -> web.Response:
        await self._stats.get()
        return (
            self._gate.refuse("store")
            if self._reception.failed_lately()
            else web.Response(text="ok\n")
        )

    async def _metrics(self, _: web.Request) -> web.Response:
        page = render(self._reception.tally, await self._stats.get())
        return web.Response(body=page.encode(), headers={"Content-Type": CONTENT_TYPE})


@asynccontextmanager
async def serving(
    store: Store,
    address: ListenAddress | None = None,
    limits: HubLimits | None = None,
    clocks: Clocks | None = None,
    face: HubFace | None = None,
) -> AsyncIterator[str]:
    """Run a hub at ``address`` (any free port of this machine) within the block; its base URL.

    Without a ``face`` it has an identity of its own until it ends.

    Raises:
        SwarmError: the address cannot be listened on.
    """
    address, limits = address or ListenAddress(), limits or HubLimits()
    face = face or HubFace(Identity.generate())
    app = HubServer(store, face, limits, clocks or Clocks()).application()
    async with listening(app, address, limits) as port:
        yield f"http://{in_url(address.host)}:{port}"
