"""Receipts on both sides: what we learnt from others, and who says to have learnt from us.

Keys are free, so a receipt alone says nothing. It counts if this node met its learner itself, see
``core.swarm.contacts``, and on one day no more than ``PLACE_LEARNERS`` learners of one place and
``ORIGIN_LEARNERS`` of one hub (or met directly) do. A hub that makes up envelopes, labels and
receipts gains no more than that; whoever really learns and finds no room counts on another day.
"""

from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Final

from core.errors import WireError
from core.rollouts.types import PeerId, PuzzleKey, RolloutGroup
from core.storage.bounded import BoundedDict
from core.swarm.contacts import Contacts
from core.swarm.exchange.outbox import tolerated
from core.swarm.exchange.validation import BLOCKED, PeerRollout
from core.swarm.ports import ReceiptLog
from core.wire.codec import MAX_EXCHANGE_RECEIPTS, MAX_RECEIPT_GROUPS, PROTOCOL, Reason
from core.wire.identity import Identity
from core.wire.receipt import Receipt, open_receipt, seal_receipt

MOST_REMEMBERED: Final = 4_096
PLACE_LEARNERS: Final = 8
ORIGIN_LEARNERS: Final = 25

UNMET: Final = "unmet"
"""The reason for receipts of learners whom this node never met; they may be met later."""

CROWD: Final = "crowd"
"""The reason for receipts of learners beyond the day's number of their place or origin."""

_DAY_S: Final = 86_400

_Label = tuple[PeerId, int, PuzzleKey, str]  # of a group: it may have been cut on its way


@dataclass(frozen=True, slots=True)
class GoodReceipt:
    """A receipt found good: somebody learnt from own groups."""

    learner: PeerId
    sequences: tuple[int, ...]  # of own envelopes


class ReceiptSender:
    """Remembers which envelope a group came in, and writes receipts for those learnt from."""

    def __init__(self, identity: Identity, swarm: str) -> None:
        self._identity = identity
        self._swarm = swarm
        self._came_in = BoundedDict[_Label, int](MOST_REMEMBERED)
        self._owed = BoundedDict[PeerId, deque[int]](MOST_REMEMBERED)  # the newest ones
        self._sequence = 0

    def note(self, received: Iterable[PeerRollout]) -> None:
        """These groups came, in these envelopes."""
        for one in received:
            self._came_in[_label(one.group)] = one.sequence

    def learnt(self, groups: Iterable[RolloutGroup]) -> None:
        """An update trained on these groups of others."""
        for group in groups:
            sequence = self._came_in.pop(_label(group), None)
            if sequence is not None:
                owed = self._owed.setdefault(group.author, deque(maxlen=MAX_RECEIPT_GROUPS))
                owed.append(sequence)

    def write(self, now: float, asked: Collection[PeerId] = ()) -> dict[PeerId, bytes]:
        """A receipt for each author that is owed one, at ``now`` (unix seconds).

        They are owed until ``delivered``. Those who are ``asked`` come first: of the others nobody
        knows whether they are there to be thanked, and there is room for so many only.
        """
        authors = sorted(self._owed, key=lambda author: author not in asked)
        authors = authors[:MAX_EXCHANGE_RECEIPTS]
        return {author: self._seal(author, self._owed[author], now) for author in authors}

    def delivered(self, authors: Iterable[PeerId]) -> None:
        """Somebody has the receipts that were written for these authors now."""
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


