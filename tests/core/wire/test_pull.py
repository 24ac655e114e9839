"""Direct requests: signed for one server, one swarm and one moment; and what is handed out."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import WireError
from core.wire.codec import (
    MAX_ENVELOPE_BYTES,
    MAX_EXCHANGE_BYTES,
    MAX_EXCHANGE_ENVELOPES,
    MAX_PULL_BYTES,
    MAX_RECEIPT_BYTES,
    PROTOCOL,
    Reason,
    encode,
)
from core.wire.exchange import MembershipProof
from core.wire.pull import (
    DOMAIN,
    Pull,
    PullReply,
    decode_pull_reply,
    open_pull,
    seal_pull,
)
from tests.envelopes import (
    ANNE,
    BOB,
    CAROL,
    KEYS,
    NOW,
    SWARM,
    public_key,
    refused_for,
    signed_statement,
)

NONCE = bytes(range(16))
SERVER = public_key(BOB)
PLAIN = Pull(PROTOCOL, SWARM, public_key(ANNE), SERVER, int(NOW), NONCE, want=8)
FIELDS: list[object] = [
    "pull", PROTOCOL, SWARM, public_key(ANNE), SERVER, int(NOW), NONCE, 8, [], None,
]  # fmt: skip
memberships = st.none() | st.builds(
    MembershipProof, st.binary(min_size=32, max_size=32), st.binary(min_size=64, max_size=64)
)


def pull(**changes: object) -> Pull:
    return msgspec.structs.replace(PLAIN, **changes)


@given(
    st.integers(0, 64),
    st.binary(min_size=16, max_size=16),
    st.lists(st.binary(max_size=60), max_size=64).map(tuple),
    memberships,
)
def test_a_pull_survives_the_journey(
    want: int, nonce: bytes, receipts: tuple[bytes, ...], membership: MembershipProof | None
) -> None:
    """Whatever is within the limits arrives as it left."""
    given_pull = pull(want=want, nonce=nonce, receipts=receipts, membership=membership)
    assert open_pull(seal_pull(ANNE, given_pull), SWARM, SERVER, NOW) == given_pull


@given(st.binary(max_size=1_000))
def test_random_bytes_are_no_handout(data: bytes) -> None:
    """Nothing but ``WireError`` comes out of opening what a stranger sent."""
    with pytest.raises(WireError):
        decode_pull_reply(data)


def test_a_request_for_another_server_is_refused() -> None:
    """Whom Anne asked cannot ask others in her name."""
    data = seal_pull(ANNE, PLAIN)
    with refused_for(Reason.REPLAYED):
        open_pull(data, SWARM, public_key(CAROL), NOW)


def test_receipts_and_membership_may_be_left_out() -> None:
    """A node of the open swarm that learnt from nobody ends its request after ``want``."""
    data = signed_statement(ANNE, DOMAIN, FIELDS[:8])
    assert open_pull(data, SWARM, SERVER, NOW) == PLAIN


def test_the_size_of_a_handout_is_checked_before_anything_else() -> None:
    """Too many bytes are refused unread."""
    with refused_for(Reason.SIZE):
        decode_pull_reply(bytes(MAX_EXCHANGE_BYTES + 1))


def test_the_largest_messages_fit_their_limits() -> None:
    """64 receipts of full size go up, 64 envelopes of full size come down."""
    membership = KEYS.membership(public_key(ANNE))
    receipts = (bytes(MAX_RECEIPT_BYTES),) * 64
    full = pull(swarm="m" * 40, want=64, receipts=receipts, membership=membership)
    assert len(seal_pull(ANNE, full)) <= MAX_PULL_BYTES
    pull_reply = PullReply((bytes(MAX_ENVELOPE_BYTES),) * MAX_EXCHANGE_ENVELOPES)
    assert decode_pull_reply(encode(pull_reply)) == pull_reply


@given(st.lists(st.binary(max_size=40), max_size=64).map(tuple))
def test_a_handout_survives_the_journey(envelopes: tuple[bytes, ...]) -> None:
    """Whatever is within the limits arrives as it left."""
    assert decode_pull_reply(encode(PullReply(envelopes))) == PullReply(envelopes)


@pytest.mark.parametrize(
    "fields", [["hand", [b""] * 65], ["hand", ["text"]], ["hand"], ["hand", [], 1], ["tell", []]]
)
def test_a_handout_has_its_rules(fields: list[object]) -> None:
    """One wrong value is enough."""
    with refused_for(Reason.SCHEMA):
        decode_pull_reply(msgspec.msgpack.encode(fields))
