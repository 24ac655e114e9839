"""The payload of one group <-> bytes, and every limit of the protocol.

====================================  ==========  =================================================
limit                                 value       constant
====================================  ==========  =================================================
bytes per envelope                    65,536      MAX_ENVELOPE_BYTES
completions per group                 2 to 32     MIN_COMPLETIONS, MAX_COMPLETIONS
characters per completion             8,192       MAX_COMPLETION_CHARS
characters of a swarm's name          1 to 40     SwarmName
characters of a task's name           1 to 64     TaskName
characters of a model's name          1 to 140    ModelName
characters of a ruleset               1 to 64     RulesetName
level                                 1 to 99     Level
seed, index                           0 to 2³²-1  Word32
round                                 1 to 2³²-1  RoundNumber
slot (place within the round)         0 to 1,023  Slot
sequence                              0 to 2⁶³-1  Sequence63; each one of an author is taken once
clock window, to either side          600 s       CLOCK_WINDOW_S
life of an item at a hub              600 s       ITEM_LIFE_S
memory of an author's sequences       1,260 s     REPLAY_MEMORY_S; both sides of the window
envelopes per exchange, each way      64          MAX_EXCHANGE_ENVELOPES
bytes per exchange, each way          4,238,848   MAX_EXCHANGE_BYTES
items kept per author and place       128         AUTHOR_SLOTS; the newest stay
envelopes per author and address      8/s, 128    AUTHOR_RATE: refill, burst at a hub
envelopes per address                 128/s, 1024 ADDRESS_ENVELOPE_RATE: at a hub; IPv6: per /64
exchanges per address                 10/s, 60    ADDRESS_EXCHANGE_RATE: the same
dial-backs per address                0.1/s, 6    DIALBACK_RATE: at a hub
living author-swarm pairs per address 64          SITE_AUTHORS: at a hub; IPv6: per /64
living author-swarm pairs per network 256         NETWORK_AUTHORS: at a hub; IPv4 /24, IPv6 /48
sites that an IPv6 /48 counts as      4           NETWORK_SITES: in every rate per address
receipts kept per author              64          AUTHOR_NOTES: at a hub; one of each learner
bytes of a place's label              8           PLACE_BYTES
peers that a hub may claim            0 to 10⁹    PeerCount
receipts per exchange, each way       64          MAX_EXCHANGE_RECEIPTS
groups per receipt                    1 to 32     MAX_RECEIPT_GROUPS
bytes per receipt                     600         MAX_RECEIPT_BYTES
bytes per hello                       2,048       MAX_HELLO_BYTES
swarms named in a hello               16          MAX_SWARMS_IN_HELLO
characters of a hub's address         300         MAX_URL_CHARS
bytes per direct request              65,536      MAX_PULL_BYTES
bytes per dial-back, each way         256         MAX_DIALBACK_BYTES
characters of an invite's link        2,000       MAX_LINK_CHARS
hubs named in an invite               8           MAX_HUBS_IN_INVITE
decks named in an invite              8           MAX_DECKS_IN_INVITE
bytes per deck                        8,000,000   MAX_DECK_BYTES
bytes per deck at a hub               8,130,560   MAX_PACKED_DECK_BYTES: padded and sealed
life of a deck at a hub               2,592,000   DECK_LIFE_S: seconds since it was asked for
decks left per address                0.02/s, 32  DECK_PUT_RATE: at a hub
decks asked for per address           2/s, 256    DECK_GET_RATE: the same
====================================  ==========  =================================================

What only a hub's owner pays for (bytes stored, connections, seconds to read a body) is set in
``core.hub.store.StoreLimits``, ``core.hub.decks.DeckLimits`` and ``core.hub.server.HubLimits``.
"""

from enum import StrEnum
from typing import Annotated, NamedTuple, TypeVar

import msgspec
from msgspec import Meta

from core.decks.limits import MAX_DECK_BYTES
from core.errors import WireError
from core.rollouts.types import Completion, ModelId, PeerId, PuzzleKey, RolloutGroup, TaskId
from core.settings import SWARM

