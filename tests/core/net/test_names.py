"""Looking names up beside everything else."""

import asyncio
import socket
import threading

import pytest

from core.net.names import PatientNames


async def test_a_name_leads_somewhere() -> None:
    """To addresses that can be connected to."""
    (found, *_) = await PatientNames().resolve("localhost", 80, socket.AF_INET)
    assert (found["host"], found["port"]) == ("127.0.0.1", 80)


async def test_a_name_that_leads_nowhere_is_an_os_error() -> None:
    """As aiohttp expects it."""
    with pytest.raises(OSError, match=r".+"):
        await PatientNames().resolve("no-such-name.invalid", 80)


async def test_a_slow_name_server_holds_up_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twenty look-ups that hang leave the threads of ``asyncio.to_thread`` alone."""
    answer = threading.Event()

    def hang(*_: object) -> list[object]:
        answer.wait(30)
        return []

    monkeypatch.setattr(socket, "getaddrinfo", hang)
    async with asyncio.timeout(10), asyncio.TaskGroup() as group:
        for number in range(20):
            group.create_task(PatientNames().resolve(f"h{number}.example", 80))
        assert await asyncio.to_thread(lambda: "done") == "done"
        answer.set()
