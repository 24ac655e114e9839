"""What is seen of a swarm crosses the pipe, and only in bounds."""

import msgspec
import pytest

from core.api.pipe import MAX_LINE, decode_command, decode_event, encode
from core.api.swarm_view import (
    MOST_PEERS,
    MOST_SEEN_HUBS,
    Block,
    SeenHub,
    SeenPeer,
    SwarmSeen,
    WatchSwarm,
)
from core.errors import WireError

PEER = SeenPeer(
    peer="a" * 64, name="n" * 80, state="silent", model="m" * 140, received=10**9, taught=10**9
)
HUB = SeenHub(address="h" * 300, state="left_out", received=10**9)


def test_the_fullest_sight_fits_into_a_line() -> None:
    """With all places taken and every field at its longest."""
    peers, hubs = (PEER,) * MOST_PEERS, (HUB,) * MOST_SEEN_HUBS
    full = SwarmSeen(swarm="s" * 40, peers=peers, more=9, hubs=hubs)
    line = encode(full)
    assert len(line) < MAX_LINE / 8
    assert decode_event(line) == full


@pytest.mark.parametrize(
    "seen",
    [
        SwarmSeen(peers=(PEER,) * (MOST_PEERS + 1)),
        SwarmSeen(hubs=(HUB,) * (MOST_SEEN_HUBS + 1)),
        SwarmSeen(peers=(msgspec.structs.replace(PEER, model="m" * 141),)),
        SwarmSeen(peers=(msgspec.structs.replace(PEER, peer="../etc"),)),
        SwarmSeen(more=-1),
    ],
)
def test_more_than_the_bounds_is_no_event(seen: SwarmSeen) -> None:
    """A window shows nothing that is longer than agreed."""
    with pytest.raises(WireError):
        decode_event(encode(seen))


@pytest.mark.parametrize("command", [WatchSwarm(on=True), Block(peer="b" * 64, on=False)])
def test_what_the_window_asks_comes_back_equal(command: WatchSwarm | Block) -> None:
    """Word for word."""
    assert decode_command(encode(command)) == command


def test_only_a_node_can_be_blocked() -> None:
    """Anything but a public key is no command."""
    with pytest.raises(WireError):
        decode_command(encode(Block(peer="everybody", on=True)))
