"""A meeting point as a child of the helper: opened, visited, closed, and what goes wrong."""

import asyncio
import socket
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import psutil
import pytest

from core.api.requests import Reply
from core.api.swarm import HostHub, HubOpen
from core.errors import SwarmError, UsageError
from core.net.asking import BoundedQuery, ask, open_session
from core.net.greeting import greet
from core.services.hosting import addresses_of, host_hub, hub_command
from core.services.service import ServiceContext
from core.wire.codec import MAX_EXCHANGE_BYTES, encode
from core.wire.exchange import MEDIA_TYPE, ExchangeRequest
from tests.envelopes import ANNE, SWARM, public_key, sealed
from tests.waggle_process import free_port


@pytest.fixture
def port() -> int:
    return free_port()


class Hosted:
    """A service under way, and what it told."""

    def __init__(self) -> None:
        self._told: asyncio.Queue[Reply] = asyncio.Queue()

    def tell(self, answer: Reply) -> None:
        self._told.put_nowait(answer)

    async def next(self) -> HubOpen:
        answer = await self._told.get()
        assert isinstance(answer, HubOpen)
        return answer


@asynccontextmanager
async def hosting(place: ServiceContext, request: HostHub) -> AsyncIterator[Hosted]:
    """Host within the block; then the service is cancelled, as the helper does it."""
    hosted = Hosted()
    async with asyncio.TaskGroup() as group:
        task = group.create_task(host_hub(request, place, hosted.tell))
        yield hosted
        task.cancel()


def children() -> list[psutil.Process]:
    found: list[psutil.Process] = psutil.Process().children()
    return found


async def leave_something(url: str) -> None:
    """What a node does in a round."""
    request = ExchangeRequest(public_key(ANNE), 0, (sealed(ANNE, 1, time.time()),))
    question = BoundedQuery(encode(request), MEDIA_TYPE, MAX_EXCHANGE_BYTES)
    async with open_session() as session:
        await ask(session, f"{url}/v1/swarms/{SWARM}/exchange", question)


async def test_it_is_open_counts_its_visitors_and_is_closed(
    place: ServiceContext, port: int
) -> None:
    """It says where and who it is, and nothing of it is left after the service."""
    before = children()
    url = f"http://127.0.0.1:{port}"
    async with hosting(place, HostHub(port=port, url="https://hub.example.org")) as hosted:
        opened = await hosted.next()
        assert opened.visitors == 0
        assert opened.addresses[0] == "https://hub.example.org"
        assert all(address.endswith(f":{port}") for address in opened.addresses[1:])
        async with open_session() as session:
            hello = await greet(session, url)
        assert (hello.peer_id, hello.url) == (opened.peer, "https://hub.example.org")
        await leave_something(url)
        assert (await hosted.next()).visitors == 1
    assert children() == before


async def test_a_port_that_is_taken_is_said_in_words(place: ServiceContext) -> None:
    """By the service's error, which the helper passes on."""
    with socket.socket() as other:
        other.bind(("0.0.0.0", 0))  # noqa: S104 - the hub wants all addresses
        other.listen()
        taken = other.getsockname()[1]
        with pytest.raises(SwarmError, match=str(taken)):
            await host_hub(HostHub(port=taken), place, lambda _: None)


async def test_an_address_that_is_none_is_refused_at_once(place: ServiceContext, port: int) -> None:
    """No process is started for it."""
    with pytest.raises(UsageError, match="Write it like"):
        await host_hub(HostHub(port=port, url="hub.example.org"), place, lambda _: None)


async def test_a_hub_that_dies_is_told(place: ServiceContext, port: int) -> None:
    """Whatever killed it."""
    before = children()

    async def kill_it() -> None:
        async with hosting(place, HostHub(port=port)) as hosted:
            await hosted.next()
            (hub,) = (one for one in children() if one not in before)
            hub.kill()
            await asyncio.Event().wait()

    with pytest.raises(ExceptionGroup) as raised:
        await kill_it()
    assert "ended unexpectedly" in str(raised.value.exceptions[0])


def test_the_hub_is_started_on_the_same_home(place: ServiceContext) -> None:
    """Where its identity is kept, so that invites stay good."""
    command = hub_command(place.home, "0.0.0.0:8765", "")
    assert command[-6:] == ("--home", str(place.home.root), "--listen", "0.0.0.0:8765", "--url", "")


@pytest.mark.parametrize(
    ("base", "addresses"),
    [
        ("http://127.0.0.1:1", ("http://127.0.0.1:1",)),
        ("http://0.0.0.0:8765", ("http://192.168.1.5:8765",)),
        ("http://[::]:8765", ("http://192.168.1.5:8765", "http://[fd00::2]:8765")),
    ],
)
def test_all_addresses_are_those_of_this_computer(base: str, addresses: tuple[str, ...]) -> None:
    """Of the family that the hub listens to."""
    assert addresses_of(base, ("192.168.1.5", "fd00::2")) == addresses


def test_without_a_network_there_is_still_this_computer() -> None:
    """So that something can be shown."""
    assert addresses_of("http://0.0.0.0:8765", ()) == ("http://127.0.0.1:8765",)
