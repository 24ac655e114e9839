"""Every envelope from outside is checked here: whoever hands it on is trusted for nothing."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from core.errors import WireError
from core.rollouts.types import PeerId, RolloutGroup
from core.storage.bounded import BoundedDict
from core.wire.codec import Reason
from core.wire.envelope import open_envelope
from core.wire.secrecy import SwarmKeys

BLOCKED: Final = "blocked"
"""The reason for authors of whom the person wants to see nothing."""

MOST_SEEN: Final = 20_000
"""Envelopes remembered as seen, the latest ones.

The clock refuses one twenty minutes after it was first seen, at the latest. Whoever uses more than
sixteen a second meanwhile may be handed one of the forgotten once more.
"""


@dataclass(frozen=True, slots=True)
class PeerRollout:
    """A group of somebody else whose envelope was found good."""

    group: RolloutGroup
    sequence: int  # of its author

    @property
    def label(self) -> tuple[PeerId, int]:
        """Author and sequence, which no two envelopes share."""
        return self.group.author, self.sequence


GARBAGE: Final = (
    Reason.SIZE,
    Reason.SCHEMA,
    Reason.VERSION,
    Reason.SWARM,
    Reason.DIGEST,
    Reason.SIGNATURE,
)
"""Reasons for which whoever handed an envelope on should have refused it as well."""


@dataclass(frozen=True, slots=True)
class Self:
    """This node as a member of a swarm: its key, the swarm, the ruleset and whom it blocks."""

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
        self._seen = BoundedDict[tuple[PeerId, int], None](MOST_SEEN)

    def open_all(
        self, envelopes: Iterable[bytes], now: float, sites: Sequence[str] = ()
    ) -> tuple[list[PeerRollout], Counter[str]]:
        """The valid groups of ``envelopes`` at ``now`` in unix seconds, and the refused by reason.

        ``sites`` are where each came from, see ``RolloutGroup.site``; or none is known.
        """
        good, refused = list[PeerRollout](), Counter[str]()
        told = zip(envelopes, sites, strict=True) if sites else ((data, "") for data in envelopes)
        for data, site in told:
            try:
                good.append(self._open(data, now, site))
            except WireError as error:
                refused[error.reason] += 1
        self.rejected += refused
        return good, refused

    def take(self, received: PeerRollout) -> bool:
        """Note that ``received`` is used; False, and counted, if it was used before."""
        was_used = received.label in self._seen
        self._seen[received.label] = None
        if was_used:
            self.rejected[Reason.REPLAYED] += 1
        return not was_used

    def _open(self, data: bytes, now: float, site: str) -> PeerRollout:
        envelope = open_envelope(data, self._own.swarm, now)
        if envelope.author == self._own.peer:
            raise WireError(Reason.OWN)
        if envelope.author in self.blocked:
            raise WireError(BLOCKED)
        ruleset, group = envelope.read(self._own.keys)
        if ruleset != self._own.ruleset:
            raise WireError(Reason.RULESET, ruleset)
        return PeerRollout(replace(group, site=site), envelope.header.sequence)
