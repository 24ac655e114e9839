"""A hub as a program."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import pytest
from multidict import CIMultiDict

from core.errors import SwarmError, UsageError
from core.hub.census import Census
from core.hub.run import Announcer, HubOptions, open_store, parse_listen, run_hub
from core.net.asking import BoundedQuery, ask, open_session
from core.net.greeting import greet
from core.wire.codec import ADDRESS_EXCHANGE_RATE, MAX_EXCHANGE_BYTES, encode
from core.wire.exchange import MEDIA_TYPE, ExchangeRequest
from tests.envelopes import ANNE, CAROL, SWARM, public_key, sealed


def names_in(folder: Path) -> list[str]:
    return [file.name for file in folder.iterdir()]


@asynccontextmanager
async def running(choice: HubOptions, announcer: Announcer | None = None) -> AsyncIterator[str]:
    """A hub of Carol's; its URL."""
    ready: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    async with asyncio.TaskGroup() as group:
        hub = group.create_task(run_hub(choice, CAROL, ready.set_result, announcer))
        yield await ready
        hub.cancel()


async def test_a_hub_runs_until_it_is_told_to_end(tmp_path: Path) -> None:
    """It announces its address once nodes can come, and leaves its file behind, closed."""
    path = tmp_path / "hub.sqlite"
    async with (
        running(HubOptions("127.0.0.1:0", f"sqlite:{path}")) as url,
        aiohttp.ClientSession() as session,
        session.get(f"{url}/healthz") as response,
    ):
        assert response.status == 200
    assert names_in(tmp_path) == ["hub.sqlite"]


async def test_a_hub_says_who_it_is_and_where_it_wants_to_be_asked() -> None:
    """Its hello is signed by the identity that it was given."""
    choice = HubOptions("127.0.0.1:0", url="https://hub.example.org")
    async with running(choice) as url, open_session() as session:
        hello = await greet(session, url)
    assert (hello.peer_id, hello.url) == (CAROL.peer_id, "https://hub.example.org")


async def test_the_herald_knows_the_port_and_who_came() -> None:
    """It is called once the door is open, and ended with the hub."""
    heard: asyncio.Future[tuple[Census, int]] = asyncio.get_running_loop().create_future()
    is_over = False

    async def announcer(census: Census, port: int) -> None:
        nonlocal is_over
        heard.set_result((census, port))
        try:
            await asyncio.Event().wait()
        finally:
            is_over = True

    async with running(HubOptions("127.0.0.1:0"), announcer) as url, open_session() as session:
        census, port = await heard
        assert url == f"http://127.0.0.1:{port}"
        now = time.time()
        request = ExchangeRequest(public_key(ANNE), 0, (sealed(ANNE, 1, now),))
        question = BoundedQuery(encode(request), MEDIA_TYPE, MAX_EXCHANGE_BYTES)
        await ask(session, f"{url}/v1/swarms/{SWARM}/exchange", question)
        assert census.names() == [SWARM]
    assert is_over


@pytest.mark.parametrize(
    ("behind_proxy", "named", "statuses"),
    [
        (False, ["192.0.2.{}"], {200, 429}),  # a visitor's own word: all are one address
        (True, ["192.0.2.{}"], {200}),
        (True, ["192.0.2.{}, 198.51.100.1"], {200, 429}),  # the last one is the proxy's word
        (True, ["192.0.2.{}", "198.51.100.1"], {200, 429}),  # some proxies append a line
    ],
)
async def test_only_a_proxy_names_visitors(
    behind_proxy: bool,  # noqa: FBT001 - a table
    named: list[str],
    statuses: set[int],
) -> None:
    """Whoever asks too often is told to wait; by whom that was is the proxy's last word."""
    seen = set()
    choice = HubOptions("127.0.0.1:0", behind_proxy=behind_proxy)
    async with running(choice) as url, aiohttp.ClientSession() as session:
        for number in range(ADDRESS_EXCHANGE_RATE.burst + 60):
            headers = [("X-Forwarded-For", one.format(number % 250)) for one in named]
            hello = f"{url}/v1/hello/{number:032x}"
            async with session.get(hello, headers=CIMultiDict(headers)) as response:
                seen.add(response.status)
    assert seen == statuses


@pytest.mark.parametrize(
    ("listen", "parsed"),
    [
        ("0.0.0.0:8765", ("0.0.0.0", 8765)),  # noqa: S104 - parsed, not listened on
        ("[::1]:80", ("::1", 80)),
        ("localhost:0", ("localhost", 0)),
    ],
)
def test_an_address_is_host_and_port(listen: str, parsed: tuple[str, int]) -> None:
    """As people write them, IPv6 in brackets."""
    assert parse_listen(listen) == parsed


@pytest.mark.parametrize(
    "listen", ["", "8765", ":8765", "host:", "host:http", "h:65536", "h:-1", "h:٣"]
)
def test_what_is_no_address_is_wrong_usage(listen: str) -> None:
    """With an example of a right one."""
    with pytest.raises(UsageError, match="Write it like"):
        parse_listen(listen)


@pytest.mark.parametrize("store", ["", "sqlite", "sqlite:", "postgres:x", "hub.sqlite"])
def test_what_is_no_store_is_wrong_usage(store: str) -> None:
    """With an example of a right one."""
    with pytest.raises(UsageError, match="Write it like"):
        open_store(store)


async def test_a_store_that_cannot_be_opened_is_explained(tmp_path: Path) -> None:
    """Before anything listens."""
    with pytest.raises(SwarmError):
        await run_hub(HubOptions("127.0.0.1:0", f"sqlite:{tmp_path}/no/such/hub"), CAROL, print)
