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
    Handout,
    Pull,
    decode_handout,
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
    cut,
    flipped,
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


def refusal(data: bytes, swarm: str = SWARM, server: bytes = SERVER) -> str:
    """Why ``data`` is refused."""
    with pytest.raises(WireError) as error:
        open_pull(data, swarm, server, NOW)
    return error.value.reason


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


def test_every_flipped_bit_and_every_cut_is_noticed() -> None:
    """Nobody on the way makes a request ask for more, or as somebody else."""
    membership = KEYS.membership(public_key(ANNE))
    data = seal_pull(ANNE, pull(receipts=(b"one",), membership=membership))
    for altered in (*flipped(data), *cut(data)):
        refusal(altered)


@given(st.binary(max_size=1_000))
def test_random_bytes_are_refused_quietly(data: bytes) -> None:
    """Nothing but ``WireError`` comes out of opening what a stranger sent."""
    refusal(data)
    with pytest.raises(WireError):
        decode_handout(data)


def test_a_request_for_another_server_is_refused() -> None:
    """Whom Anne asked cannot ask others in her name."""
    data = seal_pull(ANNE, PLAIN)
    assert refusal(data, server=public_key(CAROL)) == Reason.REPLAYED


def test_nobody_asks_for_another() -> None:
    """Carol's signature under Anne's key is none."""
    assert refusal(seal_pull(CAROL, PLAIN)) == Reason.SIGNATURE


def test_what_was_signed_for_another_purpose_is_none() -> None:
    """The words of a request, signed under another domain, are refused."""
    assert open_pull(signed_statement(ANNE, DOMAIN, FIELDS), SWARM, SERVER, NOW) == PLAIN
    for domain in (b"", b"waggle/hello/1\x00", b"waggle/receipt/1\x00"):
        assert refusal(signed_statement(ANNE, domain, FIELDS)) == Reason.SIGNATURE


def test_a_request_is_for_one_swarm_and_one_version() -> None:
    """What was asked in one swarm is not answered in another."""
    assert refusal(seal_pull(ANNE, PLAIN), swarm="orchard") == Reason.SWARM
    assert refusal(seal_pull(ANNE, pull(version=PROTOCOL - 1))) == Reason.VERSION


@pytest.mark.parametrize(("age", "fine"), [(600, True), (-600, True), (601, False), (-601, False)])
def test_clocks_may_differ_by_ten_minutes(age: int, *, fine: bool) -> None:
    """Within the window a request is taken, outside it refused, to either side."""
    data = seal_pull(ANNE, pull(time=int(NOW) - age))
    if fine:
        assert open_pull(data, SWARM, SERVER, NOW).want == 8
    else:
        assert refusal(data) == Reason.CLOCK


@pytest.mark.parametrize(
    ("field", "value"),
    [
        (0, "ask"),
        (1, "1"),
        (2, ""),
        (3, b"a" * 31),
        (4, b"b" * 33),
        (5, -1),
        (6, b"n" * 15),
        (7, -1),
        (7, 65),
        (7, 1.0),
        (8, [b""] * 65),
        (8, [b"x" * 601]),
        (8, ["text"]),
        (9, [b"k" * 32, b"p" * 64]),
        (9, ["member", b"k" * 31, b"p" * 64]),
        (9, ["member", b"k" * 32, b"p" * 65]),
        (9, ["member", b"k" * 32]),
        (9, ["member", b"k" * 32, b"p" * 64, 1]),
    ],
)
def test_every_field_has_its_rule(field: int, value: object) -> None:
    """One wrong value in an otherwise right request is enough to refuse it."""
    fields = [*FIELDS[:field], value, *FIELDS[field + 1 :]]
    assert refusal(signed_statement(ANNE, DOMAIN, fields)) == Reason.SCHEMA


def test_receipts_and_membership_may_be_left_out() -> None:
    """A node of the open swarm that learnt from nobody ends its request after ``want``."""
    data = signed_statement(ANNE, DOMAIN, FIELDS[:8])
    assert open_pull(data, SWARM, SERVER, NOW) == PLAIN


def test_size_is_checked_before_anything_else() -> None:
    """Too many bytes are refused unread."""
    assert refusal(bytes(MAX_PULL_BYTES + 1)) == Reason.SIZE
    with refused_for(Reason.SIZE):
        decode_handout(bytes(MAX_EXCHANGE_BYTES + 1))


def test_the_largest_messages_fit_their_limits() -> None:
    """64 receipts of full size go up, 64 envelopes of full size come down."""
    membership = KEYS.membership(public_key(ANNE))
    receipts = (bytes(MAX_RECEIPT_BYTES),) * 64
    full = pull(swarm="m" * 40, want=64, receipts=receipts, membership=membership)
    assert len(seal_pull(ANNE, full)) <= MAX_PULL_BYTES
    handout = Handout((bytes(MAX_ENVELOPE_BYTES),) * MAX_EXCHANGE_ENVELOPES)
    assert decode_handout(encode(handout)) == handout


@given(st.lists(st.binary(max_size=40), max_size=64).map(tuple))
def test_a_handout_survives_the_journey(envelopes: tuple[bytes, ...]) -> None:
    """Whatever is within the limits arrives as it left."""
    assert decode_handout(encode(Handout(envelopes))) == Handout(envelopes)


@pytest.mark.parametrize(
    "fields", [["hand", [b""] * 65], ["hand", ["text"]], ["hand"], ["hand", [], 1], ["tell", []]]
)
def test_a_handout_has_its_rules(fields: list[object]) -> None:
    """One wrong value is enough."""
    with refused_for(Reason.SCHEMA):
        decode_handout(msgspec.msgpack.encode(fields))
