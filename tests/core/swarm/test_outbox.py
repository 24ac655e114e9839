"""What waits to be sent."""

from core.swarm.outbox import MOST_BYTES_AT_ONCE, OLDEST_S, Letter, Outbox
from core.wire.codec import MAX_EXCHANGE_ENVELOPES


def letters(*numbers: int, at: float = 0.0, size: int = 10) -> list[Letter]:
    return [Letter(at, bytes([number]) * size) for number in numbers]


def test_letters_leave_in_order_and_stay_until_they_are_sent() -> None:
    """A failed exchange loses nothing."""
    outbox = Outbox()
    outbox.put(letters(1, 2))
    outbox.put(letters(3))
    batch = outbox.batch(0.0)
    assert [data[0] for data in batch] == [1, 2, 3]
    assert outbox.batch(0.0) == batch
    outbox.put(letters(4))
    outbox.sent(batch)
    assert [data[0] for data in outbox.batch(0.0)] == [4]


def test_the_oldest_make_room() -> None:
    """A long absence keeps the newest 64 only, also while a batch is under way."""
    outbox = Outbox()
    outbox.put(letters(*range(100)))
    batch = outbox.batch(0.0)
    assert [data[0] for data in batch] == list(range(36, 100))
    outbox.put(letters(*range(100, 110)))
    outbox.sent(batch)
    assert [data[0] for data in outbox.batch(0.0)] == list(range(100, 110))
    assert len(batch) == MAX_EXCHANGE_ENVELOPES


def test_what_grew_too_old_is_dropped() -> None:
    """Receivers would refuse it for its time."""
    outbox = Outbox()
    outbox.put(letters(1, at=0.0))
    outbox.put(letters(2, at=100.0))
    assert [data[0] for data in outbox.batch(OLDEST_S + 1)] == [2]


def test_a_batch_is_small_enough_for_a_slow_uplink() -> None:
    """Large letters go in several exchanges, one at least in each."""
    outbox = Outbox()
    outbox.put(letters(*range(20), size=60_000))
    sizes = []
    while batch := outbox.batch(0.0):
        sizes.append(sum(map(len, batch)))
        outbox.sent(batch)
    assert len(sizes) == 3
    assert max(sizes) <= MOST_BYTES_AT_ONCE
    outbox.put(letters(1, size=MOST_BYTES_AT_ONCE + 1))
    assert len(outbox.batch(0.0)) == 1
