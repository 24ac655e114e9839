"""Decks and those who are asked for them, for tests of what travels."""

import hashlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from aiohttp import web

from core.decks.deck import Deck, Flashcard, Matcher, encode_deck
from core.net.greeting import HelloHandler
from core.net.listening import ListenAddress, listening
from core.net.serving import ServerLimits
from core.rollouts.types import PeerId
from core.swarm.decks import DeckSwarm
from core.swarm.directory import NamedHub
from core.wire.deck import MEDIA_TYPE
from core.wire.hello import Kind
from core.wire.identity import Identity
from core.wire.secrecy import SwarmKeys
from tests.envelopes import KEYS, NOW, SWARM

NOBODY = PeerId("")


def deck_data(name: str = "Sums", cards: int = 40, matcher: Matcher = "integer") -> bytes:
    """A deck of sums that nothing is wrong with; another one for another name."""
    rows = (Flashcard(f"What is {n} + {n + 1}?", (str(2 * n + 1),)) for n in range(cards))
    deck = Deck(
        format=1,
        name=name,
        author="Anne",
        language="en",
        licence="CC0-1.0",
        matcher=matcher,
        cards=tuple(rows),
    )
    return encode_deck(deck)


def sha256(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def swarm_of(*decks: bytes, keys: SwarmKeys | None = KEYS) -> DeckSwarm:
    """The private swarm of the tests, or the open one, with these decks."""
    name = SWARM if keys is None else keys.swarm
    return DeckSwarm(name, keys, tuple(map(sha256, decks)))


@dataclass
class OddHub:
    """A hub that greets as one does, and answers about decks whatever a test tells it to."""

    status: int = 200
    body: bytes = b""
    media: str = MEDIA_TYPE
    kind: Kind = "hub"
    head: int = 404
    identity: Identity = field(default_factory=Identity.generate)
    asked: list[str] = field(default_factory=list)

    async def answer(self, request: web.Request) -> web.Response:
        self.asked.append(request.method)
        if request.method == "HEAD":
            return web.Response(status=self.head)
        await request.read()
        return web.Response(status=self.status, body=self.body, content_type=self.media)

    @asynccontextmanager
    async def open(self) -> AsyncIterator[NamedHub]:
        hello_handler = HelloHandler(self.identity, self.kind)

        async def hello(request: web.Request) -> web.Response:
            return hello_handler.answer(request, NOW)

        app = web.Application(client_max_size=10_000_000)
        app.router.add_get(r"/v1/hello/{nonce:[0-9a-f]{32}}", hello)
        app.router.add_route("*", "/v1/swarms/{rest:.*}", self.answer)
        async with listening(app, ListenAddress(), ServerLimits()) as port:
            yield NamedHub(f"http://127.0.0.1:{port}")
