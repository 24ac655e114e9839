"""Every envelope from outside is checked here: a hub is trusted for nothing."""

from collections import Counter, OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass

from core.errors import WireError
from core.rollouts.types import PeerId, RolloutGroup
from core.wire.codec import Reason
from core.wire.envelope import open_envelope

MOST_SEEN = 20_000
"""Envelopes remembered as seen, the latest ones; older ones are soon refused by the clock."""


@dataclass(frozen=True, slots=True)
class Received:
    """A group whose envelope was found good."""

    group: RolloutGroup
    sequence: int  # of its author

    @property
    def label(self) -> tuple[PeerId, int]:
        """What no two envelopes share."""
        return self.group.author, self.sequence


class Screen:
    """Lets good envelopes of others through, each one once, and counts the rest by reason."""

    def __init__(self, own: PeerId, swarm: str, ruleset: str) -> None:
        self.rejected: Counter[str] = Counter()
        self._own = own
        self._swarm = swarm
        self._ruleset = ruleset
        self._seen: OrderedDict[tuple[PeerId, int], None] = OrderedDict()

    def open_all(self, envelopes: Iterable[bytes], now: float) -> list[Received]:
        """The good ones among ``envelopes``, at ``now`` in unix seconds."""
        opened = []
        for data in envelopes:
            try:
                opened.append(self._open(data, now))
            except WireError as error:
                self.rejected[error.reason] += 1
        return opened

    def take(self, received: Received) -> bool:
        """Note that ``received`` is used; False, and counted, if it was used before."""
        if received.label in self._seen:
            self._seen.move_to_end(received.label)
            self.rejected[Reason.REPLAYED] += 1
            return False
        self._seen[received.label] = None
        if len(self._seen) > MOST_SEEN:
            self._seen.popitem(last=False)
        return True

    def _open(self, data: bytes, now: float) -> Received:
        envelope = open_envelope(data, self._swarm, now)
        if envelope.author == self._own:
            raise WireError(Reason.OWN)
        ruleset, group = envelope.read()
        if ruleset != self._ruleset:
            raise WireError(Reason.RULESET, ruleset)
        return Received(group, envelope.header.sequence)
