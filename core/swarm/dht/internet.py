"""Others found over the internet without anybody's server, and being found oneself.

The DHT names addresses, and nothing of it is proven: whoever answers at one is asked for a signed
hello first. This node announces itself only after a hub has rung it back, so that nobody is sent
to a door that does not open.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

import aiohttp

from core.errors import SwarmError, UsageError
from core.i18n import translatable
from core.net.addresses import host_and_port, is_inside, parse_hub_url
from core.net.asking import FAILURES, BoundedQuery, ask, open_session, told_of
from core.net.greeting import greet
from core.net.names import PublicNames
from core.net.tls import meet, stranger_context
from core.rollouts.types import PeerId
from core.settings import in_url
from core.storage.bounded import BoundedDict
from core.swarm.backoff import Timing
from core.swarm.dht.discovery import Dht
from core.swarm.dht.finds import Endpoint, checked_address, may_knock_at
from core.swarm.membership import Address, Origin, Source
from core.wire.codec import MAX_DIALBACK_BYTES, encode
from core.wire.dialback import (
    MEDIA_TYPE,
    DialbackRequest,
    decode_dialback_reply,
)
from core.wire.secrecy import is_private

LOOK_EVERY_S: Final = 60.0
PROVE_EVERY_S: Final = 600.0
MOST_AT_ONCE: Final = 16
"""Addresses that are knocked at side by side."""

IDENTIFY_S: Final = 8.0
"""For one address, whatever it does: 64 that stall hold the next look up for 32 seconds."""

KEPT_S: Final = 1_800.0
MOST_KEPT: Final = 64
_FAILED = translatable(
    "Looking for others on the internet failed unexpectedly; it is tried again. "
    "If that goes on, add a meeting point."
)
_TROUBLES = (*FAILURES, SwarmError, UsageError)
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Here:
    """This node, as others on the internet would find it."""

    peer: PeerId
    swarm: str  # its name on the wire
    port: int  # where it serves; 0: nowhere, it only looks for others


class InternetFinder:
    """Looks addresses up and sees who is there; ``run`` does the work beside the rounds."""

    origin: Origin = "dht"

    def __init__(
        self, dht: Dht, here: Here, hubs: Callable[[], Sequence[Address]], timing: Timing
    ) -> None:
        """``hubs`` names those that may be asked to ring back."""
        self._dht = dht
        self._here = here
        self._hubs = hubs
        self._timing = timing
        self._found = BoundedDict[Address, tuple[float, Source]](MOST_KEPT)
        self._prove_at = float("-inf")
        self._failure: str | None = None

    async def look(self) -> Iterable[Source]:
        """The sources found in the last ``KEPT_S`` seconds."""
        oldest = self._timing.steady() - KEPT_S
        self._found.drop_while(lambda found: found[0] < oldest)
        # Copies: membership writes into what it is given, and would tell this look of another.
        return [replace(source) for _, source in self._found.values()]

    @property
    def trouble(self) -> str | None:
        """Advice about what keeps others on the internet from being found; None if nothing does."""
        return self._failure or self._dht.trouble

    async def run(self) -> None:
        """Look again and again, until cancelled; nothing that goes wrong here ends a node."""
        async with open_session(PublicNames()) as session:
            while True:
                try:
                    await self.look_again(session)
                    self._failure = None
                except Exception:  # noqa: BLE001 - told, and tried again
                    _log.exception("Looking for others on the internet failed")
                    self._failure = _FAILED
                await asyncio.sleep(LOOK_EVERY_S * self._timing.rng.uniform(0.8, 1.2))

    async def look_again(self, session: aiohttp.ClientSession) -> None:
        """Ask the DHT, see who is there, and now and then whether others get through to here."""
        endpoints = await self._dht.look_up(self._here.swarm)
        await self._knock(session, endpoints)
        if self._timing.steady() >= self._prove_at:
            await self._prove(session)

    def prove_again(self) -> None:
        """This computer is on another network now, where perhaps nobody gets through to it."""
        self._prove_at = float("-inf")

    async def _knock(self, session: aiohttp.ClientSession, endpoints: Sequence[Endpoint]) -> None:
        """Identify who answers at ``endpoints``, a few at a time."""
        turn = asyncio.Semaphore(MOST_AT_ONCE)

        async def one(endpoint: Endpoint) -> None:
            async with turn:
                source = await identify(session, endpoint, self._here)
            if source is not None:
                self._found[source.address] = (self._timing.steady(), source)

        await asyncio.gather(*(one(endpoint) for endpoint in endpoints))

    async def _prove(self, session: aiohttp.ClientSession) -> None:
        """Have a hub ring this node back, and announce it if that works.

        A router takes a while to open a port, and a hub may be away or lie: a proof that failed is
        tried again at the next look, and any of the hubs will do that sees us from outside.
        """
        local = self._dht.is_local
        hubs = [hub for hub in self._hubs() if local or not is_inside(host_and_port(hub)[0])]
        if not self._here.port or not hubs:  # and nobody shows any more that the door opens
            self._dht.announce(self._here.swarm, 0)
            return
        self._dht.ports.map(self._here.port)
        mapped = self._dht.ports.external
        port = mapped.port if mapped is not None else self._here.port
        for hub in self._timing.rng.sample(hubs, len(hubs)):
            if await ring_back(session, hub, port, local=local) == self._here.peer:
                self._prove_at = self._timing.steady() + PROVE_EVERY_S
                self._dht.announce(self._here.swarm, port)
                return
        self._dht.announce(self._here.swarm, 0)


async def identify(session: aiohttp.ClientSession, endpoint: Endpoint, here: Here) -> Source | None:
    """The source that answers at ``endpoint``: a hub, another node of the swarm, or None.

    Takes ``IDENTIFY_S`` at most.
    """
    host = in_url(endpoint.host)
    ways: tuple[Callable[[], Awaitable[Source | None]], ...] = (
        lambda: _node_at(session, host, endpoint, here),
        lambda: _hub_at(session, f"http://{host}:{endpoint.port}"),
        lambda: _hub_at(session, f"https://{host}:{endpoint.port}"),
    )
    with suppress(TimeoutError):
        async with asyncio.timeout(IDENTIFY_S):
            for way in ways:
                with suppress(*_TROUBLES):
                    source = await way()
                    if source is not None:
                        return source
    return None


async def ring_back(
    session: aiohttp.ClientSession, hub: Address, port: int, *, local: bool = False
) -> PeerId | None:
    """Whom ``hub`` meets when it rings this computer back at ``port``; None if nobody.

    Nobody, too, where that says nothing of the internet: it rang at an address of our own network.
    With ``local`` that counts.
    """
    question = BoundedQuery(encode(DialbackRequest(port)), MEDIA_TYPE, MAX_DIALBACK_BYTES)
    try:
        reply = decode_dialback_reply(await ask(session, f"{hub}/v1/dialback", question))
    except _TROUBLES as error:
        _log.info("%s did not ring back: %s", hub, told_of(error))
        return None
    is_outside = isinstance(checked_address(reply.host, port, local=local), Endpoint)
    return PeerId(reply.peer.hex()) if reply.peer and is_outside else None


async def _node_at(
    session: aiohttp.ClientSession, host: str, endpoint: Endpoint, here: Here
) -> Source | None:
    pin = await meet(endpoint.host, endpoint.port)
    tls = aiohttp.Fingerprint(pin.fingerprint)
    hello = await greet(session, f"https://{host}:{endpoint.port}", tls)
    # Nodes of private swarms name none: whether they are company, the pull will show.
    is_company = hello.kind == "node" and (is_private(here.swarm) or here.swarm in hello.swarms)
    if hello.peer_id != pin.peer or hello.peer_id == here.peer or not is_company:
        return None
    return Source(Address(pin.peer), "node", "dht", pin.peer, endpoint.host, endpoint.port)


async def _hub_at(session: aiohttp.ClientSession, base: str) -> Source | None:
    """The hub below ``base``, under the address by which it wants to be asked."""
    tls = stranger_context() if base.startswith("https") else None
    hello = await greet(session, base, tls)
    if hello.kind != "hub":
        return None
    if tls is None and hello.url in ("", base):
        return Source(Address(base), "hub", "dht", hello.peer_id)
    # Over TLS it is asked as the web's authorities know it, also where it names no other address.
    source = Source(Address(parse_hub_url(hello.url or base).url), "hub", "dht", hello.peer_id)
    if not leads_outside(source) or (await greet(session, source.address)).peer_id != source.peer:
        return None
    return source


def leads_outside(source: Source) -> bool:
    """Whether a stranger may send us there: outside our own network, as far as the address says.

    Where a hub's name leads is seen by ``PublicNames``. A node has to be at a number: the handshake
    with it looks names up as the system does.
    """
    if source.kind == "node":
        return isinstance(checked_address(source.host, source.port), Endpoint)
    host, port = host_and_port(source.address)
    return not is_inside(host) and may_knock_at(port)
