"""Hellos: an address proves now, and only now, who answers there."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.wire.codec import MAX_HELLO_BYTES, PROTOCOL, Reason
from core.wire.hello import Hello, Kind, open_hello, seal_hello
from tests.envelopes import ANNE, NOW, SWARM, public_key, refused_for

NONCE = bytes(range(16))
PLAIN = Hello(PROTOCOL, "node", public_key(ANNE), NONCE, int(NOW), (SWARM,), "")
kinds: st.SearchStrategy[Kind] = st.sampled_from(["hub", "node"])
swarms = st.lists(st.from_regex(r"\A[a-z0-9][a-z0-9-]{0,39}\Z"), max_size=16).map(tuple)


def hello(**changes: object) -> Hello:
    return msgspec.structs.replace(PLAIN, **changes)


@given(kinds, st.binary(min_size=16, max_size=16), swarms, st.text(max_size=60))
def test_a_hello_survives_the_journey(
    kind: Kind, nonce: bytes, named: tuple[str, ...], url: str
) -> None:
    """Whatever is within the limits arrives as it left, and says who signed it."""
    given_hello = hello(kind=kind, nonce=nonce, swarms=named, url=url)
    arrived = open_hello(seal_hello(ANNE, given_hello), nonce)
    assert arrived == given_hello
    assert arrived.peer_id == ANNE.peer_id


def test_a_recording_is_refused() -> None:
    """A good hello that answered somebody else's nonce proves nothing."""
    with refused_for(Reason.REPLAYED):
        open_hello(seal_hello(ANNE, PLAIN), bytes(16))


@pytest.mark.parametrize("age", [-(10**6), 0, 10**6])
def test_the_nonce_alone_shows_that_it_is_fresh(age: int) -> None:
    """Whose clock is wrong can still say so: the time arrives as it was signed."""
    data = seal_hello(ANNE, hello(time=int(NOW) - age))
    assert open_hello(data, NONCE).time == int(NOW) - age


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
