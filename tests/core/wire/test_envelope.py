"""Envelopes: what was sealed can be checked by anybody and altered by nobody."""

import hashlib
from dataclasses import replace
from itertools import islice
from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import WireError
from core.wire.codec import MAX_ENVELOPE_BYTES, PROTOCOL, Reason
from core.wire.envelope import DOMAIN, Envelope, Stamp, open_envelope, open_own, seal
from core.wire.identity import Identity
from core.wire.secrecy import SwarmKeys
from tests.envelopes import (
    ANNE,
    BOB,
    KEYS,
    NOW,
    OTHER_KEYS,
    PLAIN_PAYLOAD,
    RULESET,
    SWARM,
    cut,
    flipped,
    group,
    hostile_envelopes,
    plain_header,
    refused_for,
    sealed,
    sealed_privately,
    signed,
    stamp,
)

PRIVATE = KEYS.swarm


def refusal(data: bytes, swarm: str = SWARM, now: float = NOW) -> str:
    """Why ``data`` is refused, envelope and payload."""
    with pytest.raises(WireError) as error:
        open_envelope(data, swarm, now).read()
    return error.value.reason


@given(
    st.integers(1, 2**32 - 1),
    st.integers(0, 1_023),
    st.integers(0, 2**63 - 1),
    st.lists(st.text(max_size=50), min_size=2, max_size=8).map(tuple),
)
def test_a_sealed_group_opens_as_it_was(
    number: int, slot: int, sequence: int, texts: tuple[str, ...]
) -> None:
    """Group, author, ruleset and stamp arrive; the bytes to hand on are those that came."""
    own = replace(group(ANNE.peer_id, 1, texts), round=number)
    data = seal(ANNE, own, replace(stamp(sequence), slot=slot))
    envelope = open_envelope(data, SWARM, NOW)
    assert envelope.read() == (RULESET, own)
    assert envelope.data == data
    assert envelope.author == ANNE.peer_id
    assert (envelope.header.slot, envelope.header.sequence) == (slot, sequence)


def test_every_flipped_bit_is_noticed() -> None:
    """No byte of an envelope is free to be changed."""
    data = sealed(ANNE, 1)
    for place in range(len(data)):
        altered = bytearray(data)
        altered[place] ^= 1
        refusal(bytes(altered))


def test_every_cut_is_noticed() -> None:
    """A truncated or lengthened envelope is refused."""
    data = sealed(ANNE, 1)
    for length in range(len(data)):
        refusal(data[:length])
    refusal(data + b"\xc0")


@given(st.binary(max_size=3_000))
def test_random_bytes_are_refused_quietly(data: bytes) -> None:
    """Nothing but ``WireError`` comes out of opening what a stranger sent."""
    refusal(data)


@given(st.binary(max_size=300), st.binary(max_size=64), st.binary(max_size=300))
def test_random_contents_are_refused_quietly(head: bytes, signature: bytes, body: bytes) -> None:
    """The same for bytes that look like an envelope from outside."""
    refusal(msgspec.msgpack.encode(["seal", head, signature.ljust(64, b"\0"), body]))


@given(st.binary(max_size=300))
def test_signed_nonsense_is_refused_quietly(payload: bytes) -> None:
    """The same for bytes that their author did sign."""
    head = msgspec.msgpack.encode([*plain_header(ANNE, 1), hashlib.sha256(payload).digest()])
    data = msgspec.msgpack.encode(["seal", head, ANNE.sign(DOMAIN + head), payload])
    assert refusal(data) == Reason.SCHEMA


def test_only_the_author_can_sign_for_the_author() -> None:
    """Bob's signature under Anne's name is none."""
    header = [*plain_header(BOB, 1)[:3], bytes.fromhex(ANNE.peer_id), *plain_header(BOB, 1)[4:]]
    assert refusal(signed(BOB, header, PLAIN_PAYLOAD)) == Reason.SIGNATURE


def test_a_signature_means_nothing_without_its_domain() -> None:
    """What a node signs for another purpose cannot be passed off as an envelope."""
    body = msgspec.msgpack.encode(PLAIN_PAYLOAD)
    head = msgspec.msgpack.encode([*plain_header(ANNE, 1), hashlib.sha256(body).digest()])
    for message in (head, b"waggle/receipt/1\x00" + head):
        data = msgspec.msgpack.encode(["seal", head, ANNE.sign(message), body])
        assert refusal(data) == Reason.SIGNATURE


