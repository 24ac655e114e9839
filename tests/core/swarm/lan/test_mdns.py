"""What goes over the local network, and what is read from its packets."""

import asyncio
import ipaddress
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial

import pytest
import zeroconf
from hypothesis import given
from hypothesis import strategies as st
from zeroconf import DNSIncoming, DNSOutgoing  # type: ignore[attr-defined]  # as in the product
from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf

from core.swarm.lan import mdns
from core.swarm.lan.mdns import MdnsParser, MdnsTransport, close_zeroconf
from core.swarm.lan.neighbours import MAX_ADDRESSES, SERVICE_TYPE, Claim, LanNotice, read_claim
from tests.loopback_lan import LOOPBACK, SWARM, TIMEOUT_S, peer

NOTICE = LanNotice(peer("e"), SWARM, 4_242)
ADDRESSES = LOOPBACK.usable[0].source_addresses
RESPONSE = 0x8400  # flags of a packet that answers


class Listener:
    """Keeps what was said, until the event that a test waits for."""

    def __init__(self) -> None:
        self.claims: list[Claim] = []
        self.goodbyes: list[str] = []
        self.parser = MdnsParser(self._hear)
        self._heard = asyncio.Event()

    def _hear(self, claims: list[Claim], goodbyes: list[str]) -> None:
        self.claims += claims
        self.goodbyes += goodbyes
        self._heard.set()

    def knows(self, addresses: tuple[bytes, ...]) -> bool:
        return any(claim.addresses == addresses for claim in self.claims)

    async def until(self, is_so: Callable[[], bool]) -> None:
        async with asyncio.timeout(TIMEOUT_S):
            while not is_so():
                self._heard.clear()
                await self._heard.wait()


class Wiretap(zeroconf.RecordUpdateListener):
    """Keeps every record of our service type, and of the computers that it names."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: set[str] = set()

    def async_update_records(
        self, zc: zeroconf.Zeroconf, now: float, records: list[zeroconf.RecordUpdate]
    ) -> None:
        del zc, now
        self.texts |= {str(vars_of(update.new)) for update in records}


def vars_of(record: object) -> dict[str, object]:
    """All that a record says, times left out."""
    names = ("name", "alias", "server", "text", "port")
    return {name: getattr(record, name) for name in names if hasattr(record, name)}


@asynccontextmanager
async def a_zeroconf() -> AsyncIterator[AsyncZeroconf]:
    """Somebody else's zeroconf on loopback."""
    other = AsyncZeroconf(["127.0.0.1"])
    try:
        await other.zeroconf.async_wait_for_start()
        yield other
    finally:
        await close_zeroconf(other)


@asynccontextmanager
async def listening() -> AsyncIterator[Listener]:
    async with a_zeroconf() as other:
        listener = Listener()
        other.zeroconf.async_add_listener(listener.parser, None)
        yield listener


async def test_a_transport_announces_answers_and_says_goodbye() -> None:
    """What is heard is the notice in full, and its end; a question brings it once more."""
    async with listening() as listener:
        transport = MdnsTransport(ADDRESSES, NOTICE, ["192.168.1.5", "fd00::5"])
        try:
            await transport.start(Listener().parser)
            await listener.until(lambda: any(c.name == NOTICE.name for c in listener.claims))
            claim = next(c for c in listener.claims if c.name == NOTICE.name)
            swarm, neighbour = read_claim(claim, LOOPBACK.networks)
            assert (swarm, neighbour.peer, neighbour.port) == (SWARM, NOTICE.peer, NOTICE.port)
            assert neighbour.hosts == ("192.168.1.5", "fd00::5")
        finally:
            await transport.close(goodbye=True)
        await listener.until(lambda: NOTICE.name in listener.goodbyes)


async def test_a_question_is_answered() -> None:
    """Whoever comes later and asks hears who is there."""
    transport = MdnsTransport(ADDRESSES, NOTICE, ["127.0.0.1"])
    asking = MdnsTransport(ADDRESSES, LanNotice(peer("f"), SWARM, 1), ["127.0.0.1"])
    listener = Listener()
    try:
        await transport.start(Listener().parser)
        await asking.start(listener.parser)
        asking.ask()
        await listener.until(lambda: any(c.name == NOTICE.name for c in listener.claims))
    finally:
        await transport.close(goodbye=False)
        await asking.close(goodbye=False)


async def test_no_name_of_user_or_computer_leaves() -> None:
    """All that a node sends about itself follows from its key, its swarm and its port."""
    async with a_zeroconf() as other, listening() as listener:
        tap = Wiretap()
        other.zeroconf.async_add_listener(tap, None)
        transport = MdnsTransport(ADDRESSES, NOTICE, ["127.0.0.1"])
        try:
            await transport.start(Listener().parser)
            await listener.until(lambda: any(c.name == NOTICE.name for c in listener.claims))
        finally:
            await transport.close(goodbye=True)
        await listener.until(lambda: NOTICE.name in listener.goodbyes)
    server = f"{NOTICE.label}.local."
    text = b"\x03v=1\x43id=" + NOTICE.peer.encode()
    text += bytes([6 + len(SWARM)]) + b"swarm=" + SWARM.encode()
    allowed = [
        {"name": SERVICE_TYPE, "alias": NOTICE.name},
        {"name": NOTICE.name, "server": server, "port": NOTICE.port},
        {"name": NOTICE.name, "text": text},
        {"name": server},
    ]
    own = {said for said in tap.texts if NOTICE.label in said}
    assert own == set(map(str, allowed))


