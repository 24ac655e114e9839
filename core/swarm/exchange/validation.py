"""Every envelope from outside is checked here: whoever hands it on is trusted for nothing."""

from collections import Counter, OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from core.errors import WireError
from core.rollouts.types import PeerId, RolloutGroup
from core.wire.codec import Reason
from core.wire.envelope import open_envelope
from core.wire.secrecy import SwarmKeys

BLOCKED: Final = "blocked"
"""The reason for authors of whom the person wants to see nothing."""

MOST_SEEN: Final = 20_000
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


@dataclass(frozen=True, slots=True)
class CheckedBatch:
    """What was found in one batch."""

    good: list[Received]
    refused: Counter[str]  # by reason

    @property
    def garbage(self) -> int:
        """How many of those refused whoever handed them on should have refused as well."""
        return sum(self.refused[reason] for reason in _GARBAGE)


_GARBAGE: Final = (
    Reason.SIZE,
    Reason.SCHEMA,
    Reason.VERSION,
    Reason.SWARM,
    Reason.DIGEST,
    Reason.SIGNATURE,
)


@dataclass(frozen=True, slots=True)
class Self:
    """Who screens, and for what."""

    peer: PeerId
    swarm: str  # its name on the wire
    ruleset: str
    keys: SwarmKeys | None = None  # of a private swarm
    blocked: frozenset[PeerId] = frozenset()  # by the person, to begin with


class EnvelopeValidator:
    """Lets good envelopes of others through, each one once, and counts the rest by reason."""

    def __init__(self, own: Self) -> None:
        self.rejected: Counter[str] = Counter()
        self.blocked = own.blocked  # may change while it runs
        self._own = own
        self._seen: OrderedDict[tuple[PeerId, int], None] = OrderedDict()

    def open_all(
        self, envelopes: Iterable[bytes], now: float, sites: Sequence[str] = ()
    ) -> CheckedBatch:
        """What is good among ``envelopes``, at ``now`` in unix seconds.

        ``sites`` are where each came from, see ``RolloutGroup.site``; or none is known.
        """
        opened = CheckedBatch([], Counter())
        told = zip(envelopes, sites, strict=True) if sites else ((data, "") for data in envelopes)
        for data, site in told:
            try:
                opened.good.append(self._open(data, now, site))
            except WireError as error:
                opened.refused[error.reason] += 1
        self.rejected += opened.refused
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

    def _open(self, data: bytes, now: float, site: str) -> Received:
        envelope = open_envelope(data, self._own.swarm, now)
        if envelope.author == self._own.peer:
            raise WireError(Reason.OWN)
        if envelope.author in self.blocked:
            raise WireError(BLOCKED)
        ruleset, group = envelope.read(self._own.keys)
        if ruleset != self._own.ruleset:
            raise WireError(Reason.RULESET, ruleset)
        return Received(replace(group, site=site), envelope.header.sequence)
