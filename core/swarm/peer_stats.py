"""Statistics of the peers met in this run, for a person to see.

Nothing is decided by it. It is bounded: in an open swarm anybody may appear under any number of
names, so whoever taught nothing and was not heard for the longest time makes room.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from core.api.swarm_view import (
    MOST_HUBS,
    MOST_PEERS,
    HubState,
    PeerState,
    SeenHub,
    SeenPeer,
    SwarmSeen,
    Where,
)
from core.engine.presence import FORGET_AFTER_S
from core.net.asking import IMPOSTOR
from core.rollouts.types import PeerId, RolloutGroup
from core.swarm.dht.internet import is_inside
from core.swarm.exchange.hub_link import NO_HUB
from core.swarm.exchange.validation import PeerRollout
from core.swarm.membership import Address, Source
from core.wire.names import friendly_name

MOST_GUESTS: Final = 512
MOST_COUNTED: Final = 256
"""Meeting points whose groups are counted; the one that was counted first is forgotten first."""

Label = tuple[PeerId, int]

_ORDER: Final[tuple[PeerState, ...]] = ("here", "silent", "blocked")


@dataclass(slots=True)
class _Guest:
    model: str = ""
    where: Where = ""
    received: int = 0
    taught: int = 0
    seen_at: float = 0.0


@dataclass(frozen=True, slots=True)
class SwarmSnapshot:
    """Sources, failures and blocked peers that are shown beside the statistics."""

    swarm: str  # its name on the wire
    sources: Iterable[Source]
    failures: Mapping[Address, str]  # of hubs, why their last try failed; empty if it did not
    blocked: frozenset[PeerId]
    now: float  # unix seconds


@dataclass(slots=True)
class PeerStats:
    """Statistics of up to ``MOST_PEERS_KEPT`` peers."""

    _guests: dict[PeerId, _Guest] = field(default_factory=dict)
    _by_hub: Counter[Address] = field(default_factory=Counter)  # groups received

    def note(
        self, received: Iterable[PeerRollout], origins: Mapping[Label, Source], now: float
    ) -> None:
        """These groups came at ``now`` (unix seconds), each from one of ``origins``."""
        for one in received:
            guest = self._guest(one.group.author)
            guest.received += 1
            guest.model, guest.seen_at = one.group.model, now
            source = origins.get(one.label)
            if source is not None:
                guest.where = _where(source)
                if source.kind == "hub":
                    self._by_hub[source.address] += 1
        while len(self._by_hub) > MOST_COUNTED:
            del self._by_hub[next(iter(self._by_hub))]

    def learnt(self, groups: Iterable[RolloutGroup]) -> None:
        """An update trained on these groups of others."""
        for group in groups:
            self._guest(group.author).taught += 1

    def show(self, scene: SwarmSnapshot) -> SwarmSeen:
        """All that is worth showing, those that are here and taught most first."""
        sources = list(scene.sources)
        for source in sources:
            if source.kind == "node" and source.peer is not None and source.answered_at:
                guest = self._guest(source.peer)
                guest.where = guest.where or _where(source)
                guest.seen_at = max(guest.seen_at, source.answered_at)
        peers = [self._peer(peer, scene) for peer in {*self._guests, *scene.blocked}]
        peers.sort(key=lambda one: (_ORDER.index(one.state), -one.taught, one.name, one.peer))
        hubs = [self._hub(source, scene) for source in sources if source.kind == "hub"]
        return SwarmSeen(
            swarm=scene.swarm,
            peers=tuple(peers[:MOST_PEERS]),
            more=max(0, len(peers) - MOST_PEERS),
            hubs=tuple(hubs[:MOST_HUBS]),
        )

    def _guest(self, peer: PeerId) -> _Guest:
        guest = self._guests.get(peer)
        if guest is None:
            if len(self._guests) >= MOST_GUESTS:
                least = min(self._guests, key=self._worth)
                del self._guests[least]
            guest = self._guests[peer] = _Guest()
        return guest

    def _worth(self, peer: PeerId) -> tuple[int, float]:
        guest = self._guests[peer]
        return guest.taught, guest.seen_at

    def _peer(self, peer: PeerId, scene: SwarmSnapshot) -> SeenPeer:
        guest = self._guests.get(peer, _Guest())
        is_here = abs(scene.now - guest.seen_at) < FORGET_AFTER_S  # abs: clocks are turned back
        state: PeerState = "here" if is_here else "silent"
        return SeenPeer(
            peer=peer,
            name=friendly_name(peer),
            state="blocked" if peer in scene.blocked else state,
            model=guest.model,
            where=guest.where,
            received=max(guest.received, guest.taught),  # a guest may have been forgotten between
            taught=guest.taught,
            heard=guest.seen_at,
        )

    def _hub(self, source: Source, scene: SwarmSnapshot) -> SeenHub:
        return SeenHub(
            address=source.address,
            state=_hub_state(source, scene),
            received=self._by_hub[source.address],
            heard=source.answered_at,
        )


def _where(source: Source) -> Where:
    if source.kind == "hub":
        return "hub"
    host = source.host.removeprefix("[").removesuffix("]")
    return "near" if source.origin == "lan" or is_inside(host) else "internet"


def _hub_state(source: Source, scene: SwarmSnapshot) -> HubState:
    if source.banned_until > scene.now:
        return "left_out"
    if source.failures:
        failure = scene.failures.get(source.address, "")
        return {IMPOSTOR: "impostor", NO_HUB: "stranger"}.get(failure, "away")  # type: ignore[return-value]  # every value is a state
    return "answers" if source.answered_at else "new"
