"""Merging the offers of several hubs, so that none of them decides alone what is practised."""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

from core.rollouts.types import PeerId, site_of
from core.swarm.exchange.validation import PeerRollout
from core.swarm.membership import Source
from core.swarm.peer_stats import Label

_Offers = list[Sequence[PeerRollout]]


@dataclass(slots=True)
class RoundReplies:
    """Groups and counts that the replies of one round brought, before they are merged."""

    # By hub, and then the addresses of those that are no strangers, and of strangers.
    hubs: dict[str, tuple[_Offers, _Offers]] = field(default_factory=dict)
    nodes: list[list[PeerRollout]] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)
    receipts: list[bytes] = field(default_factory=list)
    claimed: dict[str, int] = field(default_factory=dict)  # peers, by each hub; the least
    thanked: set[PeerId] = field(default_factory=set)  # whose receipts somebody has now
    origins: dict[Label, Source] = field(default_factory=dict)  # who handed out what

    def add_hub(
        self,
        source: Source,
        key: PeerId | None,
        peers: int,
        groups: Sequence[PeerRollout] | None = None,
    ) -> None:
        """A hub that greeted with ``key`` claims ``peers`` and offers ``groups``; None: nothing.

        All addresses with one key are one hub and offer in turn, as greetings of others can be
        passed on: strangers who do that take half of what is theirs at most, all together, and do
        not say how many there are. A stranger's address is part only of one that is none, and takes
        nothing of another stranger's.
        """
        name = key or source.address
        if source.is_stranger and name not in self.claimed:
            name = source.address
        if name not in self.claimed or not source.is_stranger:
            self.claimed[name] = min(peers, self.claimed.get(name, peers))
        if groups is not None:
            self.hubs.setdefault(name, ([], []))[source.is_stranger].append(groups)

    def offers(self) -> list[list[PeerRollout]]:
        """Those of the hubs, and one of all nodes together."""
        of_nodes = [interleave_places(self.nodes)] if self.nodes else []
        of_hubs = [_interleave([_interleave(one) for one in both]) for both in self.hubs.values()]
        return [*of_hubs, *of_nodes]


def merge(
    offers: Sequence[Sequence[PeerRollout]], want: int, take: Callable[[PeerRollout], bool]
) -> list[PeerRollout]:
    """Up to ``want`` groups from the hubs in turn, for each that ``take`` accepts.

    With more than one offer, none gives more than half (rounded up) of what is wanted: a hub
    that answers with its own favourites then still cannot crowd out the others. Whoever has
    nothing offers nothing.
    """
    offers = [one for one in offers if one]
    share = want if len(offers) == 1 else (want + 1) // 2
    given = [0] * len(offers)
    merged: list[PeerRollout] = []
    for turn in zip_longest(*offers):
        for hub, received in enumerate(turn):
            if received is None or given[hub] == share or len(merged) == want:
                continue
            if take(received):
                given[hub] += 1
                merged.append(received)
    return merged


def interleave_places(offers: Sequence[Sequence[PeerRollout]]) -> list[PeerRollout]:
    """One offer of several nodes, each of which speaks for itself alone.

    A group of each place in turn, and of each node there.
    """
    places = defaultdict[str, list[Sequence[PeerRollout]]](list)
    for offer in filter(None, offers):
        places[site_of(offer[0].group)].append(offer)
    return _interleave([_interleave(nodes) for nodes in places.values()])


def _interleave(offers: Sequence[Sequence[PeerRollout]]) -> list[PeerRollout]:
    return [one for turn in zip_longest(*offers) for one in turn if one is not None]
