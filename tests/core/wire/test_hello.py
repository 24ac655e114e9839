"""Hellos: an address proves now, and only now, who answers there."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import WireError
from core.wire.codec import MAX_HELLO_BYTES, PROTOCOL, Reason
from core.wire.hello import DOMAIN, Hello, Kind, open_hello, seal_hello
from tests.envelopes import (
    ANNE,
    BOB,
    NOW,
    SWARM,
    cut,
    flipped,
    public_key,
    refused_for,
    signed_statement,
)

NONCE = bytes(range(16))
PLAIN = Hello(PROTOCOL, "node", public_key(ANNE), NONCE, int(NOW), (SWARM,), "")
FIELDS: list[object] = ["hello", PROTOCOL, "node", public_key(ANNE), NONCE, int(NOW), [SWARM], ""]
kinds: st.SearchStrategy[Kind] = st.sampled_from(["hub", "node"])
swarms = st.lists(st.from_regex(r"\A[a-z0-9][a-z0-9-]{0,39}\Z"), max_size=16).map(tuple)


def hello(**changes: object) -> Hello:
    return msgspec.structs.replace(PLAIN, **changes)


def refusal(data: bytes, nonce: bytes = NONCE) -> str:
    """Why ``data`` is refused."""
    with pytest.raises(WireError) as error:
        open_hello(data, nonce)
    return error.value.reason


@given(kinds, st.binary(min_size=16, max_size=16), swarms, st.text(max_size=60))
def test_a_hello_survives_the_journey(
    kind: Kind, nonce: bytes, named: tuple[str, ...], url: str
) -> None:
    """Whatever is within the limits arrives as it left, and says who signed it."""
    given_hello = hello(kind=kind, nonce=nonce, swarms=named, url=url)
    arrived = open_hello(seal_hello(ANNE, given_hello), nonce)
    assert arrived == given_hello
    assert arrived.peer_id == ANNE.peer_id


def test_every_flipped_bit_and_every_cut_is_noticed() -> None:
    """Nobody on the way makes a hello name another swarm or address."""
    data = seal_hello(ANNE, hello(url="https://hub.example"))
    for altered in (*flipped(data), *cut(data)):
        refusal(altered)


@given(st.binary(max_size=MAX_HELLO_BYTES + 10))
def test_random_bytes_are_refused_quietly(data: bytes) -> None:
    """Nothing but ``WireError`` comes out of opening what a stranger sent."""
    refusal(data)


def test_a_recording_is_refused() -> None:
    """A good hello that answered somebody else's nonce proves nothing."""
    assert refusal(seal_hello(ANNE, PLAIN), nonce=bytes(16)) == Reason.REPLAYED


def test_nobody_answers_for_another() -> None:
    """Bob's signature under Anne's key is none."""
    assert refusal(seal_hello(BOB, PLAIN)) == Reason.SIGNATURE


def test_what_was_signed_for_another_purpose_is_none() -> None:
    """The words of a hello, signed under another domain, are refused."""
    assert open_hello(signed_statement(ANNE, DOMAIN, FIELDS), NONCE) == PLAIN
    for domain in (b"", b"waggle/envelope/1\x00", b"waggle/receipt/1\x00"):
        assert refusal(signed_statement(ANNE, domain, FIELDS)) == Reason.SIGNATURE


def test_another_version_is_refused() -> None:
    """Whoever speaks another protocol is not taken for one of ours."""
    assert refusal(seal_hello(ANNE, hello(version=PROTOCOL - 1))) == Reason.VERSION


@pytest.mark.parametrize("age", [-(10**6), 0, 10**6])
def test_the_nonce_alone_shows_that_it_is_fresh(age: int) -> None:
    """Whose clock is wrong can still say so: the time arrives as it was signed."""
    data = seal_hello(ANNE, hello(time=int(NOW) - age))
    assert open_hello(data, NONCE).time == int(NOW) - age


@pytest.mark.parametrize(
    ("field", "value"),
    [
        (0, "hellO"),
        (1, -1),
        (2, "server"),
        (2, b"node"),
        (3, b"a" * 31),
        (4, b"n" * 15),
        (4, b"n" * 17),
        (5, -1),
        (5, 1.0),
        (6, [SWARM] * 17),
        (6, ["No Swarm"]),
        (6, SWARM),
        (7, "u" * 301),
        (7, None),
    ],
)
def test_every_field_has_its_rule(field: int, value: object) -> None:
    """One wrong value in an otherwise right hello is enough to refuse it."""
    fields = [*FIELDS[:field], value, *FIELDS[field + 1 :]]
    assert refusal(signed_statement(ANNE, DOMAIN, fields)) == Reason.SCHEMA


def test_size_is_checked_before_anything_else() -> None:
    """Too many bytes are refused unread."""
    assert refusal(bytes(MAX_HELLO_BYTES + 1)) == Reason.SIZE


def test_the_largest_hello_fits_its_limit() -> None:
    """16 of the longest names and the longest address are within the bytes allowed."""
    full = hello(swarms=("m" * 40,) * 16, url="u" * 300, version=2**16)
    assert len(seal_hello(ANNE, full)) <= MAX_HELLO_BYTES


@pytest.mark.parametrize(
    "wrong", [{"nonce": b""}, {"swarms": ("m",) * 17}, {"url": "u" * 301}, {"peer": b""}]
)
def test_what_nobody_would_accept_is_not_signed(wrong: dict[str, object]) -> None:
    """A hello outside the limits fails at home."""
    with refused_for(Reason.SCHEMA):
        seal_hello(ANNE, hello(**wrong))
