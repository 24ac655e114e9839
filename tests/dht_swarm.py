"""A local DHT on loopback: real libtorrent nodes, and one that lies."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from ipaddress import ip_address
from random import Random
from typing import Any, cast

import libtorrent

from core.swarm.dht.discovery import Dht
from core.swarm.dht.session import DhtSettings, pack

NODES = 20
_KNOWN_AT_FIRST = 4


@contextmanager
def local_dht(nodes: int = NODES) -> Iterator[list[str]]:
    """Run ``nodes`` nodes, each its own session, within the block; their host:port."""
    settings = pack(DhtSettings("127.0.0.1:0", bootstrap=(), local=True))
    sessions = []
    for _ in range(nodes):
        params = libtorrent.session_params()
        params.settings = settings  # type: ignore[assignment]  # of which the types know less
        sessions.append(libtorrent.session(params))
    ports = [session.listen_port() for session in sessions]
    for place, session in enumerate(sessions):
        for step in range(1, _KNOWN_AT_FIRST + 1):
            session.add_dht_node(("127.0.0.1", ports[(place + step) % nodes]))
    yield [f"127.0.0.1:{port}" for port in ports]
    sessions.clear()


@asynccontextmanager
async def visitor(doors: Sequence[str], state: bytes = b"") -> AsyncIterator[Dht]:
    """A ``Dht`` of the product that asks at ``doors``, open within the block."""
    dht = Dht(DhtSettings("127.0.0.1:0", tuple(doors), local=True), state)
    await dht.open()
    try:
        yield dht
    finally:
        await dht.aclose()


@dataclass
class LyingNode(asyncio.DatagramProtocol):
    """Answers every question of the DHT's protocol with whatever ``lie`` makes up.

    ``lie`` gives the entries of a reply beside the node's id and token, or bytes to send as they
    are.
    """

    lie: Callable[[Random], dict[bytes, object] | bytes]
    rng: Random = field(default_factory=lambda: Random(5))
    asked: int = 0
    wire: asyncio.DatagramTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.wire = cast("asyncio.DatagramTransport", transport)  # not one by name before 3.12

    def datagram_received(self, data: bytes, addr: tuple[str | int, int]) -> None:
        question: Any = libtorrent.bdecode(data)
        if self.wire is None or not isinstance(question, dict) or question.get(b"y") != b"q":
            return
        self.asked += 1
        told = self.lie(self.rng)
        if isinstance(told, dict):
            about = question[b"a"]
            target = about.get(b"info_hash", about.get(b"target", bytes(20)))
            near = target[:19] + self.rng.randbytes(1)  # the closest of all, so it is asked
            body = {b"id": near, b"token": b"t", **told}
            reply: Any = {b"t": question[b"t"], b"y": b"r", b"r": body}
            told = libtorrent.bencode(reply)
        self.wire.sendto(told, addr)


@asynccontextmanager
async def lying_node(
    lie: Callable[[Random], dict[bytes, object] | bytes],
) -> AsyncIterator[tuple[LyingNode, str]]:
    """Run one within the block; it and its host:port."""
    loop = asyncio.get_running_loop()
    wire, node = await loop.create_datagram_endpoint(
        lambda: LyingNode(lie), local_addr=("127.0.0.1", 0)
    )
    try:
        yield node, f"127.0.0.1:{wire.get_extra_info('sockname')[1]}"
    finally:
        wire.close()


def table_of(doors: Iterable[str]) -> bytes:
    """A saved node table that knows ``doors``, which are IPv4."""
    parts = [door.split(":") for door in doors]
    nodes = [ip_address(host).packed + int(port).to_bytes(2, "big") for host, port in parts]
    table: Any = {b"dht state": {b"nodes": nodes}}
    return libtorrent.bencode(table)
