"""Merging the offers of several hubs, so that none of them decides alone what is practised."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import zip_longest

from core.rollouts.types import site_of
from core.swarm.exchange.validation import PeerRollout


def merge(
    offers: Sequence[Sequence[PeerRollout]], want: int, take: Callable[[PeerRollout], bool]
) -> list[PeerRollout]:
    """Up to ``want`` groups from the hubs in turn, for each that ``take`` accepts.

    With more than one offer, none gives more than half (rounded up) of what is wanted: a hub
    that answers with its own favourites then still cannot crowd out the others.
    """
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
