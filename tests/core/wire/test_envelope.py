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
from core.wire.codec import MAX_ENVELOPE_BYTES, Reason
from core.wire.envelope import DOMAIN, open_envelope, seal
from tests.envelopes import (
    ANNE,
    BOB,
    NOW,
    PLAIN_PAYLOAD,
    RULESET,
    SWARM,
    group,
    hostile_envelopes,
    plain_header,
    sealed,
    signed,
    stamp,
)


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
    header = ["head", 2, *plain_header(ANNE, 1)[2:]]
    assert refusal(signed(ANNE, header, PLAIN_PAYLOAD)) == Reason.VERSION


def test_size_is_checked_before_anything_else() -> None:
    """An oversized envelope costs nothing to refuse, and is not made in the first place."""
    assert refusal(b"\x00" * (MAX_ENVELOPE_BYTES + 1)) == Reason.SIZE
    with pytest.raises(WireError) as error:
        sealed(ANNE, 1, texts=("x" * 8_000,) * 9)
    assert error.value.reason == Reason.SIZE


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
def test_a_wrong_stamp_is_not_sealed(wrong: object) -> None:
    """What no peer would accept is not sent."""
    from core.wire.envelope import Stamp

    assert isinstance(wrong, Stamp)
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
