"""Receipts: who learnt from what, said by nobody but the learner."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.wire.codec import MAX_RECEIPT_BYTES, PROTOCOL, Reason
from core.wire.receipt import DOMAIN, Receipt, open_receipt, seal_receipt
from tests.envelopes import ANNE, BOB, NOW, SWARM, public_key, refused_for, signed_statement

PLAIN = Receipt(
    PROTOCOL, SWARM, public_key(ANNE), public_key(BOB), sequence=7, time=int(NOW), groups=(1, 2)
)
FIELDS: list[object] = [
    "learnt", PROTOCOL, SWARM, public_key(ANNE), public_key(BOB), 7, int(NOW), [1, 2],
]  # fmt: skip
sequences = st.integers(0, 2**63 - 1)


def receipt(**changes: object) -> Receipt:
    return msgspec.structs.replace(PLAIN, **changes)


@given(sequences, st.lists(sequences, min_size=1, max_size=32).map(tuple))
def test_a_receipt_survives_the_journey(sequence: int, groups: tuple[int, ...]) -> None:
    """Whatever is within the limits arrives as it left."""
    given_receipt = receipt(sequence=sequence, groups=groups)
    assert open_receipt(seal_receipt(ANNE, given_receipt), SWARM, NOW) == given_receipt


def test_nobody_thanks_oneself() -> None:
    """A receipt for own groups is refused, however well it is signed."""
    with refused_for(Reason.OWN):
        open_receipt(seal_receipt(ANNE, receipt(author=public_key(ANNE))), SWARM, NOW)


def test_more_or_fewer_fields_are_refused() -> None:
    """A receipt has exactly its eight."""
    for fields in (FIELDS[:-1], [*FIELDS, 1]):
        with refused_for(Reason.SCHEMA):
            open_receipt(signed_statement(ANNE, DOMAIN, fields), SWARM, NOW)


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
