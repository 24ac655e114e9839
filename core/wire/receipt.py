"""Receipts for groups learnt from: courtesy among nodes, signed so that none speaks for another.

A learner names the envelopes of one author that its last update trained on. Hubs keep the newest
receipts of every author for a few minutes and hand them out with the author's next exchange.
"""

from typing import Annotated

from msgspec import Meta

from core.errors import WireError
from core.wire import codec
from core.wire.signed import SignedKind

DOMAIN = b"waggle/receipt/1\x00"


class Receipt(codec.WireMessage, frozen=True, tag="learnt"):
    """``learner`` trained on these envelopes of ``author``."""

    version: codec.ProtocolVersion
    swarm: codec.SwarmName
    learner: codec.Bytes32
    author: codec.Bytes32
    sequence: codec.Sequence63  # grows with every receipt of a learner
    time: codec.UnixSeconds
    groups: Annotated[  # sequence numbers of the author's envelopes
        tuple[codec.Sequence63, ...], Meta(min_length=1, max_length=codec.MAX_RECEIPT_GROUPS)
    ]


_kind = SignedKind(Receipt, DOMAIN, codec.MAX_RECEIPT_BYTES)
seal_receipt = _kind.seal
"""Signs a ``Receipt`` as its learner; raises WireError where that breaks a limit."""


def open_receipt(data: bytes, swarm: str, now: float) -> Receipt:
    """Check everything about a receipt, but whether its groups exist.

    Raises:
        WireError: it is malformed, of another version or swarm, too old or from the future at
            ``now`` (unix seconds), about the learner's own groups, or not signed by the learner.
    """
    receipt, body, signature = _kind.read(data)
    if receipt.swarm != swarm:
        raise WireError(codec.Reason.SWARM, receipt.swarm)
    codec.check_fresh(receipt.version, receipt.time, now)
    if receipt.learner == receipt.author:
        raise WireError(codec.Reason.OWN)
    _kind.check(receipt.learner, body, signature)
    return receipt
