"""What several hubs handed out, joined so that none of them decides alone what is practised."""

from collections.abc import Callable, Sequence
from itertools import zip_longest

from core.swarm.screen import Received


def merge(
    offers: Sequence[Sequence[Received]], want: int, take: Callable[[Received], bool]
) -> list[Received]:
    """Up to ``want`` groups from the hubs in turn, for each that ``take`` accepts.

    With more than one offer, none gives more than half (rounded up) of what is wanted: a hub
    that answers with its own favourites then still cannot crowd out the others.
    """
    share = want if len(offers) == 1 else (want + 1) // 2
    given = [0] * len(offers)
    merged: list[Received] = []
    for turn in zip_longest(*offers):
        for hub, received in enumerate(turn):
            if received is None or given[hub] == share or len(merged) == want:
                continue
            if take(received):
                given[hub] += 1
                merged.append(received)
    return merged


def interleave(offers: Sequence[Sequence[Received]]) -> list[Received]:
    """One offer of several, a group of each in turn: of nodes, each speaks for itself alone."""
    return [one for turn in zip_longest(*offers) for one in turn if one is not None]
