"""Alerts of libtorrent in our types; the fakes have the shapes that were recorded from 2.1.1."""

from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.swarm.dht.alerts import (
    DhtStats,
    Event,
    PeersSaid,
    PortOpened,
    PortRefused,
    SeenFrom,
    SessionFailed,
    plain,
    read_alert,
)

IH = bytes(range(20))


class Enum:
    """Prints like those of its bindings."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __str__(self) -> str:
        return f"libtorrent.portmap_transport.{self.name}"


def alert(what: str, **fields: Any) -> Any:  # noqa: ANN401 - a stand-in for an untyped thing
    return SimpleNamespace(what=lambda: what, **fields)


bucket = {"num_nodes": 3, "num_replacements": 8}
walk = {"type": "get_peers", "outstanding_requests": 1, "timeouts": 0, "nodes_left": 0}
upnp, natpmp = Enum("upnp"), Enum("natpmp")


@pytest.mark.parametrize(
    ("said", "event"),
    [
        (
            alert(
                "dht_get_peers_reply",
                info_hash=SimpleNamespace(to_bytes=lambda: IH),
                peers=lambda: [("127.0.0.23", 4444)],
            ),
            PeersSaid(IH, (("127.0.0.23", 4444),)),
        ),
        (
            alert(
                "dht_stats",
                routing_table=[bucket, bucket],
                active_requests=[walk, {"type": "bootstrap"}, {"type": "obfuscated_get_peers"}],
            ),
            DhtStats(6, 2),
        ),
        (
            alert("portmap", mapping=2, external_port=8765, map_transport=upnp),
            PortOpened(2, "upnp", 8765),
        ),
        (
            alert("portmap_error", mapping=2, map_transport=natpmp),
            PortRefused(2, "natpmp"),
        ),
        (alert("external_ip", external_address="8.8.8.8"), SeenFrom("8.8.8.8")),
        (
            alert("dht_error", message=lambda: "DHT error [hostname_lookup] Host not found\n"),
            SessionFailed("DHT error [hostname_lookup] Host not found"),
        ),
        (alert("listen_failed", message=lambda: "x" * 1_000), SessionFailed("x" * 120)),
        (
            alert("portmap"),
            SessionFailed("portmap: 'types.SimpleNamespace' object has no attribute 'mapping'"),
        ),
        (alert("listen_succeeded"), None),
        (alert("of a later release"), None),
    ],
)
def test_what_alerts_mean(said: object, event: Event | None) -> None:
    """Those that mean nothing to us are left unread, and those of another release do no harm."""
    assert read_alert(said) == event


@given(st.text(max_size=300))
def test_words_of_others_are_one_short_printable_line(words: str) -> None:
    """They are shown to a person."""
    assert plain(words).isprintable()
    assert len(plain(words)) <= 120
