"""Protocols of what the swarm uses: a log of receipts, and finders of sources."""

from collections.abc import Iterable, Sequence
from typing import Protocol

from core.rollouts.types import PeerId
from core.swarm.membership import Origin, Source


class ReceiptLog(Protocol):
    """Where receipts are written down; see ``core.ledger.contribution``."""

    def thank(self, learner: PeerId, sequences: Sequence[int], now: float) -> None:
        """Somebody says to have learnt from these own groups, at ``now`` (unix seconds).

        Raises:
            HomeError: it cannot be kept.
        """

    @property
    def learners(self) -> int:
        """The number of nodes that ever said to have learnt from this one.

        Raises:
            HomeError: it cannot be read.
        """


class NoReceiptLog:
    """A ``ReceiptLog`` that keeps nothing."""

    learners = 0

    def thank(self, learner: PeerId, sequences: Sequence[int], now: float) -> None:
        """Do nothing."""


class Finder(Protocol):
    """Finds sources in its own time; nothing makes it raise."""

    origin: Origin

    async def look(self) -> Iterable[Source]:
        """All that are there now; quick, so that a round is not held up."""

    @property
    def trouble(self) -> str | None:
        """Advice about what keeps it from finding anybody; None if nothing does."""
