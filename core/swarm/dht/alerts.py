"""Events of a libtorrent session, read from its alerts.

Its alerts live in its own memory until the next ones are taken, so each is read at once.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Alert = Any  # one of libtorrent's, whose types not everybody has

_MOST_WORDS = 120


@dataclass(frozen=True, slots=True)
class PeersSaid:
    """A node's reply to a look-up: a stranger's claims."""

    infohash: bytes
    claims: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class DhtStats:
    """Of one network interface: nodes in the table, and look-ups that are under way."""

    nodes: int
    walks: int


@dataclass(frozen=True, slots=True)
class SessionFailed:
    """An error of the libtorrent session itself."""

    words: str


@dataclass(frozen=True, slots=True)
class PortOpened:
    """A router says that it forwards a port."""

    mapping: int
    way: str  # upnp or natpmp
    port: int  # of the router


@dataclass(frozen=True, slots=True)
class PortRefused:
    """A router refuses, or none answers."""

    mapping: int
    way: str


@dataclass(frozen=True, slots=True)
class SeenFrom:
    """This computer's address as the router, or most nodes of the DHT, see it."""

    host: str


Event = PeersSaid | DhtStats | SessionFailed | PortOpened | PortRefused | SeenFrom


def read_alert(alert: Alert) -> Event | None:
    """The event in ``alert``; None for most, ``SessionFailed`` for one of another shape."""
    what = alert.what()
    reader = _READERS.get(what)
    if reader is None:
        return None
    try:
        return reader(alert)
    except (AttributeError, KeyError, RuntimeError, TypeError, ValueError) as error:
        return SessionFailed(plain(f"{what}: {error}"))


def plain(words: str) -> str:
    """``words`` of a library as one short printable line."""
    return "".join(c if c.isprintable() else " " for c in words[:_MOST_WORDS]).strip()


def _peers_said(alert: Alert) -> Event:
    return PeersSaid(alert.info_hash.to_bytes(), tuple(alert.peers()))


def _dht_stats(alert: Alert) -> Event:
    return DhtStats(
        sum(bucket["num_nodes"] for bucket in alert.routing_table),
        sum("get_peers" in str(request["type"]) for request in alert.active_requests),
    )


def _port_opened(alert: Alert) -> Event:
    return PortOpened(alert.mapping, _way(alert), alert.external_port)


def _port_refused(alert: Alert) -> Event:
    return PortRefused(alert.mapping, _way(alert))


def _way(alert: Alert) -> str:
    return str(alert.map_transport).rpartition(".")[2]


def _failed(alert: Alert) -> Event:
    return SessionFailed(plain(alert.message()))


_READERS: dict[str, Callable[[Alert], Event]] = {
    "dht_get_peers_reply": _peers_said,
    "dht_stats": _dht_stats,
    "portmap": _port_opened,
    "portmap_error": _port_refused,
    "external_ip": lambda alert: SeenFrom(str(alert.external_address)),
    "listen_failed": _failed,
    "dht_error": _failed,
    "session_error": _failed,
}
