"""Asking who is there."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager

import aiohttp
import pytest

from core.errors import WireError
from core.hub.reception import Clocks
from core.hub.server import HubFace, serving
from core.hub.sqlite_store import MEMORY, SqliteStore
from core.net.asking import IMPOSTOR, NO_HUB, REFUSED, open_session
from core.net.greeting import greet, greet_hub
from core.net.tls import meet
from core.swarm.exchange.direct_server import DirectServer
from core.swarm.exchange.served import ServedItems
from core.wire.codec import MAX_HELLO_BYTES, PROTOCOL, Reason
from core.wire.hello import MEDIA_TYPE, Hello, seal_hello
from tests.envelopes import ANNE, BOB, NOW, SWARM, public_key
from tests.rogue_hub import handing_out, ok, rogue_hub

HOST = "127.0.0.1"
Say = Callable[[bytes], bytes]  # from the nonce to all that is sent


@asynccontextmanager
async def somebody(say: Say) -> AsyncIterator[str]:
    """Answers any request as ``say`` makes it; the URL."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        writer.write(say(bytes.fromhex(head.split()[1].decode()[-32:])))
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(serve, HOST, 0) as server:
        yield f"http://{HOST}:{server.sockets[0].getsockname()[1]}"


def hello(nonce: bytes, version: int = PROTOCOL) -> Hello:
    return Hello(version, "hub", public_key(ANNE), nonce, int(NOW), (), "")


def said(body: bytes, media: str = MEDIA_TYPE) -> bytes:
    return ok(body, media=media)


async def test_a_hub_has_to_be_one_and_the_one() -> None:
    """Whoever is expected; where nobody is, any hub will do."""
    async with rogue_hub(handing_out()) as hub, open_session() as session:
        for peer in (None, hub.identity.peer_id):
            assert (await greet_hub(session, hub.url, peer)).peer_id == hub.identity.peer_id
        with pytest.raises(WireError, match=IMPOSTOR):
            await greet_hub(session, hub.url, ANNE.peer_id)
        hub.kind = "node"
        with pytest.raises(WireError, match=NO_HUB):
            await greet_hub(session, hub.url, hub.identity.peer_id)


async def test_a_hub_says_who_it_is() -> None:
    """Signed, with what its clock says and where it wants to be asked."""
    face = HubFace(ANNE, "https://hub.example.org")
    async with (
        aclosing(SqliteStore(MEMORY)) as store,
        serving(store, clocks=Clocks(wall=lambda: NOW), face=face) as url,
        open_session() as session,
    ):
        answer = await greet(session, url)
        assert (answer.kind, answer.peer_id, answer.time) == ("hub", ANNE.peer_id, NOW)
        assert answer.url == "https://hub.example.org"
        assert (await greet(session, url)).nonce != answer.nonce


async def test_a_node_says_who_it_is() -> None:
    """Over TLS, to whoever has met it and holds its certificate's fingerprint."""
    server = DirectServer(ANNE, SWARM, ServedItems(), lambda _: None)
    async with server.serving(HOST) as port, open_session() as session:
        pin = await meet(HOST, port)
        print_of_it = aiohttp.Fingerprint(pin.fingerprint)
        answer = await greet(session, f"https://{HOST}:{port}", print_of_it)
        assert (answer.kind, answer.peer_id, answer.swarms) == ("node", ANNE.peer_id, (SWARM,))
        with pytest.raises(aiohttp.ServerFingerprintMismatch):
            await greet(session, f"https://{HOST}:{port}", aiohttp.Fingerprint(bytes(32)))


ROGUES: dict[str, tuple[Say, str]] = {
    "an old recording": (lambda _: said(seal_hello(ANNE, hello(bytes(16)))), Reason.REPLAYED),
    "somebody else's name": (lambda nonce: said(seal_hello(BOB, hello(nonce))), Reason.SIGNATURE),
    "another release": (
        lambda nonce: said(seal_hello(ANNE, hello(nonce, version=PROTOCOL - 1))),
        Reason.VERSION,
    ),
    "nothing": (lambda _: said(b""), Reason.SCHEMA),
    "a web page": (lambda nonce: said(seal_hello(ANNE, hello(nonce)), "text/html"), Reason.SCHEMA),
    "too much": (lambda _: said(bytes(MAX_HELLO_BYTES + 1)), Reason.SIZE),
    "no service": (lambda _: b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", REFUSED),
    "a redirect": (
        lambda _: (
            b"HTTP/1.1 302 There\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n"
        ),
        REFUSED,
    ),
}


@pytest.mark.parametrize("name", ROGUES)
async def test_whoever_proves_nothing_is_refused(name: str) -> None:
    """Recordings, other keys, other services: with the reason."""
    say, reason = ROGUES[name]
    async with somebody(say) as url, open_session() as session:
        with pytest.raises(WireError) as error:
            await greet(session, url)
    assert error.value.reason == reason


async def test_nobody_there_is_told() -> None:
    """As for any other question."""
    async with open_session() as session:
        with pytest.raises(aiohttp.ClientError):
            await greet(session, f"http://{HOST}:1")
