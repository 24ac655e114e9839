"""Where names lead, and which are not followed."""

import asyncio
import socket
import threading

import pytest

from core.net.names import PatientNames, PublicNames


async def test_a_name_leads_somewhere() -> None:
    """To addresses that can be connected to."""
    (found, *_) = await PatientNames().resolve("localhost", 80, socket.AF_INET)
    assert (found["host"], found["port"]) == ("127.0.0.1", 80)


async def test_a_name_that_leads_nowhere_is_an_os_error() -> None:
    """As aiohttp expects it."""
    with pytest.raises(OSError, match=r".+"):
        await PatientNames().resolve("no-such-name.invalid", 80)


async def test_a_public_name_does_not_lead_inside(monkeypatch: pytest.MonkeyPatch) -> None:
    """Unless a person named that very place, by whatever spelling; what is outside is left."""
    look_up, places = socket.getaddrinfo, ["127.0.0.1", "8.8.8.8"]

    def answer(_: str, *rest: int) -> list[object]:
        return [one for place in places for one in look_up(place, *rest)]

    monkeypatch.setattr(socket, "getaddrinfo", answer)
    agreed = ("http://HUB.example.org", "nonsense", "http://[1:2")
    names = PublicNames("http://me:secret@proxy.example.org:3128", agreed)

    async def led(host: str, port: int) -> list[str]:
        return [one["host"] for one in await names.resolve(host, port)]

    assert await led("other.example.org", 80) == ["8.8.8.8"]
    assert await led("hub.example.org", 80) == places
    assert await led("hub.example.org", 631) == ["8.8.8.8"]
    assert await led("proxy.example.org", 3128) == places
    places.remove("8.8.8.8")
    with pytest.raises(OSError, match="leads into the own network"):
        await led("other.example.org", 80)


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
