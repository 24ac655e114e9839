"""Receipts, written and read."""

from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.rollouts.types import PeerId
from core.swarm.contacts import ContactPoint, Contacts
from core.swarm.exchange.receipts import (
    CROWD,
    MOST_REMEMBERED,
    ORIGIN_LEARNERS,
    PLACE_LEARNERS,
    UNMET,
    GoodReceipt,
    ReceiptReader,
    ReceiptSender,
)
from core.swarm.exchange.validation import BLOCKED, PeerRollout
from core.wire.codec import MAX_EXCHANGE_RECEIPTS, MAX_RECEIPT_GROUPS, PROTOCOL, Reason
from core.wire.identity import Identity
from core.wire.receipt import Receipt, open_receipt, seal_receipt
from tests.envelopes import ANNE, BOB, CAROL, NOW, SWARM, FakeClock, group, identity, public_key

SENT = range(1, 100)


def received(author: Identity, number: int) -> PeerRollout:
    return PeerRollout(group(author.peer_id, number), number)


def giver_who_learnt(*lessons: PeerRollout) -> ReceiptSender:
    giver = ReceiptSender(ANNE, SWARM)
    giver.note(lessons)
    giver.learnt(one.group for one in lessons)
    return giver


def bob_reads(*met: Identity, blocked: Identity | None = None) -> ReceiptReader:
    """A reader of Bob's, who met Anne and others, each at a place of its own."""
    contacts = Contacts(FakeClock())
    for who in (ANNE, *met):
        contacts.note(who.peer_id, ContactPoint("hub", who.peer_id))
    is_blocked = (blocked.peer_id if blocked else "").__eq__
    return ReceiptReader(BOB.peer_id, SWARM, SENT.__contains__, contacts, is_blocked)


def receipt(signer: Identity = ANNE, **changes: object) -> bytes:
    plain = Receipt(
        PROTOCOL,
        SWARM,
        public_key(signer),
        public_key(BOB),
        sequence=7,
        time=int(NOW),
        groups=(1, 2),
    )
    return seal_receipt(signer, msgspec.structs.replace(plain, **changes))


def test_each_author_is_thanked_for_what_was_learnt() -> None:
    """In one receipt each, which names the envelopes; owed until it was delivered."""
    giver = giver_who_learnt(received(BOB, 1), received(BOB, 2), received(CAROL, 9))
    written = giver.write(NOW)
    assert set(written) == {BOB.peer_id, CAROL.peer_id}
    assert open_receipt(written[BOB.peer_id], SWARM, NOW).groups == (1, 2)
    assert open_receipt(written[CAROL.peer_id], SWARM, NOW).groups == (9,)
    giver.delivered([BOB.peer_id])
    assert set(giver.write(NOW)) == {CAROL.peer_id}
    giver.delivered([CAROL.peer_id])
    assert giver.write(NOW) == {}


def test_nobody_is_thanked_for_what_was_not_learnt_from_them() -> None:
    """Groups that came and were not used, own ones, and ones that never came."""
    giver = ReceiptSender(ANNE, SWARM)
    giver.note([received(BOB, 1)])
    giver.learnt([group(BOB.peer_id, 2), group(ANNE.peer_id, 1), group(CAROL.peer_id, 1)])
    assert giver.write(NOW) == {}


def test_thanks_of_whoever_is_blocked_are_not_counted() -> None:
    """The person wants to see nothing of them; those of others are."""
    reader = bob_reads(CAROL, blocked=ANNE)
    read = reader.read([receipt(), receipt(CAROL)], NOW)
    assert [one.learner for one in read] == [CAROL.peer_id]
    assert reader.rejected == {BLOCKED: 1}


def test_a_group_is_thanked_for_once() -> None:
    """Though it is trained on again in a later round."""
    giver = giver_who_learnt(received(BOB, 1))
    giver.delivered(giver.write(NOW))
    giver.learnt([group(BOB.peer_id, 1)])
    assert giver.write(NOW) == {}


def test_a_group_that_was_cut_on_its_way_is_known_again() -> None:
    """Mixing may leave out answers of a group; its author is thanked all the same."""
    giver = ReceiptSender(ANNE, SWARM)
    giver.note([PeerRollout(group(BOB.peer_id, 1, ("1", "2", "3")), 5)])
    giver.learnt([group(BOB.peer_id, 1, ("1", "2"))])
    assert open_receipt(giver.write(NOW)[BOB.peer_id], SWARM, NOW).groups == (5,)


def test_receipts_of_a_learner_grow_though_the_clock_goes_back() -> None:
    """Otherwise authors would take a new one for a replay."""
    giver = giver_who_learnt(received(BOB, 1), received(BOB, 2))
    first = open_receipt(giver.write(NOW)[BOB.peer_id], SWARM, NOW)
    giver.note([received(BOB, 3)])
    giver.learnt([group(BOB.peer_id, 3)])
    second = open_receipt(giver.write(NOW - 100)[BOB.peer_id], SWARM, NOW)
    assert second.sequence > first.sequence


def test_authors_who_left_keep_nobody_from_being_thanked() -> None:
    """Without a hub nobody takes theirs; whoever is asked comes before all of them."""
    gone = [received(identity(number), 1) for number in range(3, 3 + 2 * MAX_EXCHANGE_RECEIPTS)]
    giver = giver_who_learnt(*gone, received(BOB, 1))
    assert BOB.peer_id not in giver.write(NOW)
    written = giver.write(NOW, [BOB.peer_id, CAROL.peer_id])
    assert next(iter(written)) == BOB.peer_id
    assert len(written) == MAX_EXCHANGE_RECEIPTS
    assert CAROL.peer_id not in written, "nothing is owed there"


