"""Groups and envelopes for tests of the wire, the hub and its clients, honest ones and others."""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from core.errors import WireError
from core.rollouts.types import Completion, ModelId, PeerId, PuzzleKey, RolloutGroup, TaskId
from core.wire.codec import MAX_ENVELOPE_BYTES, PROTOCOL, Rate
from core.wire.envelope import DOMAIN, Stamp, seal
from core.wire.identity import Identity
from core.wire.secrecy import SwarmKeys

SWARM = "meadow"
RULESET = "puzzles-1"
NOW = 1_800_000_000.0
UNLIMITED = Rate(1e6, 10**6)  # for tests of other limits


def identity(number: int) -> Identity:
    """The same key for the same number, in every run."""
    seed = hashlib.sha256(b"test identity %d" % number).digest()
    return Identity.of(Ed25519PrivateKey.from_private_bytes(seed))


ANNE, BOB, CAROL = (identity(number) for number in range(3))
KEYS = SwarmKeys(hashlib.sha256(b"test secret").digest())
OTHER_KEYS = SwarmKeys(hashlib.sha256(b"another test secret").digest())


def public_key(who: Identity) -> bytes:
    """The bytes of which a peer id is the hex."""
    return bytes.fromhex(who.peer_id)


def group(author: PeerId, number: int = 1, texts: tuple[str, ...] = ("42", "41")) -> RolloutGroup:
    """What ``author`` tried in round ``number``."""
    key = PuzzleKey(TaskId("adding"), 1, number, 0)
    digest = hashlib.sha256(b"%d" % number).hexdigest()[:16]
    completions = tuple(Completion(text, ended=True) for text in texts)
    return RolloutGroup(key, digest, author, ModelId("spark"), number, completions)


def stamp(sequence: int, time: float = NOW, **changes: str) -> Stamp:
    """A stamp of the test's swarm and ruleset, unless changed."""
    return Stamp(changes.get("swarm", SWARM), changes.get("ruleset", RULESET), 0, sequence, time)


def sealed(
    who: Identity, sequence: int, time: float = NOW, texts: tuple[str, ...] = ("42", "41")
) -> bytes:
    """An honest envelope; the sequence is also its round."""
    return seal(who, group(who.peer_id, sequence, texts), stamp(sequence, time))


def signed(who: Identity, header: list[object], payload: list[object]) -> bytes:
    """An envelope rightly signed over whatever is put in, as only its own author can make it."""
    body = msgspec.msgpack.encode(payload)
    head = msgspec.msgpack.encode([*header, hashlib.sha256(body).digest()])
    return msgspec.msgpack.encode(["seal", head, who.sign(DOMAIN + head), body])


def plain_header(who: Identity, sequence: int, time: float = NOW) -> list[object]:
    """The fields of a right header, but for the digest."""
    return ["head", PROTOCOL, SWARM, bytes.fromhex(who.peer_id), 1, 0, sequence, int(time)]


PLAIN_PAYLOAD: list[object] = [
    "group", RULESET, "adding", 1, 7, 0, "0123456789abcdef", "spark",
    [["try", "42", True], ["try", "41", True]],
]  # fmt: skip


def hostile_envelopes(who: Identity, rng: Random, now: float = NOW) -> Iterator[bytes]:
    """Without end: envelopes that must all be refused, of every kind in turn.

    ``who`` is a key that the hostile node owns, so that rightly signed nonsense is among them.
    """
    sequence = 0
    while True:
        sequence += 1
        good = sealed(who, sequence, now)
        flipped = bytearray(good)
        flipped[rng.randrange(len(good))] ^= 1 << rng.randrange(8)
        header = plain_header(who, sequence, now)
        stranger = [*header[:3], rng.randbytes(32), *header[4:]]
        changed = list(PLAIN_PAYLOAD)
        changed[rng.randrange(len(changed))] = rng.choice([None, -1, "", 2**64 - 1, [], 1.5, b"x"])
        yield bytes(flipped)
        yield good[: rng.randrange(len(good))]
        yield good + b"\x00"
        yield rng.randbytes(rng.randrange(600))
        yield rng.randbytes(MAX_ENVELOPE_BYTES + 1)
        yield signed(who, stranger, PLAIN_PAYLOAD)
        yield signed(who, header, [*PLAIN_PAYLOAD, "answer=42"])
        yield signed(who, [*header, "reward=1"], PLAIN_PAYLOAD)
        yield signed(who, header, changed)
        yield signed(who, header, [*PLAIN_PAYLOAD[:-1], [["try", "42", True]] * 33])
        yield signed(who, header, [*PLAIN_PAYLOAD[:-1], [["try", "4" * 8_193, True]] * 2])
        yield sealed(who, sequence, now + rng.choice([-1, 1]) * rng.uniform(602, 1e6))
        yield seal(who, group(who.peer_id, 1), stamp(sequence, now, swarm="another"))
        yield signed(who, ["head", PROTOCOL + 1, *header[2:]], PLAIN_PAYLOAD)
        yield b"\xdd\xff\xff\xff\xff" * rng.randrange(1, 50)
        yield b"\x91" * rng.randrange(1, 60_000)


def sealed_privately(who: Identity, sequence: int, keys: SwarmKeys = KEYS) -> bytes:
    """An honest envelope of a private swarm; the sequence is also its round."""
    own = Stamp(keys.swarm, RULESET, 0, sequence, NOW, keys)
    return seal(who, group(who.peer_id, sequence), own)


def signed_statement(who: Identity, domain: bytes, statement: object) -> bytes:
    """A statement rightly signed, whatever it says and whomever it names."""
    body = msgspec.msgpack.encode(statement)
    return msgspec.msgpack.encode(["signed", body, who.sign(domain + body)])


def flipped(data: bytes) -> Iterator[bytes]:
    """``data`` with one bit flipped, for every bit in turn."""
    for bit in range(8 * len(data)):
        altered = bytearray(data)
        altered[bit // 8] ^= 1 << bit % 8
        yield bytes(altered)


def cut(data: bytes) -> Iterator[bytes]:
    """``data`` ended early, at every place in turn, and ``data`` with more behind it."""
    for length in range(len(data)):
        yield data[:length]
    yield data + b"\xc0"


@contextmanager
def refused_for(reason: str) -> Iterator[None]:
    """What is done within the block is refused for that reason."""
    with pytest.raises(WireError) as refusal:
        yield
    assert refusal.value.reason == reason


class FakeClock:
    """Time that passes when told to."""

    def __init__(self, now: float = NOW) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now

    def advance(self, seconds: float) -> None:
        self.now += seconds