def test_another_payload_under_a_right_header_is_refused() -> None:
    """The header vouches for one payload only."""
    mine = msgspec.msgpack.decode(sealed(ANNE, 1, texts=("1", "2")))
    other = msgspec.msgpack.decode(sealed(ANNE, 2, texts=("3", "4")))
    assert refusal(msgspec.msgpack.encode([*mine[:3], other[3]])) == Reason.DIGEST


@pytest.mark.parametrize(("age", "fine"), [(600, True), (-600, True), (601, False), (-601, False)])
def test_clocks_may_differ_by_ten_minutes(age: float, *, fine: bool) -> None:
    """Within the window an envelope is taken, outside it refused, to either side."""
    data = sealed(ANNE, 1, NOW - age)
    if fine:
        assert open_envelope(data, SWARM, NOW).author == ANNE.peer_id
    else:
        assert refusal(data) == Reason.CLOCK


def test_an_envelope_is_for_one_swarm_and_one_version() -> None:
    """Nobody carries envelopes over into a swarm that they were not made for."""
    assert refusal(sealed(ANNE, 1), swarm="orchard") == Reason.SWARM
    header = ["head", PROTOCOL - 1, *plain_header(ANNE, 1)[2:]]
    assert refusal(signed(ANNE, header, PLAIN_PAYLOAD)) == Reason.VERSION


def test_size_is_checked_before_anything_else() -> None:
    """An oversized envelope costs nothing to refuse, and is not made in the first place."""
    assert refusal(b"\x00" * (MAX_ENVELOPE_BYTES + 1)) == Reason.SIZE
    with refused_for(Reason.SIZE):
        sealed(ANNE, 1, texts=("x" * 8_000,) * 9)


@pytest.mark.parametrize(
    "wrong",
    [
        replace(stamp(1), swarm="No Such Swarm"),
        replace(stamp(1), swarm="meadow\n"),
        replace(stamp(1), slot=1_024),
        replace(stamp(1), sequence=-1),
        replace(stamp(1), sequence=2**64),
        replace(stamp(1), time=-1.0),
    ],
)
def test_a_wrong_stamp_is_not_sealed(wrong: Stamp) -> None:
    """What no peer would accept is not sent."""
    with pytest.raises(WireError):
        seal(ANNE, group(ANNE.peer_id), wrong)


def test_the_hostile_corpus_is_refused_for_many_reasons() -> None:
    """All kinds of bad envelopes are refused, and the reasons tell them apart."""
    reasons = {refusal(data) for data in islice(hostile_envelopes(BOB, Random(1)), 480)}
    assert reasons >= {
        Reason.SIZE,
        Reason.SCHEMA,
        Reason.VERSION,
        Reason.SWARM,
        Reason.CLOCK,
        Reason.DIGEST,
        Reason.SIGNATURE,
    }


def rewrapped(who: Identity, sequence: int, payload: bytes) -> Envelope:
    """An envelope of the private swarm, rightly signed by ``who`` around ``payload``."""
    header = ["head", PROTOCOL, PRIVATE, *plain_header(who, sequence)[3:], sha256(payload)]
    head = msgspec.msgpack.encode(header)
    data = msgspec.msgpack.encode(["seal", head, who.sign(DOMAIN + head), payload])
    return open_envelope(data, PRIVATE, NOW)