def test_what_is_written_is_bounded() -> None:
    """Authors per exchange, groups per receipt, and what is remembered."""
    lessons = [received(identity(number), 1) for number in range(3, 103)]
    giver = giver_who_learnt(*lessons, *(received(BOB, n) for n in range(1, 100)))
    for most in (MAX_EXCHANGE_RECEIPTS, 101 - MAX_EXCHANGE_RECEIPTS, 0):
        written = giver.write(NOW)
        assert len(written) == most
        giver.delivered(written)
    giver = giver_who_learnt(*(received(BOB, n) for n in range(1, 100)))
    groups = open_receipt(giver.write(NOW)[BOB.peer_id], SWARM, NOW).groups
    assert groups == tuple(range(100 - MAX_RECEIPT_GROUPS, 100)), "the newest"
    giver.note(received(BOB, number) for number in range(1, MOST_REMEMBERED + 100))
    assert len(giver._came_in) == MOST_REMEMBERED  # noqa: SLF001 - memory is what is tested


def test_a_good_receipt_is_believed_once() -> None:
    """It says who learnt and from which envelopes; again, it is a replay."""
    reader = bob_reads()
    data = receipt(groups=(1, 2, 1))
    assert reader.read([data], NOW) == [GoodReceipt(ANNE.peer_id, (1, 2))]
    assert reader.read([data], NOW) == []
    assert reader.rejected == {Reason.REPLAYED: 1}


def test_what_is_not_believed_is_counted() -> None:
    """Forged, foreign, old, of another swarm, about envelopes that were never sent, or noise."""
    reader = bob_reads(CAROL)
    forged = receipt(CAROL, learner=public_key(ANNE))
    foreign = receipt(author=public_key(CAROL))
    own = receipt(BOB)
    bad = [
        forged,
        foreign,
        own,
        receipt(time=int(NOW) - 700),
        receipt(swarm="orchard"),
        receipt(groups=(1, 5_000)),
        b"noise",
        bytes(10_000),
    ]
    good = receipt(sequence=8)
    assert reader.read([*bad, good], NOW) == [GoodReceipt(ANNE.peer_id, (1, 2))]
    assert reader.rejected == {
        Reason.SIGNATURE: 2,
        Reason.OWN: 1,
        Reason.CLOCK: 1,
        Reason.SWARM: 1,
        Reason.DIGEST: 1,
        Reason.SCHEMA: 1,
        Reason.SIZE: 1,
    }


def test_the_memory_of_receipts_is_bounded() -> None:
    """Ten thousand of one learner."""
    reader = bob_reads()
    plain = open_receipt(receipt(), SWARM, NOW)
    flood = [msgspec.structs.replace(plain, sequence=number) for number in range(1, 10_001)]
    assert len(reader.believe(flood, NOW)) == 10_000
    assert len(reader._seen) == MOST_REMEMBERED  # noqa: SLF001 - memory is what is tested


def test_learners_whom_nobody_met_do_not_count() -> None:
    """Ten thousand made-up keys: each is counted as refused, and none is remembered.

    Who is met later counts, with the receipt that came before.
    """
    contacts, rng = Contacts(FakeClock()), Random(1)
    reader = ReceiptReader(BOB.peer_id, SWARM, SENT.__contains__, contacts)
    plain = open_receipt(receipt(), SWARM, NOW)
    flood = [msgspec.structs.replace(plain, learner=rng.randbytes(32)) for _ in range(10_000)]
    assert reader.believe([*flood, plain], NOW) == []
    assert reader.rejected == {UNMET: 10_001}
    contacts.note(ANNE.peer_id, ContactPoint("hub", "a"))
    assert reader.believe([plain], NOW) == [GoodReceipt(ANNE.peer_id, (1, 2))]


@pytest.mark.parametrize(
    ("places", "counted"), [(1, PLACE_LEARNERS), (2, 2 * PLACE_LEARNERS), (60, ORIGIN_LEARNERS)]
)
def test_learners_of_one_place_and_of_one_hub_are_few_a_day(places: int, counted: int) -> None:
    """Whoever was counted goes on to be, and on the next day there is room again."""
    contacts = Contacts(FakeClock())
    reader = ReceiptReader(BOB.peer_id, SWARM, SENT.__contains__, contacts)
    plain = open_receipt(receipt(), SWARM, NOW)
    keys = [bytes([number]) * 32 for number in range(60)]
    for number, key in enumerate(keys):
        contacts.note(PeerId(key.hex()), ContactPoint("hub", str(number % places)))
    for day in (0, 1):
        for sequence in (2 * day, 2 * day + 1):
            thanks = [
                msgspec.structs.replace(plain, learner=key, sequence=sequence) for key in keys
            ]
            assert len(reader.believe(thanks, NOW + day * 86_400)) == counted
    assert set(reader.rejected) == {CROWD}


@given(st.lists(st.binary(max_size=700), max_size=20))
def test_any_bytes_are_refused_and_counted(batch: list[bytes]) -> None:
    """Nothing is raised, whatever a hub hands out as receipts."""
    reader = bob_reads()
    assert reader.read(batch, NOW) == []
    assert reader.rejected.total() == len(batch)
