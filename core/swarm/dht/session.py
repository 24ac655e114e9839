"""libtorrent at our edge: a session that serves the DHT and port mapping, and no torrents.

The library is an optional extra, imported when a session is opened.

Alerts are asked for, not waited for: libtorrent's thread would need Python's lock to call us, while
we hold that lock and wait for its thread in ``session_state`` and others. Both then wait forever.

Its DHT has no use for TCP, but it listens there on the same port as over UDP, which no setting
prevents. Whoever connects is hung up on: nobody passes the filter of peers.
"""

import importlib
import ipaddress
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, Protocol

from core.errors import SwarmError
from core.i18n import translatable
from core.swarm.dht.alerts import Event, plain, read_alert
from core.swarm.dht.finds import Endpoint, checked_address

MOST_ALERTS = 1_000
"""That wait to be read; libtorrent drops those beyond."""

MOST_STATE_BYTES = 1 << 16
MOST_STATE_NODES = 200
"""Of a saved node table: what is larger is none, and no more are greeted."""

_BLOCK_PER_S = 5  # packets from one address, over a while; then it is not heard for minutes
_NEVER_BLOCK_PER_S = 100_000  # all nodes of a test share one address
_COMPACT_NODES = {b"nodes": 6, b"nodes6": 18}  # bytes: an address, then two of its port

Library = Any  # libtorrent, whose types not everybody has

MAINLINE = (
    "dht.libtorrent.org:25401",
    "router.bittorrent.com:6881",
    "dht.transmissionbt.com:6881",
)
"""Three doors to one public network, of three owners; needed until a node table was saved."""


@dataclass(frozen=True, slots=True)
class DhtSettings:
    """Where to listen, and whom to ask first."""

    listen: str = "0.0.0.0:0,[::]:0"  # addresses and ports, separated by commas; 0: any free port
    bootstrap: tuple[str, ...] = MAINLINE  # host:port
    local: bool = False  # a network of addresses that are not on the internet, for tests


class DhtSession(Protocol):
    """A DHT node with port mapping, as ``Dht`` and ``PortMapping`` use it; no call waits."""

    def take(self) -> list[Event]:
        """The events since the last call."""

    def get_peers(self, infohash: bytes) -> None:
        """Start looking up who announced ``infohash``."""

    def announce(self, infohash: bytes, port: int) -> None:
        """Say once that this address listens on ``port``, which is not 0."""

    def post_dht_stats(self) -> None:
        """Have a ``DhtStats`` of every interface put among the events."""

    def map_port(self, port: int) -> tuple[int, ...]:
        """Ask routers to forward TCP ``port``; the numbers of the mappings."""

    def unmap(self, mappings: tuple[int, ...]) -> None:
        """Take mappings back, and leave routers alone."""

    def state(self) -> bytes:
        """The node table, encoded to be kept on disk."""

    def end(self) -> None:
        """Close everything; blocks for milliseconds. Nothing else may be called after it."""


def open_session(settings: DhtSettings, state: bytes = b"") -> DhtSession:
    """Start a session with the node table ``state``, if that is a valid one.

    Raises:
        SwarmError: libtorrent is not there, or cannot start.
    """
    try:
        library = importlib.import_module("libtorrent")
    except ModuleNotFoundError as error:
        raise SwarmError(
            translatable(
                "Finding others over the internet without a meeting point needs libtorrent, which "
                "is not installed. Install it, or add a meeting point."
            )
        ) from error
    except ImportError as error:
        raise SwarmError(_cannot_start(error)) from error
    try:
        return LibtorrentSession(library, settings, state)
    except Exception as error:  # what its bindings raise has no common root
        raise SwarmError(_cannot_start(error)) from error