class ReceiptReader:
    """Believes receipts that are signed, new, of learners who were met, and about own envelopes."""

    def __init__(
        self,
        own: PeerId,
        swarm: str,
        was_sent: Callable[[int], bool],
        contacts: Contacts,
        is_blocked: Callable[[PeerId], bool] = lambda _: False,
    ) -> None:
        """``was_sent`` tells whether an envelope of that sequence was sealed here."""
        self.rejected: Counter[str] = Counter()  # by reason
        self._own = bytes.fromhex(own)
        self._swarm = swarm
        self._was_sent = was_sent
        self._contacts = contacts
        self._is_blocked = is_blocked
        self._seen = BoundedDict[tuple[bytes, int], None](MOST_REMEMBERED)
        self._day = 0  # since 1970
        self._counted: set[PeerId] = set()  # learners of that day
        self._counts: Counter[tuple[str, ...]] = Counter()  # of them, by origin and by place

    def read(self, receipts: Iterable[bytes], now: float) -> list[GoodReceipt]:
        """The good ones among ``receipts``, still sealed, at ``now`` (unix seconds)."""
        opened = []
        for data in receipts:
            try:
                opened.append(open_receipt(data, self._swarm, now))
            except WireError as error:
                self.rejected[error.reason] += 1
        return self.believe(opened, now)

    def believe(self, receipts: Iterable[Receipt], now: float) -> list[GoodReceipt]:
        """The good ones among ``receipts`` whose signature was checked, each once."""
        if self._day != now // _DAY_S:
            self._day = int(now // _DAY_S)
            self._counted.clear()
            self._counts.clear()
        good = []
        for receipt in receipts:
            try:
                good.append(self._check(receipt))
            except WireError as error:
                self.rejected[error.reason] += 1
        return good

    def _check(self, receipt: Receipt) -> GoodReceipt:
        if receipt.author != self._own:
            raise WireError(Reason.SIGNATURE, "for somebody else")
        learner = PeerId(receipt.learner.hex())
        if self._is_blocked(learner):
            raise WireError(BLOCKED)
        label = (receipt.learner, receipt.sequence)
        if label in self._seen:
            raise WireError(Reason.REPLAYED)
        if not all(self._was_sent(sequence) for sequence in receipt.groups):
            raise WireError(Reason.DIGEST, "about envelopes that were never sent")
        self._admit(learner)
        self._seen[label] = None
        return GoodReceipt(learner, tuple(dict.fromkeys(receipt.groups)))

    def _admit(self, learner: PeerId) -> None:
        """Count ``learner`` where it was met, once a day.

        Raises:
            WireError: it was not met, or too many of its place or origin were counted today.
        """
        if learner in self._counted:
            return
        at = self._contacts.find(learner)
        if at is None:
            raise WireError(UNMET)
        origin, place = (at.origin,), (at.origin, at.place)
        if self._counts[origin] >= ORIGIN_LEARNERS or self._counts[place] >= PLACE_LEARNERS:
            raise WireError(CROWD)
        self._counted.add(learner)
        self._counts.update((origin, place))


class ReceiptStore:
    """Writes down what a ``ReceiptReader`` believes."""

    def __init__(self, reader: ReceiptReader, log: ReceiptLog) -> None:
        """Errors of the disk are logged, and raised no further."""
        self.learners = 0  # nodes that said to have learnt from this one, since it was born
        self._reader = reader
        self._log = log
        with tolerated():
            self.learners = log.learners

    def read(self, receipts: Iterable[bytes], now: float) -> None:
        """Write down the good ones of sealed ``receipts``; see ``ReceiptReader.read``."""
        with tolerated():
            self._write(self._reader.read(receipts, now), now)

    def believe(self, receipts: Iterable[Receipt], now: float) -> None:
        """Write down the good ones of opened ``receipts``; see ``ReceiptReader.believe``."""
        with tolerated():
            self._write(self._reader.believe(receipts, now), now)

    def _write(self, thanks: list[GoodReceipt], now: float) -> None:
        for one in thanks:
            self._log.thank(one.learner, one.sequences, now)
        if thanks:
            self.learners = self._log.learners


@dataclass(frozen=True, slots=True)
class Delivery:
    """A receipt that its learner brought to this node directly."""

    receipt: Receipt
    place: str  # of the learner, see ``core.net.limits.place_of``


def _label(group: RolloutGroup) -> _Label:
    return group.author, group.round, group.key, group.digest
