"""Requests and replies between node and hub."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import WireError
from core.wire.codec import MAX_EXCHANGE_BYTES, Reason
from core.wire.exchange import (
    ExchangeReply,
    ExchangeRequest,
    decode_reply,
    decode_request,
    encode_exchange,
)

batches = st.lists(st.binary(max_size=40), max_size=64).map(tuple)


@given(st.binary(min_size=32, max_size=32), st.integers(0, 64), batches)
def test_a_request_survives_the_journey(author: bytes, want: int, sent: tuple[bytes, ...]) -> None:
    """Whatever is within the limits arrives as it left."""
    request = ExchangeRequest(author, want, sent)
    assert decode_request(encode_exchange(request)) == request


@given(st.integers(0, 10**9), st.lists(st.text(max_size=32), max_size=64).map(tuple), batches)
def test_a_reply_survives_the_journey(
    peers: int, verdicts: tuple[str, ...], sent: tuple[bytes, ...]
) -> None:
    """Whatever is within the limits arrives as it left."""
    reply = ExchangeReply(peers, verdicts, sent)
    assert decode_reply(encode_exchange(reply)) == reply


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
    ],
)
def test_every_field_of_a_request_has_its_rule(fields: list[object]) -> None:
    """One wrong value is enough."""
    with pytest.raises(WireError):
        decode_request(msgspec.msgpack.encode(fields))


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
        with pytest.raises(WireError) as refusal:
            decode(bytes(MAX_EXCHANGE_BYTES + 1))
        assert refusal.value.reason == Reason.SIZE


def test_the_largest_exchange_fits_its_limit() -> None:
    """64 envelopes of full size are within the bytes allowed, so the two limits agree."""
    full = ExchangeRequest(b"a" * 32, 64, (bytes(1 << 16),) * 64)
    assert len(encode_exchange(full)) <= MAX_EXCHANGE_BYTES
