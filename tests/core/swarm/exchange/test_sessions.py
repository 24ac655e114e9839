"""HTTP with those who are trusted, and with strangers."""

import asyncio
import socket
from contextlib import aclosing

import aiohttp
import pytest

from core.net.greeting import greet
from core.swarm.exchange.sessions import Sessions
from core.swarm.membership import Address, Origin, Source
from tests.rogue_hub import handing_out, rogue_hub

HOST = "127.0.0.1"


def source(origin: Origin) -> Source:
    return Source(Address("http://hub.example.org"), "hub", origin)


@pytest.fixture
def flipped_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every name leads to this computer now."""
    look_up = socket.getaddrinfo
    monkeypatch.setattr(socket, "getaddrinfo", lambda _, *rest: look_up(HOST, *rest))


@pytest.mark.usefixtures("flipped_names")
async def test_names_of_strangers_do_not_lead_inside() -> None:
    """Names that the person typed may, and so may whatever is near."""
    async with rogue_hub(handing_out()) as hub, aclosing(Sessions()) as sessions:
        url = hub.url.replace(HOST, "hub.example.org")
        for trusted in (source("named"), source("lan")):
            assert (await greet(sessions.to(trusted), url)).kind == "hub"
        for stranger in (source("known"), source("dht")):
            with pytest.raises(aiohttp.ClientConnectorDNSError):
                await greet(sessions.to(stranger), url)
        assert hub.greeted == 2


@pytest.mark.usefixtures("flipped_names")
async def test_the_proxy_may_be_inside() -> None:
    """The person named it; strangers are asked by it like everybody else outside."""
    asked: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append((await reader.readuntil(b"\r\n\r\n")).splitlines()[0])
        writer.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
        writer.close()

    server = await asyncio.start_server(serve, HOST, 0)
    proxy = f"http://proxy.lan:{server.sockets[0].getsockname()[1]}"
    async with server, aclosing(Sessions(proxy)) as sessions:
        for origin in ("named", "dht"):
            async with sessions.to(source(origin)).get("http://hub.example.org/x") as response:
                assert response.status == 404
    assert asked == [b"GET http://hub.example.org/x HTTP/1.1"] * 2


async def test_both_are_closed() -> None:
    """Each is opened once."""
    sessions = Sessions()
    opened = {sessions.to(source(origin)) for origin in ("named", "lan", "known", "dht")}
    assert len(opened) == 2
    await sessions.aclose()
    assert all(session.closed for session in opened)