MAX_ENVELOPE_BYTES = 1 << 16
MIN_COMPLETIONS = 2  # a single one has no advantage over itself
MAX_COMPLETIONS = 32
MAX_COMPLETION_CHARS = 8_192
CLOCK_WINDOW_S = 600
ITEM_LIFE_S = 600
REPLAY_MEMORY_S = 2 * CLOCK_WINDOW_S + 60
MAX_EXCHANGE_ENVELOPES = 64
MAX_EXCHANGE_RECEIPTS = 64
MAX_RECEIPT_GROUPS = 32
MAX_RECEIPT_BYTES = 600
MAX_EXCHANGE_BYTES = (
    MAX_EXCHANGE_ENVELOPES * (MAX_ENVELOPE_BYTES + 16)
    + MAX_EXCHANGE_RECEIPTS * (MAX_RECEIPT_BYTES + 16)
    + 4_096
)
MAX_HELLO_BYTES = 2_048
MAX_SWARMS_IN_HELLO = 16
MAX_URL_CHARS = 300
MAX_PULL_BYTES = 1 << 16
MAX_DIALBACK_BYTES = 256
PLACE_BYTES = 8
MAX_LINK_CHARS = 2_000
MAX_HUBS_IN_INVITE = 8
MAX_DECKS_IN_INVITE = 8
MAX_PACKED_DECK_BYTES = MAX_DECK_BYTES + 130_560  # what padding adds at most, and sealing
DECK_LIFE_S = 30 * 86_400
AUTHOR_SLOTS = 128


class Rate(NamedTuple):
    """A token bucket: ``burst`` at once, then ``per_second``."""

    per_second: float
    burst: int


AUTHOR_RATE = Rate(8, 128)
ADDRESS_ENVELOPE_RATE = Rate(128, 1_024)
ADDRESS_EXCHANGE_RATE = Rate(10, 60)
DIALBACK_RATE = Rate(0.1, 6)
DECK_PUT_RATE = Rate(0.02, 32)
DECK_GET_RATE = Rate(2, 256)  # a class behind one address may come at once
SITE_AUTHORS = 64
NETWORK_AUTHORS = 256
NETWORK_SITES = 4
AUTHOR_NOTES = 64

# \Z and not $, which would let a final newline through.
SwarmName = Annotated[str, Meta(pattern=rf"^{SWARM}\Z")]
TaskName = Annotated[str, Meta(max_length=64, pattern=r"^[a-z0-9_]+\Z")]
ModelName = Annotated[str, Meta(max_length=140, pattern=r"^[A-Za-z0-9][A-Za-z0-9._/+-]*\Z")]
RulesetName = Annotated[str, Meta(max_length=64, pattern=r"^[!-~][ -~]*\Z")]
Digest = Annotated[str, Meta(max_length=16, pattern=r"^[0-9a-f]{16}\Z")]
Level = Annotated[int, Meta(ge=1, le=99)]
Word32 = Annotated[int, Meta(ge=0, le=2**32 - 1)]
RoundNumber = Annotated[int, Meta(ge=1, le=2**32 - 1)]
Slot = Annotated[int, Meta(ge=0, le=1_023)]
Sequence63 = Annotated[int, Meta(ge=0, le=2**63 - 1)]
UnixSeconds = Annotated[int, Meta(ge=0, le=2**40)]
PeerCount = Annotated[int, Meta(ge=0, le=10**9)]
ProtocolVersion = Annotated[int, Meta(ge=0, le=2**16)]
Bytes32 = Annotated[bytes, Meta(min_length=32, max_length=32)]
Bytes64 = Annotated[bytes, Meta(min_length=64, max_length=64)]

PROTOCOL = 2
"""The version that every signed statement names."""


