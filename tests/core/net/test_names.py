"""Where names lead, and which are not followed."""

import asyncio
import socket
import threading

import pytest

from core.net import names as names_module
from core.net.names import LOOK_UP_S, REMEMBER_S, PatientNames, PublicNames
from tests.envelopes import FakeClock


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


async def test_an_answer_that_comes_late_counts_from_then_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A look-up goes on when it is waited for no longer, and keeps no other question waiting."""
    look_up, answer, asked = socket.getaddrinfo, threading.Event(), list[str]()
    places = {"evil.example": "192.168.1.1"}

    def answer_late(name: str, *rest: int) -> list[object]:
        asked.append(name)
        answer.wait(30)
        return list(look_up(places[name], *rest))

    monkeypatch.setattr(socket, "getaddrinfo", answer_late)
    clock = FakeClock()
    names = PublicNames("http://proxy.example:3128", clock=clock)
    async with asyncio.timeout(10):
        monkeypatch.setattr(names_module, "LOOK_UP_S", 0.0)
        await names.look_before("evil.example", 80)
        monkeypatch.setattr(names_module, "LOOK_UP_S", 30.0)
        clock.advance(30)
        await names.look_before("evil.example", 80)
        answer.set()
        monkeypatch.setattr(names_module, "LOOK_UP_S", 60.0)
        for spelling in ("Evil.example.", "evil.example"):
            with pytest.raises(OSError, match="leads into the own network"):
                await names.look_before(spelling, 443)
        assert asked == ["evil.example"]
        places["evil.example"] = "8.8.8.8"
        clock.advance(REMEMBER_S)
        await names.look_before("evil.example", 80)
        assert len(asked) == 2


async def _ask_again_and_again(names: PublicNames, name: str) -> None:
    while True:
        await names.look_before(name, 80)


async def test_a_name_that_nobody_knew_is_refused_once_it_leads_inside(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whoever lets a look-up fail, or answers otherwise each time, is not let past for minutes."""
    look_up, asked, known = socket.getaddrinfo, list[str](), {"fine.example": "8.8.8.8"}

    def answer(name: str, *rest: int) -> list[object]:
        asked.append(name)
        if name not in known:
            raise socket.gaierror(socket.EAI_AGAIN, "nobody answers")
        return list(look_up(known[name], *rest))

    monkeypatch.setattr(socket, "getaddrinfo", answer)
    clock = FakeClock()
    names = PublicNames("http://proxy.example:3128", clock=clock)
    for name in ("unknown.example", "fine.example"):
        await names.look_before(name, 80)
        known[name] = "127.0.0.1"
        clock.advance(LOOK_UP_S)
        with pytest.raises(OSError, match="leads into the own network"):
            await asyncio.wait_for(_ask_again_and_again(names, name), 10)
    assert asked.count("fine.example") == 2


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
