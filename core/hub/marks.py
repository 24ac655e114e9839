"""Which of an author's sequences were taken already: bounded, and exact where it matters.

The highest ``AUTHOR_SLOTS`` are remembered one by one, and whatever is below them counts as taken,
since it would have no place on its author's shelf. So an author's newest envelope, brought here by
somebody else, does not make those before it look used.
"""

import struct
from bisect import bisect_left

from core.wire.codec import AUTHOR_SLOTS

_BYTES = 8


class Marks:
    """The sequences of one author that were taken, lowest first."""

    def __init__(self, packed: bytes = b"") -> None:
        """What ``packed`` gave, or none yet."""
        self._taken = list(struct.unpack(f">{len(packed) // _BYTES}Q", packed))

    def take(self, sequence: int) -> bool:
        """Remember ``sequence``; False if it was taken before, or may have been."""
        index = bisect_left(self._taken, sequence)
        if self._taken[index : index + 1] == [sequence]:
            return False
        if index == 0 and len(self._taken) >= AUTHOR_SLOTS:
            return False
        self._taken.insert(index, sequence)
        del self._taken[:-AUTHOR_SLOTS]
        return True

    def packed(self) -> bytes:
        """All of it, to be kept."""
        return struct.pack(f">{len(self._taken)}Q", *self._taken)
