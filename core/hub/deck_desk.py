"""The decks of swarms over HTTP: left once, fetched by whoever joins.

Anybody may ask for a name; in a private swarm nobody else can make one up. To leave a deck takes
bytes that belong to the name, or a member's word that they do.
"""

import asyncio
from collections.abc import Callable
from typing import Final, NamedTuple

from aiohttp import web

from core.errors import WireError
from core.hub.decks import DeckStore
from core.net.limits import SiteBuckets
from core.net.serving import ABSENT, QUOTA, Dialect, RequestGate
from core.wire.codec import MAX_PACKED_DECK_BYTES, Rate
from core.wire.deck import MEDIA_TYPE, check_packed

DECK: Final = Dialect(MEDIA_TYPE, MAX_PACKED_DECK_BYTES, timeout_factor=6)
"""A minute for the largest by a slow line: 1.1 Mbit/s up."""


class DeckRates(NamedTuple):
    """How often one site may leave and ask."""

    puts: Rate
    gets: Rate


class DeckDesk:
    """Takes decks in and hands them out, within the rates."""

    def __init__(
        self,
        decks: DeckStore,
        gate: RequestGate,
        rates: DeckRates,
        clock: Callable[[], float],
        place: Callable[[str], str],
    ) -> None:
        """``clock`` is in seconds and never goes back; ``place`` names the place of a site."""
        self._decks = decks
        self._gate = gate
        self._place = place
        self._puts = SiteBuckets(rates.puts, clock)
        self._gets = SiteBuckets(rates.gets, clock)

    def add_to(self, router: web.UrlDispatcher, path: str) -> None:
        """Serve below ``path``, in which the swarm is named."""
        name = r"{name:[0-9a-f]{64}}"
        limited, path = self._gate.limited, f"{path}/{name}"
        router.add_put(path, limited(self._put, self._puts.take))
        router.add_get(path, limited(self._get, self._gets.take), allow_head=False)
        router.add_head(path, limited(self._head, self._gets.take))

    async def _put(self, request: web.Request) -> web.StreamResponse:
        swarm, name = _named(request)

        async def answer(body: bytes, site: str) -> bytes:
            # To hash so much takes longer than an event loop should stand still.
            await asyncio.to_thread(check_packed, swarm, name, body)
            if not await self._decks.put(swarm, name, body, self._place(site)):
                raise WireError(QUOTA)
            return b""

        return await self._gate.handle(request, DECK, answer)

    async def _get(self, request: web.Request) -> web.StreamResponse:
        swarm, name = _named(request)

        async def answer() -> bytes:
            data = await self._decks.get(swarm, name)
            if data is None:
                raise WireError(ABSENT)
            return data

        return await self._gate.hand_out(request, DECK, answer)

    async def _head(self, request: web.Request) -> web.StreamResponse:
        is_kept = await self._decks.touch(*_named(request))
        return web.Response(content_type=MEDIA_TYPE) if is_kept else self._gate.refuse(ABSENT)


def _named(request: web.Request) -> tuple[str, str]:
    return request.match_info["swarm"], request.match_info["name"]
