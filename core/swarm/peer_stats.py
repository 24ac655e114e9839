"""Statistics of the peers met in this run, for a person to see.

Nothing is decided by it. It is bounded: in an open swarm anybody may appear under any number of
names, so whoever taught nothing and was not heard for the longest time makes room.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from core.api import swarm_view
from core.engine.presence import FORGET_AFTER_S
from core.net.addresses import is_inside
from core.net.asking import IMPOSTOR, NO_HUB
from core.rollouts.types import PeerId, RolloutGroup
from core.swarm.exchange.validation import PeerRollout
from core.swarm.membership import Address, Source
from core.wire.names import friendly_name

MOST_PEERS_KEPT: Final = 512
MOST_COUNTED: Final = 256
"""Meeting points whose groups are counted; the one that was counted first is forgotten first."""

Label = tuple[PeerId, int]

_ORDER: Final[tuple[swarm_view.PeerState, ...]] = ("here", "silent", "blocked")


@dataclass(slots=True)
class _PeerRecord:
    model: str = ""
    where: swarm_view.Where = ""
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

    _records: dict[PeerId, _PeerRecord] = field(default_factory=dict)
    _by_hub: Counter[Address] = field(default_factory=Counter)  # groups received

    def note(
        self, received: Iterable[PeerRollout], origins: Mapping[Label, Source], now: float
    ) -> None:
        """These groups came at ``now`` (unix seconds), each from one of ``origins``."""
        for one in received:
            record = self._record(one.group.author)
            record.received += 1
            record.model, record.seen_at = one.group.model, now
            source = origins.get(one.label)
            if source is not None:
                record.where = _where(source)
                if source.kind == "hub":
                    self._by_hub[source.address] += 1
        while len(self._by_hub) > MOST_COUNTED:
            del self._by_hub[next(iter(self._by_hub))]

    def learnt(self, groups: Iterable[RolloutGroup]) -> None:
        """An update trained on these groups of others."""
        for group in groups:
            self._record(group.author).taught += 1

    def show(self, snapshot: SwarmSnapshot) -> swarm_view.SwarmSeen:
        """All that is worth showing, those that are here and taught most first."""
        sources = list(snapshot.sources)
        for source in sources:
            if source.kind == "node" and source.peer is not None and source.answered_at:
                record = self._record(source.peer)
                record.where = record.where or _where(source)
                record.seen_at = max(record.seen_at, source.answered_at)
        peers = [self._peer(peer, snapshot) for peer in {*self._records, *snapshot.blocked}]
        peers.sort(key=lambda one: (_ORDER.index(one.state), -one.taught, one.name, one.peer))
        hubs = [self._hub(source, snapshot) for source in sources if source.kind == "hub"]
        return swarm_view.SwarmSeen(
            swarm=snapshot.swarm,
            peers=tuple(peers[: swarm_view.MOST_PEERS]),
            more=max(0, len(peers) - swarm_view.MOST_PEERS),
            hubs=tuple(hubs[: swarm_view.MOST_SEEN_HUBS]),
        )

    def _record(self, peer: PeerId) -> _PeerRecord:
        record = self._records.get(peer)
        if record is None:
            if len(self._records) >= MOST_PEERS_KEPT:
                least = min(self._records, key=self._usefulness)
                del self._records[least]
            record = self._records[peer] = _PeerRecord()
        return record

    def _usefulness(self, peer: PeerId) -> tuple[int, float]:
        record = self._records[peer]
        return record.taught, record.seen_at

    def _peer(self, peer: PeerId, snapshot: SwarmSnapshot) -> swarm_view.SeenPeer:
        record = self._records.get(peer, _PeerRecord())
        is_here = abs(snapshot.now - record.seen_at) < FORGET_AFTER_S  # abs: clocks are turned back
        state: swarm_view.PeerState = "here" if is_here else "silent"
        return swarm_view.SeenPeer(
            peer=peer,
            name=friendly_name(peer),
            state="blocked" if peer in snapshot.blocked else state,
            model=record.model,
            where=record.where,
            received=max(record.received, record.taught),  # a guest may have been forgotten between
            taught=record.taught,
            heard=record.seen_at,
        )

    def _hub(self, source: Source, snapshot: SwarmSnapshot) -> swarm_view.SeenHub:
        return swarm_view.SeenHub(
            address=source.address,
            state=_hub_state(source, snapshot),
            received=self._by_hub[source.address],
            heard=source.answered_at,
        )


def _where(source: Source) -> swarm_view.Where:
    if source.kind == "hub":
        return "hub"
    return "near" if source.origin == "lan" or is_inside(source.host) else "internet"


def _hub_state(source: Source, snapshot: SwarmSnapshot) -> swarm_view.HubState:
    if source.is_banned(snapshot.now):
        return "left_out"
    if source.failures:
        failure = snapshot.failures.get(source.address, "")
        return {IMPOSTOR: "impostor", NO_HUB: "stranger"}.get(failure, "away")  # type: ignore[return-value]  # every value is a state
    return "answers" if source.answered_at else "new"
