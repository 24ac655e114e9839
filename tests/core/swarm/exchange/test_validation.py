"""The gate for envelopes from outside."""

import gc
from itertools import islice
from random import Random

import psutil
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.swarm.exchange import validation
from core.swarm.exchange.validation import BLOCKED, GARBAGE, EnvelopeValidator, Self
from core.wire.codec import Reason
from core.wire.envelope import seal
from tests.envelopes import (
    ANNE,
    BOB,
    CAROL,
    KEYS,
    NOW,
    OTHER_KEYS,
    RULESET,
    SWARM,
    group,
    hostile_envelopes,
    sealed,
    sealed_privately,
    stamp,
)

PRIVATE = Self(ANNE.peer_id, KEYS.swarm, RULESET, KEYS)


def annes_validator() -> EnvelopeValidator:
    return EnvelopeValidator(Self(ANNE.peer_id, SWARM, RULESET))


def test_good_envelopes_of_others_pass() -> None:
    """With author, round and answers as they were sealed."""
    validator = annes_validator()
    good, refused = validator.open_all([sealed(BOB, 3)], NOW)
    (received,) = good
    assert received.group == group(BOB.peer_id, 3)
    assert received.label == (BOB.peer_id, 3)
    assert validator.take(received)
    assert not validator.rejected
    assert sum(refused[reason] for reason in GARBAGE) == 0


@pytest.mark.parametrize(
    ("data", "reason", "garbage"),
    [
        (b"junk", Reason.SCHEMA, 1),
        (bytes(100_000), Reason.SIZE, 1),
        (sealed(ANNE, 1), Reason.OWN, 0),
        (sealed(BOB, 1, NOW - 601), Reason.CLOCK, 0),
        (sealed(BOB, 1)[:-1] + b"\xc2", Reason.DIGEST, 1),
        (seal(BOB, group(BOB.peer_id), stamp(1, swarm="orchard")), Reason.SWARM, 1),
        (seal(BOB, group(BOB.peer_id), stamp(1, ruleset="puzzles-2")), Reason.RULESET, 0),
    ],
)
def test_others_are_counted_by_reason(data: bytes, reason: Reason, garbage: int) -> None:
    """One bad envelope does not keep out a good one beside it.

    Garbage is what whoever handed it on should have refused; a clock or another release is not.
    """
    validator = annes_validator()
    good, refused = validator.open_all([data, sealed(CAROL, 1)], NOW)
    assert len(good) == 1
    assert refused == validator.rejected == {reason: 1}
    assert sum(refused[reason] for reason in GARBAGE) == garbage


def test_blocked_authors_are_not_seen() -> None:
    """Nor is it held against whoever handed it on."""
    validator = EnvelopeValidator(
        Self(ANNE.peer_id, SWARM, RULESET, blocked=frozenset({BOB.peer_id}))
    )
    good, refused = validator.open_all([sealed(BOB, 1), sealed(CAROL, 1)], NOW)
    assert [one.group.author for one in good] == [CAROL.peer_id]
    assert refused == {BLOCKED: 1}
    assert sum(refused[reason] for reason in GARBAGE) == 0


def test_who_is_blocked_may_change() -> None:
    """While the validator is in use."""
    validator = annes_validator()
    validator.blocked |= {BOB.peer_id}
    assert validator.open_all([sealed(BOB, 1)], NOW)[0] == []
    validator.blocked -= {BOB.peer_id}
    assert len(validator.open_all([sealed(BOB, 1)], NOW)[0]) == 1


def test_members_read_what_members_wrote() -> None:
    """Of the same private swarm."""
    (received,) = EnvelopeValidator(PRIVATE).open_all([sealed_privately(BOB, 3)], NOW)[0]
    assert received.group == group(BOB.peer_id, 3)


def test_another_secret_opens_nothing() -> None:
    """Neither an envelope of another swarm, nor one that a stranger made for this one."""
    validator = EnvelopeValidator(PRIVATE)
    assert validator.open_all([sealed_privately(BOB, 3, OTHER_KEYS)], NOW)[1] == {Reason.SWARM: 1}
    outsider = EnvelopeValidator(Self(ANNE.peer_id, KEYS.swarm, RULESET))
    assert outsider.open_all([sealed_privately(BOB, 3)], NOW)[1] == {Reason.MEMBER: 1}
    assert not validator.open_all([sealed(BOB, 1)], NOW)[0]


def test_an_envelope_is_used_once() -> None:
    """A second copy is refused, whichever way it comes."""
    validator = annes_validator()
    first, second = validator.open_all([sealed(BOB, 3), sealed(BOB, 3)], NOW)[0]
    assert [validator.take(first), validator.take(second)] == [True, False]
    (again,) = validator.open_all([sealed(BOB, 3)], NOW + 60)[0]
    assert not validator.take(again)
    assert validator.rejected == {Reason.REPLAYED: 2}


def test_the_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """The envelope seen longest ago is forgotten first."""
    monkeypatch.setattr(validation, "MOST_SEEN", 3)
    validator = annes_validator()
    received = validator.open_all([sealed(BOB, n) for n in range(1, 6)], NOW)[0]
    assert all(validator.take(one) for one in received)
    assert len(validator._seen) == 3  # noqa: SLF001 - memory is what is tested
    assert not validator.take(received[-1])
    assert validator.take(received[0])


@given(st.lists(st.binary(max_size=300), max_size=10))
def test_any_bytes_are_refused_and_counted(batch: list[bytes]) -> None:
    """Nothing is raised, whatever strangers send."""
    validator = annes_validator()
    good, refused = validator.open_all(batch, NOW)
    assert (good, refused.total()) == ([], len(batch))


def test_ten_thousand_attacks_on_a_node() -> None:
    """None passes, nothing raises, and memory grows by less than 20 MB."""
    validator = annes_validator()
    source = hostile_envelopes(BOB, Random(3))
    assert validator.open_all(islice(source, 1_000), NOW)[0] == []
    gc.collect()
    before = psutil.Process().memory_info().rss
    for _ in range(10):
        assert validator.open_all(islice(source, 1_000), NOW)[0] == []
    gc.collect()
    assert psutil.Process().memory_info().rss - before < 20 << 20
    assert validator.rejected.total() == 11_000


def test_a_group_bears_where_it_came_from() -> None:
    """What is refused shifts nobody; where nothing is known, nothing is said."""
    batch = [sealed(BOB, 1), b"junk", sealed(CAROL, 2)]
    good, _ = annes_validator().open_all(batch, NOW, ("a", "b", "c"))
    assert [one.group.site for one in good] == ["a", "c"]
    assert [one.group.site for one in annes_validator().open_all(batch, NOW)[0]] == ["", ""]