class LibtorrentSession:
    """A ``DhtSession`` made of libtorrent's."""

    def __init__(self, library: Library, settings: DhtSettings, state: bytes) -> None:
        self._library = library
        self._only_dht = library.save_state_flags_t.save_dht_state
        params = library.session_params()
        categories = library.alert_category
        mask = categories.error | categories.status | categories.dht_operation
        params.settings = {**pack(settings), "alert_mask": mask | categories.port_mapping}
        self._session = library.session(params)
        nobody = library.ip_filter()  # of BitTorrent's peers; the filter leaves the DHT alone
        nobody.add_rule("0.0.0.0", "255.255.255.255", 1)  # noqa: S104 - a range, not an interface
        nobody.add_rule("::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", 1)
        self._session.set_ip_filter(nobody)
        for node in saved_nodes(state, library.bdecode, local=settings.local):
            self._session.add_dht_node((node.host, node.port))

    def take(self) -> list[Event]:
        """The events since the last call."""
        read = [read_alert(alert) for alert in self._session.pop_alerts()]
        return [event for event in read if event is not None]

    def get_peers(self, infohash: bytes) -> None:
        """Start looking up who announced ``infohash``."""
        self._session.dht_get_peers(self._library.sha1_hash(infohash))

    def announce(self, infohash: bytes, port: int) -> None:
        """Announce ``port`` under ``infohash`` once."""
        self._session.dht_announce(self._library.sha1_hash(infohash), port, 0)

    def post_dht_stats(self) -> None:
        """Have a ``DhtStats`` of every interface put among the events."""
        self._session.post_dht_stats()

    def map_port(self, port: int) -> tuple[int, ...]:
        """Ask routers to forward TCP ``port``; the numbers of the mappings."""
        self._session.apply_settings({"enable_upnp": True, "enable_natpmp": True})
        tcp = self._library.portmap_protocol.tcp
        return tuple(dict.fromkeys(self._session.add_port_mapping(tcp, port, port)))

    def unmap(self, mappings: tuple[int, ...]) -> None:
        """Remove mappings, and leave routers alone."""
        for mapping in mappings:
            self._session.delete_port_mapping(mapping)
        self._session.apply_settings({"enable_upnp": False, "enable_natpmp": False})

    def state(self) -> bytes:
        """The node table, encoded to be kept on disk."""
        params = self._session.session_state(self._only_dht)
        return bytes(self._library.write_session_params_buf(params, self._only_dht))

    def end(self) -> None:
        """Close everything, by libtorrent's destructor: this is the only reference to it."""
        del self._session


def pack(settings: DhtSettings) -> dict[str, Any]:
    """Settings of libtorrent for a DHT node that takes part in nothing else."""
    return {
        "listen_interfaces": settings.listen,
        "dht_bootstrap_nodes": ",".join(settings.bootstrap),
        "enable_dht": True,
        "enable_lsd": False,
        "enable_upnp": False,  # until a port is to be mapped
        "enable_natpmp": False,
        "enable_incoming_tcp": False,
        "enable_outgoing_tcp": False,
        "enable_incoming_utp": False,
        "enable_outgoing_utp": False,
        "apply_filter_to_dht": False,
        "user_agent": "waggle",  # said to the router only, whose owner may see who has a port open
        "peer_fingerprint": "",
        "anonymous_mode": True,
        "aio_threads": 0,  # no files, so no threads for them
        "hashing_threads": 0,
        "alert_queue_size": MOST_ALERTS,
        "dht_restrict_routing_ips": not settings.local,
        "dht_restrict_search_ips": not settings.local,
        "dht_ignore_dark_internet": not settings.local,
        "dht_block_ratelimit": _BLOCK_PER_S if not settings.local else _NEVER_BLOCK_PER_S,
    }


def saved_nodes(
    data: bytes, bdecode: Callable[[bytes], object], *, local: bool = False
) -> list[Endpoint]:
    """The nodes of a saved table, as far as it is well-formed.

    libtorrent's own way to load one forgets the nodes, at least in 2.1.1.
    """
    try:
        outer = bdecode(data) if len(data) <= MOST_STATE_BYTES else None
    except (RuntimeError, ValueError, TypeError):
        return []
    table = outer.get(b"dht state") if isinstance(outer, Mapping) else None
    if not isinstance(table, Mapping):
        return []
    checked = (
        _expand(item, local=local)
        for name, length in _COMPACT_NODES.items()
        if isinstance(items := table.get(name), list)
        for item in items
        if isinstance(item, bytes) and len(item) == length
    )
    return list(islice((node for node in checked if node is not None), MOST_STATE_NODES))


def _expand(compact: bytes, *, local: bool) -> Endpoint | None:
    host = str(ipaddress.ip_address(compact[:-2]))
    address = checked_address(host, int.from_bytes(compact[-2:], "big"), local=local)
    return address if isinstance(address, Endpoint) else None


def _cannot_start(error: Exception) -> str:
    return translatable(
        "Looking for others over the internet could not start ({}). "
        "Add a meeting point instead, or install Waggle anew.",
        plain(str(error)),
    )
