"""What waits to be sent, through crashes, damage, full disks and clocks that jump."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import DiskFullError, HomeError
from core.swarm.exchange.outbox import (
    MOST_BYTES_AT_ONCE,
    MOST_LETTERS,
    OLDEST_S,
    REMEMBERED_S,
    Letter,
    Outbox,
)
from core.wire.codec import AUTHOR_SLOTS, MAX_EXCHANGE_ENVELOPES

ROOT = Path(__file__).resolve().parents[4]
HUB, OTHER = "http://one", "http://two"
NOW, LATER = 0.0, OLDEST_S + 1


def letters(*numbers: int, at: float = 0.0, size: int = 10) -> list[Letter]:
    return [Letter(number, at, b"%d" % number + bytes(size)) for number in numbers]


def sequences(found: list[Letter]) -> list[int]:
    return [one.sequence for one in found]


def outbox_of(*numbers: int, at: float = 0.0) -> Outbox:
    outbox = Outbox(None, "meadow")
    outbox.put(letters(*numbers, at=at))
    return outbox


class Resealing:
    """Gives out the next sequences, as a node does."""

    def __init__(self, after: int, now: float) -> None:
        self.sequence = after
        self.now = now
        self.seen: list[bytes] = []

    def __call__(self, data: bytes) -> Letter | None:
        self.seen.append(data)
        self.sequence += 1
        return Letter(self.sequence, self.now, data)


def test_letters_leave_in_order_and_stay_until_there_is_a_verdict() -> None:
    """A failed exchange loses nothing."""
    with closing(outbox_of(1, 2)) as outbox:
        outbox.put(letters(3))
        batch = outbox.batch(HUB, NOW)
        assert sequences(batch) == [1, 2, 3]
        assert outbox.batch(HUB, NOW) == batch
        outbox.put(letters(4))
        outbox.sent(HUB, batch, batch)
        assert sequences(outbox.batch(HUB, NOW)) == [4]


def test_every_source_has_a_mark_of_its_own() -> None:
    """What one hub has is still sent to another."""
    with closing(outbox_of(1, 2, 3)) as outbox:
        batch = outbox.batch(HUB, NOW)
        outbox.sent(HUB, batch, batch)
        assert outbox.batch(HUB, NOW) == []
        assert sequences(outbox.batch(OTHER, NOW)) == [1, 2, 3]


def test_only_the_newest_stay() -> None:
    """The oldest make room, also while a batch is under way."""
    beyond = MOST_LETTERS + 88
    with closing(outbox_of(*range(beyond))) as outbox:
        assert sequences(outbox.recent(MOST_LETTERS)) == list(range(88, beyond))
        batch = outbox.batch(HUB, NOW)
        outbox.put(letters(*range(beyond, beyond + MOST_LETTERS)))
        outbox.sent(HUB, batch, batch)
        assert outbox.recent(MOST_LETTERS)[0].sequence == beyond
        assert len(outbox.recent(MOST_LETTERS)) == MOST_LETTERS


def test_a_hub_is_offered_what_it_keeps() -> None:
    """The newest of one author, in their order; nobody waits for what a hub would drop at once."""
    with closing(outbox_of(*range(500))) as outbox:
        offered = []
        while batch := outbox.batch(HUB, NOW):
            assert len(batch) <= MAX_EXCHANGE_ENVELOPES
            offered += sequences(batch)
            outbox.sent(HUB, batch, batch)
        assert offered == list(range(500 - AUTHOR_SLOTS, 500))
        outbox.put(letters(500))
        assert sequences(outbox.batch(HUB, NOW)) == [500]
        renewed = outbox.refresh(LATER, Resealing(500, LATER))
        assert sequences(outbox.batch(HUB, LATER)) == sequences(renewed), "the others come again"


def test_a_batch_is_small_enough_for_a_slow_uplink() -> None:
    """Large letters go in several exchanges, one at least in each."""
    with closing(Outbox(None, "meadow")) as outbox:
        outbox.put(letters(*range(20), size=60_000))
        sizes = []
        while batch := outbox.batch(HUB, NOW):
            sizes.append(sum(len(one.data) for one in batch))
            outbox.sent(HUB, batch, batch)
        assert len(sizes) == 3
        assert max(sizes) <= MOST_BYTES_AT_ONCE
        outbox.put(letters(99, size=MOST_BYTES_AT_ONCE + 1))
        assert sequences(outbox.batch(HUB, NOW)) == [99]


def test_all_is_found_again(tmp_path: Path) -> None:
    """Letters, marks, what was taken, and what receipts are believed for."""
    path = tmp_path / "outbox.sqlite"
    with closing(Outbox(path, "meadow")) as outbox:
        outbox.put(letters(1, 2, 3, at=100.0))
        outbox.sent(HUB, outbox.batch(HUB, NOW)[:2], outbox.batch(HUB, NOW)[:1])
        before = outbox.recent(MOST_LETTERS)
    with closing(Outbox(path, "meadow")) as outbox:
        assert outbox.recent(MOST_LETTERS) == before == letters(1, 2, 3, at=100.0)
        assert sequences(outbox.batch(HUB, NOW)) == [3]
        assert outbox.last_sequence() == 3
        assert outbox.was_sent(2)
        renewed = outbox.refresh(101.0 + OLDEST_S, Resealing(3, 101.0 + OLDEST_S))
        assert [one.data for one in renewed] == [one.data for one in letters(2, 3)]


@pytest.mark.parametrize("after", [1, 7, 40, 150, 400])
def test_killing_the_node_loses_nothing(tmp_path: Path, after: int) -> None:
    """A child puts letters until it is killed: each that it called kept is there, in order."""
    path = tmp_path / "outbox.sqlite"
    child = subprocess.Popen(  # noqa: S603 - our own module
        [sys.executable, "-m", "tests.outbox_child", str(path), "meadow"],
        stdout=subprocess.PIPE,
        cwd=ROOT,
    )
    with child:
        assert child.stdout is not None
        for _ in range(after):
            kept = int(child.stdout.readline())
        child.kill()
        for line in child.stdout:
            if line.endswith(b"\n"):
                kept = int(line)
    with closing(Outbox(path, "meadow")) as outbox:
        found = outbox.recent(MOST_LETTERS)
        last = outbox.last_sequence()
    assert last in (kept, kept + 1), "the last one may have been kept and not told"
    assert sequences(found) == list(range(1, last + 1))[-MOST_LETTERS:]
    assert all(one.data == b"%d" % one.sequence for one in found)


def test_letters_of_the_last_release_are_sealed_again(tmp_path: Path) -> None:
    """Nobody would take them as they are; what a hub has already is dropped. All in their order."""
    path = tmp_path / "outbox.sqlite"
    with closing(Outbox(path, "meadow")) as outbox:
        outbox.put(letters(1, 2, 3))
        outbox.sent(HUB, letters(1), letters(1))
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA user_version = 1")
    again = Resealing(100, LATER)
    with closing(Outbox(path, "meadow")) as outbox:
        assert outbox.last_sequence() == 3
        assert outbox.batch(HUB, LATER) == []
        assert sequences(outbox.refresh(LATER, again)) == [101, 102]
        assert [data[:1] for data in again.seen] == [b"2", b"3"]
        assert sequences(outbox.batch(HUB, LATER)) == [101, 102]
    with closing(Outbox(path, "meadow")) as outbox:
        assert sequences(outbox.batch(HUB, LATER)) == [101, 102]


def test_what_nobody_took_is_sealed_again_when_stale() -> None:
    """Under new sequences, so that every source is offered it once more, in the old order."""
    with closing(outbox_of(1, 2, 3, at=0.0)) as outbox:
        batch = outbox.batch(HUB, NOW)
        outbox.sent(HUB, batch, [batch[1]])  # 1 and 3 were refused, for their rate or time
        assert outbox.batch(HUB, NOW) == []
        assert outbox.refresh(OLDEST_S, Resealing(3, OLDEST_S)) == []
        reseal = Resealing(3, OLDEST_S + 1)
        renewed = outbox.refresh(OLDEST_S + 1, reseal)
        assert reseal.seen == [one.data for one in letters(1, 3)]
        assert sequences(renewed) == [4, 5]
        assert outbox.batch(HUB, LATER) == outbox.recent(MOST_LETTERS) == renewed
        assert outbox.batch(OTHER, LATER) == renewed


def test_what_a_node_drew_is_not_sealed_again_without_hubs() -> None:
    """It has gone as far as it can."""
    with closing(outbox_of(1, 2)) as outbox:
        outbox.handed_out(letters(1))
        renewed = outbox.refresh(OLDEST_S + 1, Resealing(2, OLDEST_S + 1), for_hubs=False)
        assert [one.data for one in renewed] == [one.data for one in letters(2)]
        assert outbox.recent(MOST_LETTERS) == renewed


def test_what_a_node_drew_is_kept_for_the_hubs() -> None:
    """However often it grows too old; nodes do not get it a second time, and one hub is enough."""
    with closing(outbox_of(1, 2, 3)) as outbox:
        outbox.handed_out(letters(1, 3))
        for turn in (1, 2):
            now = turn * LATER
            renewed = outbox.refresh(now, Resealing(10 * turn, now))
            assert [one.data[:1] for one in renewed] == [b"2"]
            batch = outbox.batch(HUB, now)
            assert [one.data[:1] for one in batch] == [b"1", b"2", b"3"]
        outbox.sent(HUB, batch, batch)
        outbox.handed_out(batch)
        assert outbox.refresh(3 * LATER, Resealing(30, 3 * LATER)) == []
        assert outbox.recent(MOST_LETTERS) == []


def test_what_is_from_the_future_is_sealed_again() -> None:
    """The clock was an hour fast and has been put right: nobody would take such letters."""
    with closing(outbox_of(1, 2, at=3_600.0)) as outbox:
        renewed = outbox.refresh(0.0, Resealing(2, 0.0))
        assert sequences(renewed) == [3, 4]
        assert outbox.recent(MOST_LETTERS) == renewed


def test_a_letter_that_cannot_be_read_is_dropped() -> None:
    """Sealing again fails for one; the others come."""
    reseal = Resealing(3, OLDEST_S + 1)
    with closing(outbox_of(1, 2, 3)) as outbox:
        renewed = outbox.refresh(
            OLDEST_S + 1, lambda data: None if data.startswith(b"2") else reseal(data)
        )
        assert [one.data[:1] for one in renewed] == [b"1", b"3"]
        assert outbox.recent(MOST_LETTERS) == renewed


def test_nothing_is_lost_when_there_is_no_room_to_seal_again(tmp_path: Path) -> None:
    """The old letters stay until the new ones are kept."""
    with closing(Outbox(tmp_path / "outbox.sqlite", "meadow")) as outbox:
        outbox.put(letters(*range(1, 50), size=1_000))
        before = outbox.recent(MOST_LETTERS)
        fill_disk(outbox)
        fat = Resealing(50, OLDEST_S + 1)
        with pytest.raises(DiskFullError):
            outbox.refresh(OLDEST_S + 1, lambda data: fat(data + bytes(60_000)))
        assert outbox.recent(MOST_LETTERS) == before


def test_receipts_are_believed_for_an_hour() -> None:
    """Also for what was dropped or sealed again since; never for what was not sealed here."""
    with closing(outbox_of(1, 2)) as outbox:
        outbox.sent(HUB, outbox.batch(HUB, NOW), outbox.batch(HUB, NOW))
        outbox.refresh(REMEMBERED_S, Resealing(2, REMEMBERED_S))
        assert outbox.recent(MOST_LETTERS) == []
        assert outbox.was_sent(1)
        assert not outbox.was_sent(3)
        outbox.refresh(REMEMBERED_S + 1, Resealing(2, 0.0))
        assert not outbox.was_sent(1)


def test_swarms_share_a_file_and_nothing_else(tmp_path: Path) -> None:
    """Letters and marks of one never leak into the other; sequences of both only grow."""
    path = tmp_path / "outbox.sqlite"
    with closing(Outbox(path, "meadow")) as meadow:
        meadow.put(letters(1, 2))
        meadow.sent(HUB, meadow.batch(HUB, NOW), [])
    with closing(Outbox(path, "orchard")) as orchard:
        assert orchard.last_sequence() == 2
        orchard.put(letters(3))
        assert sequences(orchard.recent(MOST_LETTERS)) == [3]
        assert sequences(orchard.batch(HUB, NOW)) == [3]
        renewed = orchard.refresh(OLDEST_S + 1, Resealing(3, OLDEST_S + 1))
        assert [one.data for one in renewed] == [one.data for one in letters(3)]
    with closing(Outbox(path, "meadow")) as meadow:
        assert sequences(meadow.recent(MOST_LETTERS)) == [1, 2]
        assert meadow.batch(HUB, NOW) == []


def test_marks_do_not_pile_up() -> None:
    """Those of hubs that were asked long ago go with the letters that they are about."""
    with closing(outbox_of(1, 2)) as outbox:
        for number in range(100):
            outbox.sent(f"http://{number}", outbox.batch("", NOW), outbox.batch("", NOW))
        outbox.put(letters(3, at=OLDEST_S))
        outbox.refresh(OLDEST_S + 1, Resealing(3, 0.0))
        assert outbox._db.execute("SELECT count(*) FROM marks").fetchone() == (0,)  # noqa: SLF001 - growth is what is tested
        assert sequences(outbox.batch("http://7", LATER)) == [3]


@pytest.mark.parametrize(
    "harm",
    [
        lambda _: b"",
        lambda _: b"this is no database" * 100,
        lambda data: data[: len(data) // 2],
        lambda data: data[:100] + bytes(len(data) - 100),
        lambda data: data[:4_096] + b"\xff" * (len(data) - 4_096),
        lambda data: data[:60] + b"\x00\x00\x00\x63" + data[64:],  # another layout's version
    ],
    ids=["empty", "garbage", "cut", "zeros", "ones", "of another release"],
)
def test_a_damaged_file_is_started_anew(tmp_path: Path, harm: object) -> None:
    """It holds copies of what was tried, nothing more; then it works as a new one."""
    path = tmp_path / "outbox.sqlite"
    with closing(Outbox(path, "meadow")) as outbox:
        outbox.put(letters(*range(1, 100), size=500))
    assert callable(harm)
    path.write_bytes(harm(path.read_bytes()))
    with closing(Outbox(path, "meadow")) as outbox:
        assert outbox.recent(MOST_LETTERS) == []
        outbox.put(letters(7))
        assert sequences(outbox.batch(HUB, NOW)) == [7]


def fill_disk(outbox: Outbox) -> None:
    (pages,) = outbox._db.execute("PRAGMA page_count").fetchone()  # noqa: SLF001 - how SQLite plays a full disk
    outbox._db.execute(f"PRAGMA max_page_count = {pages}")  # noqa: SLF001 - the same


def test_a_full_disk_is_told_in_words(tmp_path: Path) -> None:
    """What does not fit is not kept, what was there stays, and can still be sent."""
    with closing(Outbox(tmp_path / "outbox.sqlite", "meadow")) as outbox:
        outbox.put(letters(1))
        fill_disk(outbox)
        with pytest.raises(DiskFullError):
            outbox.put(letters(2, 3, size=60_000))
        assert sequences(outbox.recent(MOST_LETTERS)) == [1]
        assert not outbox.was_sent(2)
        outbox.sent(HUB, outbox.batch(HUB, NOW), outbox.batch(HUB, NOW))
        assert outbox.batch(HUB, NOW) == []


def test_a_place_that_cannot_be_written_is_told_in_words(tmp_path: Path) -> None:
    """With a way out."""
    with pytest.raises(HomeError, match="another folder"):
        Outbox(tmp_path / "no" / "such" / "folder" / "outbox.sqlite", "meadow")
    with pytest.raises(HomeError, match="another folder"):
        Outbox(tmp_path, "meadow")


def test_every_use_of_a_broken_file_is_told_in_words(tmp_path: Path) -> None:
    """Reading as well as writing: callers catch one kind of error."""
    path = tmp_path / "outbox.sqlite"
    with closing(Outbox(path, "meadow")) as outbox, closing(sqlite3.connect(path)) as other:
        outbox.put(letters(1))
        other.executescript("DROP TABLE letters; DROP TABLE sent; DROP TABLE marks")
        uses = (
            lambda: outbox.put(letters(2)),
            lambda: outbox.batch(HUB, NOW),
            lambda: outbox.sent(HUB, letters(1), []),
            lambda: outbox.handed_out(letters(1)),
            outbox.recent,
            lambda: outbox.refresh(0.0, Resealing(1, 0.0)),
            lambda: outbox.was_sent(1),
            outbox.last_sequence,
        )
        for use in uses:
            with pytest.raises(HomeError, match="Move it away"):
                use()


@given(st.lists(st.tuples(st.integers(0, 70), st.integers(0, 3), st.booleans()), max_size=30))
def test_whatever_verdicts_come_nothing_untaken_is_lost(story: list[tuple[int, int, bool]]) -> None:
    """Over any rounds with three hubs: each letter was taken, or is inside, or made room."""
    with closing(Outbox(None, "meadow")) as outbox:
        now, given_out, taken = 0.0, 0, set[bytes]()
        written: list[bytes] = []
        reseal = Resealing(10_000, 0.0)
        for count, hub, takes in story:
            now += 120.0
            reseal.now = now
            fresh = [b"%d" % (given_out + n) for n in range(count)]
            given_out += count
            written += fresh
            start = reseal.sequence
            reseal.sequence += count
            outbox.put([Letter(start + n + 1, now, data) for n, data in enumerate(fresh)])
            batch = outbox.batch(f"http://{hub}", now)
            outbox.sent(f"http://{hub}", batch, batch if takes else [])
            taken |= {one.data for one in batch} if takes else set()
            outbox.refresh(now, reseal)
        inside = outbox.recent(MOST_LETTERS)
        kept = {one.data for one in inside}
        assert sequences(inside) == sorted(set(sequences(inside)))
        missing = [data for data in written if data not in taken | kept]
        assert not missing or len(inside) == MOST_LETTERS or len(written) > MOST_LETTERS
