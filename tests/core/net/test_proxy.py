"""The way out of a network that has only one."""

import asyncio
import os
import socket
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit
from urllib.request import getproxies

import aiohttp
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.net import names
from core.net.asking import BoundedQuery, ask, open_session
from core.net.names import PublicNames
from core.net.proxy import is_outside, use_proxy

QUESTION = BoundedQuery(b"What have you tried?", "application/x-test", 100)
REPLY = (
    b"HTTP/1.1 200 OK\r\nContent-Type: application/x-test\r\nContent-Length: 5\r\n"
    b"Connection: close\r\n\r\nThis."
)


@asynccontextmanager
async def listener(heads: list[str]) -> AsyncIterator[int]:
    """Answers everything itself, whoever it was meant for; keeps what it was asked; its port."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        heads.append(head)
        if not head.startswith("CONNECT"):
            await reader.readexactly(len(QUESTION.body))
            writer.write(REPLY)
        else:
            writer.write(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1]


async def test_a_name_outside_is_asked_by_the_proxy() -> None:
    """In full, with the name and password that the proxy wants."""
    heads: list[str] = []
    async with (
        listener(heads) as port,
        open_session(proxy=f"http://me:p%40ss@127.0.0.1:{port}") as session,
    ):
        assert await ask(session, "http://hub.example/v1/exchange", QUESTION) == b"This."
    (head,) = heads
    assert head.startswith("POST http://hub.example/v1/exchange HTTP/1.1")
    assert "Proxy-Authorization: Basic bWU6cEBzcw==" in head


async def test_what_is_encrypted_goes_through_a_tunnel() -> None:
    """The proxy sees the name and nothing else; a proxy that refuses is an error like others."""
    heads: list[str] = []
    async with listener(heads) as port, open_session(proxy=f"http://127.0.0.1:{port}") as session:
        with pytest.raises(aiohttp.ClientError):
            await ask(session, "https://hub.example/v1/exchange", QUESTION)
    assert heads[0].startswith("CONNECT hub.example:443")
    assert "/v1/exchange" not in heads[0]


async def test_no_proxy_is_sent_where_a_strangers_name_leads_inside(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It may reach what a stranger must not; a name that is unknown here is left to it."""
    look_up, known = socket.getaddrinfo, {"inside.example": ["8.8.8.8", "192.168.1.1"]}
    known["outside.example"] = ["8.8.8.8"]

    def answer(host: str, *rest: int) -> list[object]:
        if host.endswith(".example") and host not in known:
            raise socket.gaierror(socket.EAI_NONAME, "unknown")
        return [one for place in known.get(host, [host]) for one in look_up(place, *rest)]

    monkeypatch.setattr(socket, "getaddrinfo", answer)
    heads: list[str] = []
    async with listener(heads) as port:
        proxy = f"http://127.0.0.1:{port}"
        public = PublicNames(proxy, ("http://inside.example:8765",))
        async with open_session(public, proxy) as session:
            for asked in ("outside.example", "unknown.example", "inside.example:8765"):
                await ask(session, f"http://{asked}/x", QUESTION)
            with pytest.raises(aiohttp.ClientOSError, match="leads into the own network"):
                await ask(session, "http://inside.example/x", QUESTION)
        async with open_session(proxy=proxy) as session:
            await ask(session, "http://inside.example/x", QUESTION)
    assert [urlsplit(head.split()[1]).netloc for head in heads] == [
        "outside.example",
        "unknown.example",
        "inside.example:8765",
        "inside.example",
    ]


async def test_a_name_that_is_looked_up_for_long_is_left_to_the_proxy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where nothing outside is looked up, questions may get no answer at all."""
    over, look_up = threading.Event(), socket.getaddrinfo

    def hang(host: str, *rest: int) -> list[object]:
        if host == "slow.example":
            over.wait(30)
        return list(look_up(host, *rest))

    monkeypatch.setattr(socket, "getaddrinfo", hang)
    monkeypatch.setattr(names, "LOOK_UP_S", 0.0)
    heads: list[str] = []
    async with listener(heads) as port:
        proxy = f"http://127.0.0.1:{port}"
        async with open_session(PublicNames(proxy), proxy) as session:
            assert await ask(session, "http://slow.example/x", QUESTION) == b"This."
        over.set()


async def test_this_network_is_asked_directly() -> None:
    """A proxy could not reach it."""
    heads: list[str] = []
    async with listener(heads) as port, open_session(proxy="http://127.0.0.1:1") as session:
        await ask(session, f"http://127.0.0.1:{port}/x", QUESTION)
        await ask(session, f"http://localhost:{port}/x", QUESTION)
    assert [head.split()[1] for head in heads] == ["/x", "/x"]


async def test_without_a_proxy_nothing_changes() -> None:
    """Names outside are looked up here."""
    async with open_session() as session:
        with pytest.raises(aiohttp.ClientConnectorError):
            await ask(session, "http://no.such.host.invalid/", QUESTION)


@pytest.mark.parametrize(
    ("host", "outside"),
    [
        ("hub.example.org", True),
        ("router", False),
        ("nas.local", False),
        ("NAS.lan", False),
        ("printer.corp", False),
        ("hub.home.arpa", False),
        ("127.1", False),
        ("xn--bcher-kva.example", True),
        ("192.168.1.5", False),
        ("8.8.8.8", False),
        ("fe80::1%eth0", False),
        ("", False),
    ],
)
def test_only_names_of_the_internet_are_outside(host: str, *, outside: bool) -> None:
    """Nodes are met at addresses, also far away: those are asked directly."""
    assert is_outside(host) is outside


@given(st.text())
def test_any_text_is_judged(host: str) -> None:
    """Hosts come from strangers, too."""
    assert is_outside(host) in (True, False)


def test_a_proxy_is_told_to_the_libraries(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the environment; an empty one leaves it as it was."""
    for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"):
        monkeypatch.setenv(name, "http://before:1")
    use_proxy("")
    assert os.environ["HTTPS_PROXY"] == "http://before:1"
    use_proxy("http://proxy:3128")
    assert getproxies()["https"] == getproxies()["http"] == "http://proxy:3128"
