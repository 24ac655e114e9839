"""Own groups become envelopes."""

from random import Random

from core.swarm.backoff import Timing
from core.swarm.exchange.sealing import Sealer
from core.swarm.exchange.validation import EnvelopeValidator, Self
from core.wire.codec import Reason
from core.wire.envelope import open_envelope
from core.wire.secrecy import SwarmKeys
from tests.envelopes import ANNE, BOB, KEYS, NOW, RULESET, SWARM, FakeClock, group
from tests.present import present


def sealer(clock: FakeClock, keys: SwarmKeys | None = None) -> Sealer:
    swarm = SWARM if keys is None else keys.swarm
    own = Self(ANNE.peer_id, swarm, RULESET, keys)
    return Sealer(ANNE, own, Timing(clock, clock, Random(1)))


def test_what_is_sealed_others_can_read() -> None:
    """Each group under its place in its round, its time, and a sequence above the one before."""
    own = [group(ANNE.peer_id, number) for number in (1, 1, 2)]
    letters = sealer(FakeClock()).seal_all(own)
    others = EnvelopeValidator(Self(BOB.peer_id, SWARM, RULESET))
    assert [one.group for one in others.open_all((one.data for one in letters), NOW)[0]] == own
    headers = [open_envelope(one.data, SWARM, NOW).header for one in letters]
    assert [header.slot for header in headers] == [0, 1, 0]
    assert [header.sequence for header in headers] == [one.sequence for one in letters]
    assert letters[0].sequence < letters[1].sequence
    assert [one.sealed_at for one in letters] == [NOW] * 3


def test_a_group_that_breaks_a_limit_is_counted() -> None:
    """It stays here, and the others leave."""
    one = sealer(FakeClock())
    too_long = group(ANNE.peer_id, 1, ("x" * 9_000, "y"))
    assert len(one.seal_all([too_long, group(ANNE.peer_id, 2)])) == 1
    assert one.withheld == {Reason.SCHEMA: 1}


def test_sequences_only_grow() -> None:
    """Though the clock goes back, and over a restart in which it did."""
    clock = FakeClock()
    first = sealer(clock)
    before = first.seal_all([group(ANNE.peer_id)])[0].sequence
    clock.advance(-3_600)
    after = first.seal_all([group(ANNE.peer_id)])[0].sequence
    assert after == before + 1
    again = sealer(clock)
    again.go_on_after(after)
    assert again.seal_all([group(ANNE.peer_id)])[0].sequence == after + 1
    again.go_on_after(7)
    assert again.seal_all([group(ANNE.peer_id)])[0].sequence == after + 2


def test_a_restart_goes_on_without_being_told() -> None:
    """Sequences follow the clock in microseconds."""
    clock = FakeClock()
    before = sealer(clock).seal_all([group(ANNE.peer_id)] * 64)[-1].sequence
    clock.advance(1e-3)
    assert sealer(clock).seal_all([group(ANNE.peer_id)])[0].sequence > before


def test_sealing_again_keeps_the_group_and_nothing_else() -> None:
    """The same group and slot under a new time and sequence."""
    clock = FakeClock()
    one = sealer(clock)
    old = one.seal_all([group(ANNE.peer_id, 2), group(ANNE.peer_id, 2)])[1]
    clock.advance(86_400)
    new = present(one.reseal(old.data))
    assert new.sealed_at == clock.now
    assert new.sequence > old.sequence
    envelope = open_envelope(new.data, SWARM, clock.now)
    assert envelope.read() == (RULESET, group(ANNE.peer_id, 2))
    assert envelope.header.slot == 1


def test_sealing_again_in_a_private_swarm() -> None:
    """Others with the secret read it; without it nobody seals it again, nor in the clear."""
    clock = FakeClock()
    (old,) = sealer(clock, KEYS).seal_all([group(ANNE.peer_id)])
    new = present(sealer(clock, KEYS).reseal(old.data))
    assert open_envelope(new.data, KEYS.swarm, NOW).read(KEYS) == (RULESET, group(ANNE.peer_id))
    outsider = sealer(clock)
    assert outsider.reseal(old.data) is None
    assert outsider.withheld == {Reason.MEMBER: 1}


def test_damaged_letters_are_counted() -> None:
    """What the disk made of a letter does not end a round."""
    one = sealer(FakeClock())
    (good,) = one.seal_all([group(ANNE.peer_id)])
    assert one.reseal(b"junk") is None
    assert one.reseal(good.data[:-1]) is None
    assert one.withheld == {Reason.SCHEMA: 2}
