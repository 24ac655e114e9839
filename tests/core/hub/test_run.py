"""A hub as a program."""

import asyncio
from pathlib import Path

import aiohttp
import pytest

from core.errors import SwarmError, UsageError
from core.hub.run import open_store, parse_listen, run_hub


def names_in(folder: Path) -> list[str]:
    return [file.name for file in folder.iterdir()]


async def test_a_hub_runs_until_it_is_told_to_end(tmp_path: Path) -> None:
    """It announces its address once nodes can come, and leaves its file behind, closed."""
    ready: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    path = tmp_path / "hub.sqlite"
    async with asyncio.TaskGroup() as group:
        hub = group.create_task(run_hub("127.0.0.1:0", f"sqlite:{path}", ready.set_result))
        async with (
            aiohttp.ClientSession() as session,
            session.get(f"{await ready}/healthz") as response,
        ):
            assert response.status == 200
        hub.cancel()
    assert names_in(tmp_path) == ["hub.sqlite"]


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
        await run_hub("127.0.0.1:0", f"sqlite:{tmp_path}/no/such/hub.sqlite", print)
