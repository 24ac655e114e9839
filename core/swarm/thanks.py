"""Receipts on both sides: what we learnt from others, and who says to have learnt from us."""

from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from core.errors import WireError
from core.rollouts.types import PeerId, PuzzleKey, RolloutGroup
from core.swarm.screen import Received
from core.wire.codec import MAX_EXCHANGE_RECEIPTS, MAX_RECEIPT_GROUPS, PROTOCOL, Reason
from core.wire.identity import Identity
from core.wire.receipt import Receipt, open_receipt, seal_receipt

MOST_REMEMBERED: Final = 4_096

_Label = tuple[PeerId, int, PuzzleKey, str]  # of a group: it may have been cut on its way


@dataclass(frozen=True, slots=True)
class Thanks:
    """A receipt found good: somebody learnt from own groups."""

    learner: PeerId
    sequences: tuple[int, ...]  # of own envelopes


class ThanksGiver:
    """Remembers which envelope a group came in, and writes receipts for those learnt from."""

    def __init__(self, identity: Identity, swarm: str) -> None:
        self._identity = identity
        self._swarm = swarm
        self._came_in: OrderedDict[_Label, int] = OrderedDict()
        self._owed: dict[PeerId, deque[int]] = {}  # the newest ones
        self._sequence = 0

    def note(self, received: Iterable[Received]) -> None:
        """These groups came, in these envelopes."""
        for one in received:
            self._came_in[_label(one.group)] = one.sequence
        while len(self._came_in) > MOST_REMEMBERED:
            self._came_in.popitem(last=False)

    def learnt(self, groups: Iterable[RolloutGroup]) -> None:
        """An update trained on these groups of others."""
        for group in groups:
            sequence = self._came_in.pop(_label(group), None)
            if sequence is not None:
                owed = self._owed.setdefault(group.author, deque(maxlen=MAX_RECEIPT_GROUPS))
                owed.append(sequence)
        while len(self._owed) > MOST_REMEMBERED:
            del self._owed[next(iter(self._owed))]

    def write(self, now: float) -> dict[PeerId, bytes]:
        """A receipt for each author that is owed one, at ``now`` (unix seconds).

        They are owed until ``delivered``.
        """
        authors = list(self._owed)[:MAX_EXCHANGE_RECEIPTS]
        return {author: self._seal(author, self._owed[author], now) for author in authors}

    def delivered(self, authors: Iterable[PeerId]) -> None:
        """Somebody has the receipts for these authors now."""
        for author in authors:
            self._owed.pop(author, None)

    def _seal(self, author: PeerId, sequences: Iterable[int], now: float) -> bytes:
        self._sequence = max(self._sequence + 1, int(now * 1e6))
        receipt = Receipt(
            version=PROTOCOL,
            swarm=self._swarm,
            learner=bytes.fromhex(self._identity.peer_id),
            author=bytes.fromhex(author),
            sequence=self._sequence,
            time=int(now),
            groups=tuple(sequences),
        )
        return seal_receipt(self._identity, receipt)


class ThanksReader:
    """Believes receipts that are signed, new, and about envelopes that were really sealed here."""

    def __init__(self, own: PeerId, swarm: str, was_sent: Callable[[int], bool]) -> None:
        self.rejected: Counter[str] = Counter()  # by reason
        self._own = bytes.fromhex(own)
        self._swarm = swarm
        self._was_sent = was_sent
        self._seen: OrderedDict[tuple[bytes, int], None] = OrderedDict()

    def read(self, receipts: Iterable[bytes], now: float) -> list[Thanks]:
        """The good ones among ``receipts``, still sealed, at ``now`` (unix seconds)."""
        opened = []
        for data in receipts:
            try:
                opened.append(open_receipt(data, self._swarm, now))
            except WireError as error:
                self.rejected[error.reason] += 1
        return self.believe(opened)

    def believe(self, receipts: Iterable[Receipt]) -> list[Thanks]:
        """The good ones among ``receipts`` whose signature was checked, each once."""
        good = []
        for receipt in receipts:
            try:
                good.append(self._check(receipt))
            except WireError as error:
                self.rejected[error.reason] += 1
        return good

    def _check(self, receipt: Receipt) -> Thanks:
        if receipt.author != self._own:
            raise WireError(Reason.SIGNATURE, "for somebody else")
        label = (receipt.learner, receipt.sequence)
        if label in self._seen:
            raise WireError(Reason.REPLAYED)
        self._seen[label] = None
        if len(self._seen) > MOST_REMEMBERED:
            self._seen.popitem(last=False)
        if not all(self._was_sent(sequence) for sequence in receipt.groups):
            raise WireError(Reason.DIGEST, "about envelopes that were never sent")
        return Thanks(PeerId(receipt.learner.hex()), tuple(dict.fromkeys(receipt.groups)))


def _label(group: RolloutGroup) -> _Label:
    return group.author, group.round, group.key, group.digest
