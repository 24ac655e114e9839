"""Own envelopes on their way to one hub, in order; those of rounds while it was away wait here."""

from collections import deque
from dataclasses import dataclass, field
from itertools import islice

from core.wire.codec import CLOCK_WINDOW_S, MAX_EXCHANGE_ENVELOPES

MOST_BYTES_AT_ONCE = 1 << 19
"""Per exchange, beyond the first envelope: what a slow uplink manages within the time limit."""

OLDEST_S = CLOCK_WINDOW_S - 60
"""Older ones would be refused by receivers whose clock is a little ahead."""


@dataclass(frozen=True, slots=True)
class Letter:
    """A sealed envelope and when it was sealed."""

    sealed_at: float  # unix seconds
    data: bytes


@dataclass(slots=True)
class Outbox:
    """The newest letters that the hub has not taken yet; older ones make room."""

    _letters: deque[Letter] = field(
        default_factory=lambda: deque[Letter](maxlen=MAX_EXCHANGE_ENVELOPES)
    )

    def put(self, letters: list[Letter]) -> None:
        """Add letters; their sequence numbers follow those already inside."""
        self._letters.extend(letters)

    def batch(self, now: float) -> tuple[bytes, ...]:
        """The next envelopes to send, oldest first; they stay inside until ``sent``."""
        while self._letters and now - self._letters[0].sealed_at > OLDEST_S:
            self._letters.popleft()
        count, size = 0, 0
        for letter in self._letters:
            size += len(letter.data)
            if count and size > MOST_BYTES_AT_ONCE:
                break
            count += 1
        return tuple(letter.data for letter in islice(self._letters, count))

    def sent(self, batch: tuple[bytes, ...]) -> None:
        """Let go of what the hub has given a verdict on, if it is still inside."""
        answered = set(batch)
        while self._letters and self._letters[0].data in answered:
            self._letters.popleft()
