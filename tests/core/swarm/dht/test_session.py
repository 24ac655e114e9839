"""The edge to libtorrent: what it is told, what it keeps, and that it may be missing."""

import socket
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import SwarmError
from core.swarm.dht.finds import Endpoint
from core.swarm.dht.session import (
    MOST_STATE_BYTES,
    MOST_STATE_NODES,
    DhtSettings,
    LibtorrentSession,
    open_session,
    pack,
    saved_nodes,
)

libtorrent = pytest.importorskip("libtorrent")
LOOPBACK = DhtSettings("127.0.0.1:0", (), local=True)
NODE = bytes([8, 8, 8, 8, 0x1A, 0xE1])
NODE6 = bytes.fromhex("20014860486000000000000000008888") + b"\x1a\xe1"


def table(**lists: object) -> bytes:
    inner: Any = {name.encode(): items for name, items in lists.items()}
    data: bytes = libtorrent.bencode({b"dht state": inner})
    return data


def test_importing_needs_no_libtorrent() -> None:
    """The library costs nothing where nobody uses the DHT, and torch stays out of it."""
    code = "import sys, core.swarm.dht.discovery; print({'libtorrent', 'torch'} & set(sys.modules))"
    done = subprocess.run(  # noqa: S603 - this Python, with a line of ours
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "set()"


def test_without_libtorrent_somebody_is_told_what_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    """And what to do without it."""
    monkeypatch.setitem(sys.modules, "libtorrent", None)
    with pytest.raises(SwarmError, match=r"needs libtorrent.*add a meeting point\.$"):
        open_session(LOOPBACK)


def test_a_broken_libtorrent_is_told_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another release may lack what we call."""
    monkeypatch.setitem(sys.modules, "libtorrent", sys)
    with pytest.raises(SwarmError, match="could not start"):
        open_session(LOOPBACK)


def test_libtorrent_knows_every_setting_and_takes_its_type() -> None:
    """One that it does not know it would pass over in silence."""
    known = libtorrent.default_settings()
    for name, value in pack(DhtSettings()).items():
        assert type(known[name]) is type(value), name


def test_only_the_dht_is_on() -> None:
    """No search of the local network, no router asked, no peers; and strict about addresses."""
    settings = pack(DhtSettings())
    off = "enable_lsd enable_upnp enable_natpmp enable_incoming_tcp enable_outgoing_tcp"
    off += " enable_incoming_utp enable_outgoing_utp"
    assert not any(settings[name] for name in off.split())
    assert settings["dht_restrict_search_ips"]
    assert settings["dht_restrict_routing_ips"]
    assert settings["dht_ignore_dark_internet"]


def test_whoever_connects_over_tcp_is_hung_up_on() -> None:
    """It listens there in any case; nothing is said to a BitTorrent peer."""
    ours = open_session(LOOPBACK)
    assert isinstance(ours, LibtorrentSession)
    port = ours._session.listen_port()  # noqa: SLF001 - where it listens is nobody else's business
    hello = b"\x13BitTorrent protocol" + bytes(8) + b"i" * 20 + b"p" * 20
    with socket.create_connection(("127.0.0.1", port), timeout=10) as peer:
        try:
            peer.sendall(hello)
            answer = peer.recv(100)
        except ConnectionError:
            answer = b""
    assert answer == b""
    ours.end()


def test_the_node_table_of_a_session_can_be_read() -> None:
    """A real one has the shape that is looked for, and no more than nodes and an id."""
    session = open_session(LOOPBACK)
    state = session.state()
    session.end()
    assert set(libtorrent.bdecode(state)) <= {b"dht state"}
    assert saved_nodes(state, libtorrent.bdecode) == []


def test_saved_nodes_are_checked_one_by_one() -> None:
    """Bad ones are left out, and good ones beside them are used."""
    private, short = bytes([10, 0, 0, 1, 0x1A, 0xE1]), NODE[:-1]
    data = table(nodes=[short, NODE, private, 5, [NODE]], nodes6=[NODE6, NODE])
    assert saved_nodes(data, libtorrent.bdecode) == [
        Endpoint("8.8.8.8", 6881),
        Endpoint("2001:4860:4860::8888", 6881),
    ]
    assert len(saved_nodes(data, libtorrent.bdecode, local=True)) == 3


def test_a_large_table_is_cut_off_and_a_giant_one_is_none() -> None:
    """Whatever happened to the file, little is read and few are greeted."""
    assert len(saved_nodes(table(nodes=[NODE] * 1_000), libtorrent.bdecode)) == MOST_STATE_NODES
    giant = table(nodes=[NODE] * (MOST_STATE_BYTES // 6))
    assert saved_nodes(giant, libtorrent.bdecode) == []


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"x",
        b"i1e",
        b"le",
        b"de",
        b"d9:dht statei5ee",
        table(nodes=5),
        table(nodes={b"a": 1}),
        b"l" * 60_000,
        b"d9:dht stated5:nodesl999999999999:",
    ],
)
def test_a_damaged_table_is_an_empty_one(data: bytes) -> None:
    """Nothing raises, and the session starts without it."""
    assert saved_nodes(data, libtorrent.bdecode) == []
    open_session(LOOPBACK, data).end()


@given(st.one_of(st.binary(max_size=200), st.binary(max_size=60).map(lambda b: table(nodes=b))))
def test_random_bytes_are_an_empty_table(data: bytes) -> None:
    """Nothing raises."""
    assert saved_nodes(data, libtorrent.bdecode) == []


def test_a_nodes_address_in_a_table_survives_the_journey() -> None:
    """As libtorrent writes it: IPv4 or IPv6, then the port."""

    @given(st.binary(min_size=4, max_size=4), st.integers(1_024, 65_535))
    def check(host: bytes, port: int) -> None:
        data = table(nodes=[host + port.to_bytes(2, "big")])
        for node in saved_nodes(data, libtorrent.bdecode, local=True):
            assert (bytes(map(int, node.host.split("."))), node.port) == (host, port)

    check()
