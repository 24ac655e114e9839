"""The newest own envelopes, which other nodes may fetch. Pure, no I/O."""

from collections import deque
from collections.abc import Iterable
from itertools import accumulate
from random import Random

from core.storage.bounded import BoundedDict
from core.swarm.exchange.outbox import MOST_BYTES_AT_ONCE, OLDEST_S, Letter
from core.wire.codec import AUTHOR_SLOTS, ITEM_LIFE_S

LIFE_S = min(ITEM_LIFE_S, OLDEST_S)
"""What receivers would refuse for its age is not worth their time."""


MOST_PICKED = 2 * AUTHOR_SLOTS
"""Remembered until they are collected, once a round; the latest stay."""


class ServedItems:
    """The newest ``AUTHOR_SLOTS`` letters; older ones make room."""

    def __init__(self) -> None:
        self._letters = deque[Letter](maxlen=AUTHOR_SLOTS)
        self._picked = BoundedDict[int, Letter](MOST_PICKED)  # by sequence

    def put(self, letters: Iterable[Letter]) -> None:
        """Add own letters, the oldest first."""
        self._letters.extend(letters)

    def pick(self, want: int, now: float, rng: Random) -> tuple[bytes, ...]:
        """Up to ``want`` distinct ones alive at ``now`` (unix seconds), each equally likely.

        Fewer, where they are more than ``MOST_BYTES_AT_ONCE``. Those from the future are left out,
        too: this computer's clock was put right since.
        """
        living = [one for one in self._letters if abs(now - one.sealed_at) <= LIFE_S]
        picked = _fitting(rng.sample(living, min(want, len(living))))
        for one in picked:
            self._picked[one.sequence] = one
        return tuple(one.data for one in picked)

    def collect_picked(self) -> list[Letter]:
        """The letters picked since the last call, each once."""
        picked = list(self._picked.values())
        self._picked.clear()
        return picked


def _fitting(letters: list[Letter]) -> list[Letter]:
    """The first ones, as far as they fit into ``MOST_BYTES_AT_ONCE``; one at least."""
    sizes = accumulate(len(one.data) for one in letters)
    count = sum(size <= MOST_BYTES_AT_ONCE for size in sizes)
    return letters[: max(1, count)]