async def test_moving_says_no_goodbye() -> None:
    """A transport that is replaced by another one ends in silence."""
    async with listening() as listener:
        for host in ("192.168.1.1", "192.168.1.2"):
            wanted = (ipaddress.ip_address(host).packed,)
            transport = MdnsTransport(ADDRESSES, NOTICE, [host])
            await transport.start(Listener().parser)
            await listener.until(partial(listener.knows, wanted))
            await transport.close(goodbye=False)
        assert NOTICE.name not in listener.goodbyes


async def test_a_zeroconf_that_still_sends_leaves_no_socket(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Windows' transports forget theirs when they are closed in the midst of it."""
    monkeypatch.setattr(mdns, "_LEAVING_S", 0)
    closed = []
    for _ in range(10):
        one = AsyncZeroconf(["127.0.0.1"])
        await one.zeroconf.async_wait_for_start()
        await one.async_register_service(service("a", ["127.0.0.1"]), cooperating_responders=True)
        await close_zeroconf(one)
        closed += [reader.transport for reader in one.zeroconf.engine.readers]
    assert len(closed) >= 10
    assert {transport.get_extra_info("socket").fileno() for transport in closed} == {-1}


async def test_hostile_services_do_no_harm() -> None:
    """Announced by zeroconf itself: wrong texts are heard and refused, the honest one is found."""
    wrong: list[dict[str | bytes, str | bytes]] = [
        {"v": "1"},
        {"id": "x" * 200},
        {},
        {"swarm": "m" * 240},
        {b"\xff": b"\xfe"},
    ]
    async with listening() as listener, a_zeroconf() as stranger:
        for n, properties in enumerate(wrong):
            name = f"{SWARM}-{n}.{SERVICE_TYPE}"
            hostile = AsyncServiceInfo(
                SERVICE_TYPE, name, port=n, properties=properties, parsed_addresses=["127.0.0.1"]
            )
            await stranger.async_register_service(hostile, cooperating_responders=True)
        transport = MdnsTransport(ADDRESSES, NOTICE, ["127.0.0.1"])
        try:
            await transport.start(Listener().parser)
            names = {f"{SWARM}-{n}.{SERVICE_TYPE}" for n in range(len(wrong))} | {NOTICE.name}
            await listener.until(lambda: names <= {claim.name for claim in listener.claims})
        finally:
            await transport.close(goodbye=True)


def hear_packet(data: bytes) -> Listener:
    """What is parsed of one packet."""
    packet = DNSIncoming(data)
    listener = Listener()
    updates = [zeroconf.RecordUpdate(record, None) for record in packet.answers()]
    listener.parser.async_update_records(None, packet.now, updates)  # type: ignore[arg-type]
    return listener


def service(name: str, addresses: list[str]) -> AsyncServiceInfo:
    return AsyncServiceInfo(
        SERVICE_TYPE,
        f"{name}.{SERVICE_TYPE}",
        port=1,
        properties={"v": "1"},
        server="one.local.",
        parsed_addresses=addresses,
    )


def test_a_crowded_packet_is_read_within_bounds() -> None:
    """A service with a thousand addresses has sixteen, and half a service is none."""
    info = service("a", [str(ipaddress.IPv4Address(n)) for n in range(1, 1_000)])
    packet = DNSOutgoing(RESPONSE)
    for record in [info.dns_service(), info.dns_text(), *info.dns_addresses()]:
        packet.add_answer_at_time(record, 0)
    heard = [hear_packet(data).claims for data in packet.packets()]
    (first,) = heard[0]
    assert len(first.addresses) <= MAX_ADDRESSES
    assert not any(heard[1:]), "addresses alone announce nobody"
    lone = DNSOutgoing(RESPONSE)
    lone.add_answer_at_time(info.dns_service(), 0)
    assert hear_packet(lone.packets()[0]).claims == []


def test_other_services_are_passed_over() -> None:
    """Printers and the like announce themselves on the same network."""
    kind = "_ipp._tcp.local."
    info = AsyncServiceInfo(kind, f"printer.{kind}", port=631, server="printer.local.")
    packet = DNSOutgoing(RESPONSE)
    for record in (info.dns_pointer(), info.dns_service(), info.dns_text()):
        packet.add_answer_at_time(record, 0)
    assert hear_packet(packet.packets()[0]).claims == []


@given(st.binary(max_size=500), st.integers(0, 60))
def test_damaged_packets_raise_nothing(noise: bytes, kept: int) -> None:
    """Whatever zeroconf lets through of a packet that begins well and ends as noise."""
    info = service("a", ["127.0.0.1"])
    packet = DNSOutgoing(RESPONSE)
    for record in (info.dns_pointer(), info.dns_service(), info.dns_text(), *info.dns_addresses()):
        packet.add_answer_at_time(record, 0)
    for claim in hear_packet(packet.packets()[0][:kept] + noise).claims:
        assert claim.name.endswith(SERVICE_TYPE)
