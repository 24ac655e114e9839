"""Draws and merges of many nodes at once, by the rules of roster and ``merging``.

Shapes are [node, place]; ``NOTHING`` fills places that stay empty.
"""

from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

Ints: TypeAlias = npt.NDArray[np.int64]
Flags: TypeAlias = npt.NDArray[np.bool_]

NOTHING: Final = -1
_DENSE: Final = 4
"""Below this many times what is drawn, shuffling everybody is cheaper than drawing again."""


@dataclass(frozen=True, slots=True)
class Merged:
    """What every node uses of its offers."""

    labels: Ints  # [node, want]
    sources: Ints  # [node, want]: which offer it came from


def draw_distinct(rng: np.random.Generator, size: int, k: int, own: Ints) -> Ints:
    """For every node up to ``k`` different ones of ``range(size)``, never ``own[node]``; uniform.

    Like ``Roster.draw`` as long as there are more authors than are wanted: each gives one item.
    """
    if size == 0 or own.size == 0:
        return np.full((own.size, k), NOTHING)
    if size <= _DENSE * (k + 1):
        return _shuffled(rng, size, k, own)
    drawn = rng.integers(0, size, (own.size, k))
    while True:
        again = _repeated(drawn) | (drawn == own[:, None])
        count = np.count_nonzero(again)
        if not count:
            return drawn
        drawn[again] = rng.integers(0, size, count)


def _shuffled(rng: np.random.Generator, size: int, k: int, own: Ints) -> Ints:
    keys = rng.random((own.size, size))
    there = own >= 0
    keys[there, own[there]] = np.inf  # comes last
    order = np.argsort(keys, axis=1)[:, :k].astype(np.int64)
    order[order == np.where(there, own, size)[:, None]] = NOTHING
    missing = np.full((own.size, k - order.shape[1]), NOTHING)
    return np.concatenate([order, missing], axis=1)


def _repeated(drawn: Ints) -> Flags:
    """Where a value stood further left in its row already."""
    order = np.argsort(drawn, axis=1, kind="stable")
    ranked = np.take_along_axis(drawn, order, axis=1)
    same = np.zeros(drawn.shape, dtype=np.bool_)
    same[:, 1:] = ranked[:, 1:] == ranked[:, :-1]
    repeated = np.zeros_like(same)
    np.put_along_axis(repeated, order, same, axis=1)
    return repeated


def compact(offers: Ints) -> Ints:
    """Each row with its empty places at the end, otherwise in order."""
    order = np.argsort(offers == NOTHING, axis=1, kind="stable")
    return np.take_along_axis(offers, order, axis=1)


def merge_rows(offers: Ints, answered: Flags, want: int) -> Merged:
    """What ``core.swarm.exchange.merging.merge`` takes, for all nodes at once.

    ``offers`` is [node, offer, place], each without gaps; ``answered`` [node, offer] says which
    offers were made; without a label one is none. A label is taken once.
    """
    nodes, count, places = offers.shape
    answered = answered & (offers[:, :, 0] != NOTHING)
    alone = np.count_nonzero(answered, axis=1) == 1
    share = np.where(alone, want, (want + 1) // 2)
    merged = Merged(np.full((nodes, want), NOTHING), np.full((nodes, want), NOTHING))
    given = np.zeros((nodes, count), dtype=np.int64)
    total = np.zeros(nodes, dtype=np.int64)
    for place in range(places):
        for offer in range(count):
            label = offers[:, offer, place]
            open_ = answered[:, offer] & (label != NOTHING) & (total < want)
            open_ &= given[:, offer] < share
            open_ &= ~(merged.labels == label[:, None]).any(axis=1)
            rows = np.flatnonzero(open_)
            merged.labels[rows, total[rows]] = label[rows]
            merged.sources[rows, total[rows]] = offer
            given[rows, offer] += 1
            total[rows] += 1
    return merged
