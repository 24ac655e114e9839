"""Own groups become envelopes: who, where, and a sequence that only grows."""

from collections import Counter
from collections.abc import Sequence

from core.errors import WireError
from core.rollouts.types import RolloutGroup
from core.swarm.backoff import Timing
from core.swarm.exchange.outbox import Letter
from core.swarm.exchange.validation import Self
from core.wire.envelope import Stamp, open_own, seal
from core.wire.identity import Identity


class Sealer:
    """Seals own groups as envelopes of one swarm."""

    def __init__(self, identity: Identity, own: Self, timing: Timing) -> None:
        self.withheld: Counter[str] = Counter()  # own groups that break a limit, by reason
        self._identity = identity
        self._own = own
        self._timing = timing
        self._sequence = 0

    def go_on_after(self, sequence: int) -> None:
        """Give out only higher ones, even if the clock was turned back."""
        self._sequence = max(self._sequence, sequence)

    def seal_all(self, groups: Sequence[RolloutGroup]) -> list[Letter]:
        """Letters of those groups that keep the limits, each with its place in its round."""
        slots, letters = Counter[int](), []
        for group in groups:
            letters.append(self._seal(group, self._own.ruleset, slots[group.round]))
            slots[group.round] += 1
        return [letter for letter in letters if letter is not None]

    def reseal(self, data: bytes) -> Letter | None:
        """The group in ``data``, sealed with a new time and sequence; None if it cannot be read."""
        try:
            envelope = open_own(data)
            ruleset, group = envelope.read(self._own.keys)
        except WireError as error:
            self.withheld[error.reason] += 1
            return None
        return self._seal(group, ruleset, envelope.header.slot)

    def _seal(self, group: RolloutGroup, ruleset: str, slot: int) -> Letter | None:
        now = self._timing.wall()
        # Microseconds, or the last one plus one: it grows over restarts without being kept.
        self._sequence = max(self._sequence + 1, int(now * 1e6))
        stamp = Stamp(self._own.swarm, ruleset, slot, self._sequence, now, self._own.keys)
        try:
            return Letter(self._sequence, now, seal(self._identity, group, stamp))
        except WireError as error:
            self.withheld[error.reason] += 1
            return None
