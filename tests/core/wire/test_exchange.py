"""Requests and replies between node and hub."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import WireError
from core.wire.codec import (
    MAX_ENVELOPE_BYTES,
    MAX_EXCHANGE_BYTES,
    MAX_RECEIPT_BYTES,
    Reason,
    encode,
)
from core.wire.exchange import (
    ExchangeReply,
    ExchangeRequest,
    MembershipProof,
    decode_reply,
    decode_request,
)
from tests.envelopes import cut, refused_for

batches = st.lists(st.binary(max_size=40), max_size=64).map(tuple)
memberships = st.none() | st.builds(
    MembershipProof, st.binary(min_size=32, max_size=32), st.binary(min_size=64, max_size=64)
)


@given(batches, batches, memberships, st.none() | st.floats(0, 1))
def test_a_request_survives_the_journey(
    sent: tuple[bytes, ...],
    receipts: tuple[bytes, ...],
    membership: MembershipProof | None,
    score: float | None,
) -> None:
    """Whatever is within the limits arrives as it left."""
    request = ExchangeRequest(b"a" * 32, len(sent), sent, receipts, membership, score)
    assert decode_request(encode(request)) == request


@given(
    st.integers(0, 10**9), st.lists(st.text(max_size=32), max_size=64).map(tuple), batches, batches
)
def test_a_reply_survives_the_journey(
    peers: int, verdicts: tuple[str, ...], sent: tuple[bytes, ...], receipts: tuple[bytes, ...]
) -> None:
    """Whatever is within the limits arrives as it left."""
    reply = ExchangeReply(peers, verdicts, sent, receipts)
    assert decode_reply(encode(reply)) == reply


@given(st.binary(max_size=500))
def test_random_bytes_are_refused_quietly(data: bytes) -> None:
    """Nothing but ``WireError`` comes out of reading what a stranger sent."""
    for decode in (decode_request, decode_reply):
        with pytest.raises(WireError):
            decode(data)


@pytest.mark.parametrize(
    "fields",
    [
        ["tell", b"a" * 32, 1, []],
        ["ask", b"a" * 31, 1, []],
        ["ask", b"a" * 32, -1, []],
        ["ask", b"a" * 32, 65, []],
        ["ask", b"a" * 32, 1, [b""] * 65],
        ["ask", b"a" * 32, 1, ["text"]],
        ["ask", b"a" * 32, 1, [], "more"],
        ["ask", b"a" * 32, 1],
        ["ask", b"a" * 32, 1, [], [b""] * 65],
        ["ask", b"a" * 32, 1, [], [b"x" * 601]],
        ["ask", b"a" * 32, 1, [], ["text"]],
        ["ask", b"a" * 32, 1, [], None],
        ["ask", b"a" * 32, 1, [], [], [b"k" * 32, b"p" * 64]],
        ["ask", b"a" * 32, 1, [], [], ["member", b"k" * 31, b"p" * 64]],
        ["ask", b"a" * 32, 1, [], [], ["member", b"k" * 32, b"p" * 63]],
        ["ask", b"a" * 32, 1, [], [], ["member", b"k" * 32, b"p" * 64, 1]],
        ["ask", b"a" * 32, 1, [], [], False],
        ["ask", b"a" * 32, 1, [], [], None, -0.1],
        ["ask", b"a" * 32, 1, [], [], None, 1.1],
        ["ask", b"a" * 32, 1, [], [], None, float("nan")],
        ["ask", b"a" * 32, 1, [], [], None, float("inf")],
        ["ask", b"a" * 32, 1, [], [], None, True],
        ["ask", b"a" * 32, 1, [], [], None, "0.5"],
        ["ask", b"a" * 32, 1, [], [], None, 0.5, 1],
    ],
)
def test_every_field_of_a_request_has_its_rule(fields: list[object]) -> None:
    """One wrong value is enough."""
    with refused_for(Reason.SCHEMA):
        decode_request(msgspec.msgpack.encode(fields))


@pytest.mark.parametrize(
    "fields",
    [
        ["ask", 5, [], []],
        ["tell", -1, [], []],
        ["tell", 10**9 + 1, [], []],
        ["tell", 5, ["ok"] * 65, []],
        ["tell", 5, ["o" * 33], []],
        ["tell", 5, [b"ok"], []],
        ["tell", 5, [], [b""] * 65],
        ["tell", 5, []],
        ["tell", 5, [], [], [b""] * 65],
        ["tell", 5, [], [], [b"x" * 601]],
        ["tell", 5, [], [], [], 1],
    ],
)
def test_every_field_of_a_reply_has_its_rule(fields: list[object]) -> None:
    """One wrong value is enough."""
    with refused_for(Reason.SCHEMA):
        decode_reply(msgspec.msgpack.encode(fields))


def test_what_few_need_may_be_left_out() -> None:
    """Receipts, membership and score stand at the end; without them a message is a whole one."""
    asked = ["ask", b"a" * 32, 1, [], [b"receipt"]]
    request = ExchangeRequest(b"a" * 32, 1, (), (b"receipt",))
    assert decode_request(msgspec.msgpack.encode(asked)) == request
    assert decode_request(msgspec.msgpack.encode(asked[:4])).receipts == ()
    assert decode_reply(msgspec.msgpack.encode(["tell", 5, [], []])) == ExchangeReply(5, (), ())


def test_every_cut_is_noticed() -> None:
    """A truncated or lengthened message is refused, not read as a shorter one."""
    membership = MembershipProof(b"k" * 32, b"p" * 64)
    request = ExchangeRequest(b"a" * 32, 8, (b"one", b"two"), (b"receipt",), membership, 0.5)
    for data in cut(encode(request)):
        with pytest.raises(WireError):
            decode_request(data)
    for data in cut(encode(ExchangeReply(5, ("ok",), (b"one",), (b"receipt",)))):
        with pytest.raises(WireError):
            decode_reply(data)


@pytest.mark.parametrize(
    "data",
    [
        b"\xdd\xff\xff\xff\xff",
        b"\x94\xa3ask\xc4\x20" + b"a" * 32 + b"\x01\xdd\xff\xff\xff\xff",
        b"\x94\xa3ask\xc6\xff\xff\xff\xff",
    ],
)
def test_a_claimed_length_is_not_believed(data: bytes) -> None:
    """Four billion announced items are refused before room is made for them."""
    with pytest.raises(WireError):
        decode_request(data)


def test_size_is_checked_before_anything_else() -> None:
    """Too many bytes are refused unread."""
    for decode in (decode_request, decode_reply):
        with refused_for(Reason.SIZE):
            decode(bytes(MAX_EXCHANGE_BYTES + 1))


def test_the_largest_exchange_fits_its_limit() -> None:
    """Full counts of full sizes are within the bytes allowed, so the limits agree."""
    envelopes = (bytes(MAX_ENVELOPE_BYTES),) * 64
    receipts = (bytes(MAX_RECEIPT_BYTES),) * 64
    membership = MembershipProof(b"k" * 32, b"p" * 64)
    request = ExchangeRequest(b"a" * 32, 64, envelopes, receipts, membership, 0.5)
    assert decode_request(encode(request)) == request
    reply = ExchangeReply(10**9, ("v" * 32,) * 64, envelopes, receipts)
    assert decode_reply(encode(reply)) == reply


@given(st.integers(0, 4), st.integers(0, 6))
def test_a_reply_has_a_label_for_everything_or_for_nothing(envelopes: int, places: int) -> None:
    """The asker's place and each envelope's; of eight bytes each."""
    reply = ExchangeReply(1, (), (b"x",) * envelopes, (), (b"12345678",) * places)
    data = encode(reply)
    if places in (0, 1 + envelopes):
        assert decode_reply(data) == reply
        return
    with pytest.raises(WireError):
        decode_reply(data)


@pytest.mark.parametrize("label", [b"", b"1234567", b"123456789"])
def test_a_label_has_eight_bytes(label: bytes) -> None:
    """So that a reply is bounded."""
    with pytest.raises(WireError):
        decode_reply(encode(ExchangeReply(1, (), (), (), (label,))))
