"""Receipts: who learnt from what, said by nobody but the learner."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import WireError
from core.wire.codec import MAX_RECEIPT_BYTES, PROTOCOL, Reason
from core.wire.receipt import DOMAIN, Receipt, open_receipt, seal_receipt
from tests.envelopes import (
    ANNE,
    BOB,
    CAROL,
    NOW,
    SWARM,
    cut,
    flipped,
    public_key,
    refused_for,
    signed_statement,
)

PLAIN = Receipt(
    PROTOCOL, SWARM, public_key(ANNE), public_key(BOB), sequence=7, time=int(NOW), groups=(1, 2)
)
FIELDS: list[object] = [
    "learnt", PROTOCOL, SWARM, public_key(ANNE), public_key(BOB), 7, int(NOW), [1, 2],
]  # fmt: skip
sequences = st.integers(0, 2**63 - 1)


def receipt(**changes: object) -> Receipt:
    return msgspec.structs.replace(PLAIN, **changes)


def refusal(data: bytes, swarm: str = SWARM, now: float = NOW) -> str:
    """Why ``data`` is refused."""
    with pytest.raises(WireError) as error:
        open_receipt(data, swarm, now)
    return error.value.reason


@given(sequences, st.lists(sequences, min_size=1, max_size=32).map(tuple))
def test_a_receipt_survives_the_journey(sequence: int, groups: tuple[int, ...]) -> None:
    """Whatever is within the limits arrives as it left."""
    given_receipt = receipt(sequence=sequence, groups=groups)
    assert open_receipt(seal_receipt(ANNE, given_receipt), SWARM, NOW) == given_receipt


def test_every_flipped_bit_and_every_cut_is_noticed() -> None:
    """Nobody adds to what a learner said, or makes it thank another one."""
    data = seal_receipt(ANNE, PLAIN)
    for altered in (*flipped(data), *cut(data)):
        refusal(altered)


@given(st.binary(max_size=MAX_RECEIPT_BYTES + 10))
def test_random_bytes_are_refused_quietly(data: bytes) -> None:
    """Nothing but ``WireError`` comes out of opening what a stranger sent."""
    refusal(data)


def test_nobody_says_it_for_another() -> None:
    """Carol cannot thank Bob in Anne's name."""
    assert refusal(seal_receipt(CAROL, PLAIN)) == Reason.SIGNATURE


def test_nobody_thanks_oneself() -> None:
    """A receipt for own groups is refused, however well it is signed."""
    assert refusal(seal_receipt(ANNE, receipt(author=public_key(ANNE)))) == Reason.OWN


def test_a_receipt_is_for_one_swarm_and_one_version() -> None:
    """It is worth nothing elsewhere."""
    assert refusal(seal_receipt(ANNE, PLAIN), swarm="orchard") == Reason.SWARM
    assert refusal(seal_receipt(ANNE, receipt(version=PROTOCOL - 1))) == Reason.VERSION


@pytest.mark.parametrize(("age", "fine"), [(600, True), (-600, True), (601, False), (-601, False)])
def test_clocks_may_differ_by_ten_minutes(age: int, *, fine: bool) -> None:
    """Within the window a receipt is taken, outside it refused, to either side."""
    data = seal_receipt(ANNE, receipt(time=int(NOW) - age))
    if fine:
        assert open_receipt(data, SWARM, NOW).groups == (1, 2)
    else:
        assert refusal(data) == Reason.CLOCK


def test_what_was_signed_for_another_purpose_is_none() -> None:
    """The words of a receipt, signed under another domain, are refused."""
    assert open_receipt(signed_statement(ANNE, DOMAIN, FIELDS), SWARM, NOW) == PLAIN
    for domain in (b"", b"waggle/envelope/1\x00", b"waggle/pull/1\x00"):
        assert refusal(signed_statement(ANNE, domain, FIELDS)) == Reason.SIGNATURE


@pytest.mark.parametrize(
    ("field", "value"),
    [
        (0, "pull"),
        (1, -1),
        (1, "1"),
        (2, "Meadow"),
        (2, "meadow\n"),
        (3, b"a" * 31),
        (4, b"b" * 33),
        (4, "b" * 32),
        (5, -1),
        (5, 2**63),
        (6, 1.5),
        (7, []),
        (7, [1] * 33),
        (7, [-1]),
        (7, [True]),
        (7, 1),
    ],
)
def test_every_field_has_its_rule(field: int, value: object) -> None:
    """One wrong value in an otherwise right receipt is enough to refuse it."""
    fields = [*FIELDS[:field], value, *FIELDS[field + 1 :]]
    assert refusal(signed_statement(ANNE, DOMAIN, fields)) == Reason.SCHEMA


def test_more_or_fewer_fields_are_refused() -> None:
    """A receipt has exactly its eight."""
    for fields in (FIELDS[:-1], [*FIELDS, 1]):
        assert refusal(signed_statement(ANNE, DOMAIN, fields)) == Reason.SCHEMA


def test_size_is_checked_before_anything_else() -> None:
    """Too many bytes are refused unread."""
    assert refusal(bytes(MAX_RECEIPT_BYTES + 1)) == Reason.SIZE


def test_the_largest_receipt_fits_its_limit() -> None:
    """The longest name and 32 of the largest numbers are within the bytes allowed."""
    most = 2**63 - 1
    full = receipt(swarm="m" * 40, sequence=most, groups=(most,) * 32, version=2**16)
    assert len(seal_receipt(ANNE, full)) <= MAX_RECEIPT_BYTES


@pytest.mark.parametrize(
    "wrong",
    [{"groups": ()}, {"groups": (1,) * 33}, {"sequence": -1}, {"sequence": 2**64}, {"swarm": ""}],
)
def test_what_nobody_would_accept_is_not_signed(wrong: dict[str, object]) -> None:
    """A receipt outside the limits fails at home."""
    with refused_for(Reason.SCHEMA):
        seal_receipt(ANNE, receipt(**wrong))
