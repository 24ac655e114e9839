"""Members and hubs of a swarm, for the window's page about it.

All of it was screened before, but names and addresses were chosen by strangers: they are shown as
plain text, and every field is bounded.
"""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from core.api.message import JsonMessage

MOST_PEERS = 64
MOST_SEEN_HUBS = 32
MOST_NAMED_HUBS = 24
"""In the settings, of those: an invite names more, and what is named is shown and asked."""

Where = Literal["near", "internet", "hub", ""]
"""How somebody's tries came: from this network, from the internet directly, by a meeting point."""

PeerState = Literal["here", "silent", "blocked"]
HubState = Literal["new", "answers", "away", "impostor", "stranger", "left_out"]
"""``new``: not asked yet. ``impostor``: somebody else answers there. ``stranger``: what answers is
no hub. ``left_out``: it broke the protocol or withholds, and is left alone for a while."""

PeerKey = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]
Count = Annotated[int, Meta(ge=0)]


class SeenPeer(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Another node, and what it was good for since this run began."""

    peer: PeerKey
    name: Annotated[str, Meta(max_length=80)]  # friendly, derived from its key
    state: PeerState
    model: Annotated[str, Meta(max_length=140)] = ""  # as its author calls it; empty: not known
    where: Where = ""
    received: Count = 0  # groups of its tries
    taught: Count = 0  # groups of them that were trained on
    heard: float = 0.0  # last time, unix seconds; 0: not in this run


class SeenHub(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A meeting point, and how it does."""

    address: Annotated[str, Meta(max_length=300)]
    state: HubState
    received: Count = 0  # groups that came from there
    heard: float = 0.0  # answered last, unix seconds; 0: never


class SwarmSeen(JsonMessage, frozen=True, tag="swarm_seen"):
    """The members and hubs of the swarm, while somebody watches."""

    swarm: Annotated[str, Meta(max_length=40)] = ""  # its name on the wire; empty: alone
    peers: Annotated[tuple[SeenPeer, ...], Meta(max_length=MOST_PEERS)] = ()
    more: Count = 0  # others who were seen and do not fit
    hubs: Annotated[tuple[SeenHub, ...], Meta(max_length=MOST_SEEN_HUBS)] = ()


class WatchSwarm(JsonMessage, frozen=True, tag="watch_swarm"):
    """Tell who is there, from now on or no longer."""

    on: bool


class Block(JsonMessage, frozen=True, tag="block"):
    """Block a node from now on, or no longer; the settings are not changed."""

    peer: PeerKey
    on: bool
