"""Dial-back: what a node asks, and whom the hub met."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import WireError
from core.wire.codec import MAX_DIALBACK_BYTES, Reason, encode
from core.wire.dialback import (
    DialbackReply,
    DialbackRequest,
    decode_dialback_reply,
    decode_dialback_request,
)
from tests.envelopes import cut, refused_for


@given(st.integers(1, 65_535))
def test_a_request_survives_the_journey(port: int) -> None:
    """Every port can be asked for."""
    request = DialbackRequest(port)
    assert decode_dialback_request(encode(request)) == request


@given(st.ip_addresses().map(str), st.sampled_from([b"", b"k" * 32]))
def test_a_reply_survives_the_journey(host: str, peer: bytes) -> None:
    """Every address fits, with the key of whoever answered or none."""
    reply = DialbackReply(host, peer)
    assert decode_dialback_reply(encode(reply)) == reply


@given(st.binary(max_size=300))
def test_random_bytes_are_refused_quietly(data: bytes) -> None:
    """Nothing but ``WireError`` comes out of reading what a stranger sent."""
    for decode in (decode_dialback_request, decode_dialback_reply):
        with pytest.raises(WireError):
            decode(data)


def test_every_cut_is_noticed() -> None:
    """A truncated or lengthened message is refused."""
    for data in cut(encode(DialbackRequest(40_000))):
        with pytest.raises(WireError):
            decode_dialback_request(data)
    for data in cut(encode(DialbackReply("192.0.2.7", b"k" * 32))):
        with pytest.raises(WireError):
            decode_dialback_reply(data)


@pytest.mark.parametrize(
    "fields",
    [
        ["dial", 0],
        ["dial", 65_536],
        ["dial", -1],
        ["dial", "80"],
        ["dial", 80.0],
        ["dial"],
        ["dial", 80, "192.0.2.7"],
        ["dialed", 80],
    ],
)
def test_a_request_names_a_port_and_nothing_else(fields: list[object]) -> None:
    """Above all no address: a hub rings back whoever asks, and nobody else."""
    with refused_for(Reason.SCHEMA):
        decode_dialback_request(msgspec.msgpack.encode(fields))


@pytest.mark.parametrize(
    "fields",
    [
        ["dialed", "h" * 65, b""],
        ["dialed", b"192.0.2.7", b""],
        ["dialed", "192.0.2.7", b"k" * 33],
        ["dialed", "192.0.2.7", ""],
        ["dialed", "192.0.2.7"],
        ["dialed", "192.0.2.7", b"", 1],
        ["dial", "192.0.2.7", b""],
    ],
)
def test_every_field_of_a_reply_has_its_rule(fields: list[object]) -> None:
    """One wrong value is enough."""
    with refused_for(Reason.SCHEMA):
        decode_dialback_reply(msgspec.msgpack.encode(fields))


def test_size_is_checked_before_anything_else() -> None:
    """Too many bytes are refused unread; the longest reply fits."""
    for decode in (decode_dialback_request, decode_dialback_reply):
        with refused_for(Reason.SIZE):
            decode(bytes(MAX_DIALBACK_BYTES + 1))
    assert len(encode(DialbackReply("h" * 64, b"k" * 32))) <= MAX_DIALBACK_BYTES