def sha256(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def illegible(envelope: Envelope, keys: SwarmKeys | None = KEYS) -> str:
    """Why ``envelope`` cannot be read."""
    with pytest.raises(WireError) as error:
        envelope.read(keys)
    return error.value.reason


def test_members_read_what_a_hub_cannot() -> None:
    """A hub finds nothing wrong and no word of the group; a member finds the group."""
    envelope = open_envelope(sealed_privately(ANNE, 1), PRIVATE, NOW)
    envelope.check_payload()
    assert RULESET.encode() not in envelope.data
    assert b"adding" not in envelope.data
    assert envelope.read(KEYS) == (RULESET, group(ANNE.peer_id, 1))


def test_strangers_cannot_read_a_private_envelope() -> None:
    """Neither without keys nor with those of another swarm."""
    envelope = open_envelope(sealed_privately(ANNE, 1), PRIVATE, NOW)
    assert illegible(envelope, None) == Reason.MEMBER
    assert illegible(envelope, OTHER_KEYS) == Reason.MEMBER


def test_a_ciphertext_cannot_be_passed_off_as_another_s() -> None:
    """Who wraps Anne's in an envelope of one's own, or Anne's old one anew, is found out."""
    old = open_envelope(sealed_privately(ANNE, 1), PRIVATE, NOW)
    assert rewrapped(ANNE, 1, old.payload).read(KEYS)[1].author == ANNE.peer_id
    assert illegible(rewrapped(BOB, 1, old.payload)) == Reason.MEMBER
    assert illegible(rewrapped(ANNE, 2, old.payload)) == Reason.MEMBER


def test_nothing_is_said_in_the_clear_in_a_private_swarm() -> None:
    """A payload that is no box is refused by hubs and members, as are keys that are missing."""
    payload = msgspec.msgpack.encode(PLAIN_PAYLOAD)
    envelope = rewrapped(ANNE, 1, payload)
    with pytest.raises(WireError) as error:
        envelope.check_payload()
    assert error.value.reason == illegible(envelope) == Reason.SCHEMA
    with refused_for(Reason.MEMBER):
        seal(ANNE, group(ANNE.peer_id), stamp(1, swarm=PRIVATE))


@pytest.mark.parametrize("swarm", [SWARM, OTHER_KEYS.swarm])
def test_keys_seal_for_their_own_swarm_only(swarm: str) -> None:
    """Else nobody there could read it."""
    with refused_for(Reason.SWARM):
        seal(ANNE, group(ANNE.peer_id), replace(stamp(1, swarm=swarm), keys=KEYS))


def test_a_box_in_an_open_swarm_is_refused() -> None:
    """Hubs do not carry what they cannot see to be a group."""
    body: list[object] = ["box", KEYS.encrypt(b"42", bytes.fromhex(ANNE.peer_id), 1)]
    assert refusal(signed(ANNE, plain_header(ANNE, 1), body)) == Reason.SCHEMA


@given(st.binary(max_size=300))
def test_nonsense_of_members_is_refused_quietly(payload: bytes) -> None:
    """Whoever knows the secret can encrypt anything; nothing but ``WireError`` comes of it."""
    box = ["box", KEYS.encrypt(payload, bytes.fromhex(ANNE.peer_id), 1)]
    envelope = rewrapped(ANNE, 1, msgspec.msgpack.encode(box))
    envelope.check_payload()
    assert illegible(envelope) == Reason.MEMBER, "no hub is to blame: it cannot look inside"


@given(st.binary(max_size=300))
def test_random_boxes_are_refused_quietly(sealed_bytes: bytes) -> None:
    """The same for those who do not know it."""
    assert illegible(rewrapped(ANNE, 1, msgspec.msgpack.encode(["box", sealed_bytes]))) == "member"
    with pytest.raises(WireError):
        rewrapped(ANNE, 1, sealed_bytes).check_payload()


def test_every_flipped_bit_of_a_private_envelope_is_noticed() -> None:
    """Encrypted or not, no bit is free to be changed."""
    for altered in flipped(sealed_privately(ANNE, 1)):
        refusal(altered, swarm=PRIVATE)


@pytest.mark.parametrize("sequence", [-1, 2**63, 2**64])
def test_a_wrong_sequence_is_not_sealed_privately(sequence: int) -> None:
    """What no peer would accept is not sent, encrypted or not."""
    with refused_for(Reason.SCHEMA):
        sealed_privately(ANNE, sequence)


def test_an_own_envelope_is_read_again_at_any_time() -> None:
    """What waited here for days is still known for what it is; what is damaged is refused."""
    own = open_own(sealed(ANNE, 7, time=1.0))
    assert (own.author, own.header.sequence) == (ANNE.peer_id, 7)
    assert own.read() == (RULESET, group(ANNE.peer_id, 7))
    for data in (*cut(own.data), b"junk"):
        with refused_for(Reason.SCHEMA):
            open_own(data)


def test_an_envelope_of_any_time_still_has_to_be_signed() -> None:
    """Whoever asks for who wrote it, whenever that was, hears of nobody who did not."""
    old = sealed(ANNE, 1, time=0)
    with pytest.raises(WireError, match=Reason.CLOCK):
        open_envelope(old, SWARM, NOW)
    assert open_envelope(old, SWARM, None).author == ANNE.peer_id
    with pytest.raises(WireError):
        open_envelope(old[:-1] + bytes([old[-1] ^ 1]), SWARM, None)
