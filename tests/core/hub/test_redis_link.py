"""The way to a Redis: what is an address, and what happens when nobody answers there."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path

import pytest

from core.errors import SwarmError, UsageError
from core.hub import redis_link
from core.hub.redis_link import MOST_CONNECTIONS, RedisAddress, RedisLink, parse_address
from core.hub.redis_scripts import STATS
from tests.redis_server import redis_cluster, redis_server


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("redis://a:1/2", RedisAddress("redis://a:1/2", is_cluster=False)),
        ("rediss://u:p@a", RedisAddress("rediss://u:p@a", is_cluster=False)),
        ("unix:///run/redis.sock", RedisAddress("unix:///run/redis.sock", is_cluster=False)),
        ("redis+cluster://a:1", RedisAddress("redis://a:1", is_cluster=True)),
        ("rediss+cluster://[::1]:1", RedisAddress("rediss://[::1]:1", is_cluster=True)),
        ("redis://a:1?cluster=true&db=0", RedisAddress("redis://a:1?db=0", is_cluster=True)),
        ("redis://a:1?cluster=false", RedisAddress("redis://a:1", is_cluster=False)),
    ],
)
def test_addresses(url: str, address: RedisAddress) -> None:
    """One server or a Cluster, by the scheme or by an option."""
    assert parse_address(url) == address


@pytest.mark.parametrize(
    "url",
    ["", "redis", "redis://", "http://a", "redis://a:b", "redis://a:70000", "unix://", "[::1"],
)
def test_what_is_no_address_is_explained(url: str) -> None:
    """In words, with an example, and without what may be a password."""
    with pytest.raises(UsageError, match=r"no address.*redis://localhost"):
        parse_address(url)


@pytest.mark.parametrize(
    "url", ["redis://:secret@a:1?max_connections=x", "redis://:secret@a:1/x?y"]
)
def test_a_place_is_shown_without_its_password(url: str) -> None:
    """Messages end up in logs and in questions to strangers."""
    address = parse_address(url)
    assert address.shown == "a:1"


def test_an_option_that_cannot_be_read_is_explained() -> None:
    """An owner's typing error is found before the first visitor comes."""
    with pytest.raises(UsageError, match=r"a:1 cannot be read") as caught:
        RedisLink(parse_address("redis://:secret@a:1?max_connections=x"))
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("kind", ["redis", "redis+cluster"])
def test_without_redis_py_there_is_a_sentence(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The extra is asked for only by who wants it, and then by name."""
    monkeypatch.setitem(sys.modules, "redis.asyncio", None)
    with pytest.raises(UsageError, match="package redis"):
        RedisLink(parse_address(f"{kind}://localhost"))


async def test_nobody_there_is_an_error_in_words() -> None:
    """With the place, and without the password."""
    with redis_server() as server:
        url = server.url  # nobody is there any more afterwards
    async with aclosing(RedisLink(parse_address(url.replace("://", "://:secret@")))) as link:
        with pytest.raises(SwarmError, match=r"redis\.sock.*See that Redis runs") as caught:
            await link.command("PING")
    assert "secret" not in str(caught.value)


@asynccontextmanager
async def deaf_server() -> AsyncIterator[str]:
    """Somebody who listens and never says a word, until the block ends."""
    over = asyncio.Event()

    async def listen(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await over.wait()
        writer.close()

    server = await asyncio.start_server(listen, "127.0.0.1", 0)
    try:
        yield f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        over.set()
        server.close()


@pytest.mark.parametrize("kind", ["redis", "redis+cluster"])
async def test_a_silent_server_is_given_up(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many wait for it, none waits longer than a call may take."""
    monkeypatch.setattr(redis_link, "CALL_S", 0.2)
    async with (
        deaf_server() as place,
        aclosing(RedisLink(parse_address(f"{kind}://{place}"))) as link,
    ):
        began = asyncio.get_running_loop().time()
        calls = (link.command("PING") for _ in range(3 * MOST_CONNECTIONS))
        outcomes = await asyncio.gather(*calls, return_exceptions=True)
        assert all(isinstance(outcome, SwarmError) for outcome in outcomes)
        assert asyncio.get_running_loop().time() - began < 2


async def test_it_comes_back_by_itself(tmp_path: Path) -> None:
    """After a restart of Redis, which has also forgotten the scripts, the same link works."""
    with redis_server(tmp_path) as server:
        link = RedisLink(parse_address(server.url))
        await link.run(STATS, "{waggle:0}", 1.0, 0.0, 9)
    with pytest.raises(SwarmError):
        await link.command("PING")
    with redis_server(tmp_path):
        assert await link.run(STATS, "{waggle:0}", 1.0, 0.0, 9) == [0, 0, 0]
    await link.aclose()


async def test_connections_are_bounded() -> None:
    """Many calls at once share them, from cold."""
    with redis_server() as server:
        async with aclosing(RedisLink(parse_address(server.url))) as link:
            calls = (link.command("GET", f"{n}") for n in range(20 * MOST_CONNECTIONS))
            assert await asyncio.gather(*calls) == [None] * 20 * MOST_CONNECTIONS
            clients = server.clients[0].info("clients")
            assert clients["connected_clients"] <= MOST_CONNECTIONS + 1  # and the test's own


async def test_a_cluster_works_from_cold_and_its_members_are_not_taken_for_servers() -> None:
    """Many calls at once while nobody knows the Cluster yet; a wrong scheme is told at once."""
    with redis_cluster(1) as server:
        async with aclosing(RedisLink(parse_address(server.url))) as link:
            calls = (link.command("GET", f"{n}") for n in range(20 * MOST_CONNECTIONS))
            assert await asyncio.gather(*calls) == [None] * 20 * MOST_CONNECTIONS
        url = server.url.replace("+cluster", "")
        async with aclosing(RedisLink(parse_address(url))) as link:
            with pytest.raises(SwarmError, match=r"redis\+cluster://"):
                await link.command("PING")