class Reason(StrEnum):
    """Why bytes of a stranger were refused; short and stable, to be counted."""

    SIZE = "size"  # more bytes or items than a limit allows
    SCHEMA = "schema"  # no valid message: not msgpack, wrong type, range, pattern or UTF-8
    VERSION = "version"  # of another protocol
    SWARM = "swarm"  # signed for another swarm
    CLOCK = "clock"  # made too long ago, or in the future
    DIGEST = "digest"  # the payload is not the one that the header was signed for
    SIGNATURE = "signature"  # not signed by the author that it names
    RULESET = "ruleset"  # about puzzles of another release
    OWN = "own"  # came back to its author
    REPLAYED = "replayed"  # this author's sequence number was seen before
    RATE = "rate"  # sent faster than allowed
    MEMBER = "member"  # of somebody who does not know the private swarm's secret


class WireMessage(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Base of all that travels: a msgpack array of fixed length and order, its tag first."""


class _Attempt(WireMessage, frozen=True, tag="try"):
    """One completion."""

    text: Annotated[str, Meta(max_length=MAX_COMPLETION_CHARS)]
    ended: bool


class _Payload(WireMessage, frozen=True, tag="group"):
    """One group; author and round stand in the header."""

    ruleset: RulesetName
    task: TaskName
    level: Level
    seed: Word32
    index: Word32
    digest: Digest
    model: ModelName
    completions: Annotated[
        tuple[_Attempt, ...], Meta(min_length=MIN_COMPLETIONS, max_length=MAX_COMPLETIONS)
    ]


_M = TypeVar("_M", bound=WireMessage)
_encoder = msgspec.msgpack.Encoder()
_payloads = msgspec.msgpack.Decoder(_Payload)


def encode_group(group: RolloutGroup, ruleset: str) -> bytes:
    """The payload of ``group``; token ids and log-probs stay here.

    Raises:
        WireError: the group breaks a limit, so that no peer would accept it.
    """
    payload = _Payload(
        ruleset,
        group.key.task,
        group.key.level,
        group.key.seed,
        group.key.index,
        group.digest,
        group.model,
        tuple(_Attempt(completion.text, completion.ended) for completion in group.completions),
    )
    data = encode(payload)
    decode(_payloads, data)  # what peers would refuse is better refused here
    return data


def decode_group(data: bytes, author: PeerId, round_number: int) -> tuple[str, RolloutGroup]:
    """Ruleset and group of a payload, for the author and round that its header names.

    Raises:
        WireError: ``data`` is no valid payload.
    """
    payload = decode(_payloads, data)
    key = PuzzleKey(TaskId(payload.task), payload.level, payload.seed, payload.index)
    attempts = tuple(Completion(attempt.text, attempt.ended) for attempt in payload.completions)
    model = ModelId(payload.model)
    return payload.ruleset, RolloutGroup(key, payload.digest, author, model, round_number, attempts)


def encode(message: WireMessage) -> bytes:
    """Encode a message as msgpack.

    Raises:
        WireError: a text of it is not valid Unicode.
    """
    try:
        return _encoder.encode(message)
    except (UnicodeEncodeError, OverflowError) as error:
        raise WireError(Reason.SCHEMA, str(error)) from error


def decode(
    decoder: msgspec.msgpack.Decoder[_M], data: bytes, most_bytes: int = MAX_EXCHANGE_BYTES
) -> _M:
    """Read one message; size, types, ranges, lengths, patterns and UTF-8 are all checked.

    Raises:
        WireError: ``data`` is larger than ``most_bytes``, or not exactly one valid message.
    """
    if len(data) > most_bytes:
        raise WireError(Reason.SIZE, f"{len(data)} bytes")
    try:
        return decoder.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise WireError(Reason.SCHEMA, str(error)) from error


def check_fresh(version: int, time: int, now: float) -> None:
    """Check that a statement of ``version``, signed at ``time``, is of ``now`` (unix seconds).

    Raises:
        WireError: it is of another version, too old, or from the future.
    """
    if version != PROTOCOL:
        raise WireError(Reason.VERSION, str(version))
    if abs(now - time) > CLOCK_WINDOW_S:
        raise WireError(Reason.CLOCK, f"{time - now:+.0f} s")
