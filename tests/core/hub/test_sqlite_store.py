"""What the SQLite store adds to the promises of every store: it lasts, and fails in words."""

import shutil
import sqlite3
from contextlib import aclosing, closing
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import SwarmError
from core.hub.sqlite_store import Marks, SqliteStore
from core.hub.store import HubNote, StoreLimits
from core.wire.codec import AUTHOR_SLOTS, ITEM_LIFE_S
from core.wire.envelope import open_envelope
from tests.envelopes import ANNE, BOB, CAROL, NOW, SWARM, FakeClock, identity, sealed


def open_store(path: Path, clock: FakeClock, limits: StoreLimits | None = None) -> SqliteStore:
    return SqliteStore(str(path), limits, clock, Random(1))


def copy_as_a_crash_would_leave_it(folder: Path, to: Path) -> None:
    """The database and its write-ahead log, in the middle of their use."""
    to.mkdir()
    for file in folder.glob("hub.sqlite*"):
        shutil.copy(file, to / file.name)


async def test_a_restart_keeps_items_and_remembers_sequences(tmp_path: Path) -> None:
    """A hub that was stopped goes on where it was."""
    path, clock = tmp_path / "hub.sqlite", FakeClock()
    data = [sealed(ANNE, 4), sealed(ANNE, 5), sealed(BOB, 1)]
    envelopes = [open_envelope(one, SWARM, NOW) for one in data]
    async with aclosing(open_store(path, clock)) as store:
        await store.append(envelopes)
        before = await store.stats()
    async with aclosing(open_store(path, clock)) as store:
        assert await store.stats() == before
        assert set((await store.draw(SWARM, 8, CAROL.peer_id)).envelopes) == set(data)
        assert await store.append(envelopes) == [False, False, False]
        new = open_envelope(sealed(ANNE, 6), SWARM, NOW)
        assert await store.append([new]) == [True]
        assert (await store.stats()).items == 4


async def test_a_restart_moves_nobody(tmp_path: Path) -> None:
    """Everything is where it was left from."""
    path, clock = tmp_path / "hub.sqlite", FakeClock()
    first, relayed = (open_envelope(sealed(ANNE, n), SWARM, NOW) for n in (1, 2))
    async with aclosing(open_store(path, clock)) as store:
        await store.append([first], "home")
        await store.append([relayed], "elsewhere")
    async with aclosing(open_store(path, clock)) as store:
        assert {*(await store.draw(SWARM, 8, BOB.peer_id)).places} == {"home", "elsewhere"}


async def test_a_restart_forgets_nobody_who_filled_the_store(tmp_path: Path) -> None:
    """Whoever did makes room afterwards, too, and not who left little before."""
    path, clock = tmp_path / "hub.sqlite", FakeClock()
    honest, *many = (open_envelope(sealed(identity(n), 1), SWARM, NOW) for n in range(30))
    limits = StoreLimits(bytes=10 * len(honest.data))
    for batch in (many[:15], many[15:]):
        async with aclosing(open_store(path, clock, limits)) as store:
            await store.append([honest], "home")
            await store.append(batch, "crowd")
    async with aclosing(open_store(path, clock, limits)) as store:
        drawn = await store.draw(SWARM, 64, BOB.peer_id)
        assert set(drawn.envelopes) == {one.data for one in (honest, *many[-9:])}


async def test_a_restart_loses_notes(tmp_path: Path) -> None:
    """They are courtesy and stay in memory; what they took in the limit is free again."""
    path, clock = tmp_path / "hub.sqlite", FakeClock()
    async with aclosing(open_store(path, clock)) as store:
        await store.append([open_envelope(sealed(ANNE, 1), SWARM, NOW)])
        before = await store.stats()
        await store.leave(SWARM, [HubNote(ANNE.peer_id, BOB.peer_id, b"thanks")])
    async with aclosing(open_store(path, clock)) as store:
        assert await store.collect(SWARM, ANNE.peer_id) == ()
        assert await store.stats() == before


async def test_a_killed_hub_loses_nothing(tmp_path: Path) -> None:
    """What was answered is in the files at that moment, without any closing ceremony."""
    path, clock = tmp_path / "hub.sqlite", FakeClock()
    crashed = tmp_path / "crashed"
    async with aclosing(open_store(path, clock)) as store:
        await store.append([open_envelope(sealed(ANNE, 1), SWARM, NOW)])
        copy_as_a_crash_would_leave_it(tmp_path, crashed)
    async with aclosing(open_store(crashed / "hub.sqlite", clock)) as store:
        assert (await store.stats()).items == 1
        assert await store.append([open_envelope(sealed(ANNE, 1), SWARM, NOW)]) == [False]


async def test_items_live_no_longer_where_the_clock_was_set_back(tmp_path: Path) -> None:
    """A machine without a battery for its clock may start in another year; nor after a restart."""
    path, clock = tmp_path / "hub.sqlite", FakeClock(NOW + 9_000)
    early, late = (open_envelope(sealed(identity(n), 1), SWARM, NOW) for n in (1, 2))
    crashed = tmp_path / "crashed"
    async with aclosing(open_store(path, clock)) as store:
        await store.append([early])
        clock.advance(-9_000)
        await store.append([late])
        copy_as_a_crash_would_leave_it(tmp_path, crashed)
        clock.advance(ITEM_LIFE_S + 1)
        assert (await store.stats()).items == 0
    async with aclosing(open_store(crashed / "hub.sqlite", clock)) as store:
        assert (await store.stats()).items == 0


async def test_what_is_too_old_or_too_much_goes_at_start(tmp_path: Path) -> None:
    """A restart with tighter limits, or after the night, starts within them."""
    path, clock = tmp_path / "hub.sqlite", FakeClock()
    envelopes = [open_envelope(sealed(identity(n), 1), SWARM, NOW) for n in range(20)]
    async with aclosing(open_store(path, clock)) as store:
        await store.append(envelopes)
    async with aclosing(open_store(path, clock, StoreLimits(items=5))) as store:
        assert (await store.stats()).items == 5
    clock.advance(ITEM_LIFE_S + 1)
    async with aclosing(open_store(path, clock)) as store:
        assert (await store.stats()).items == 0
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("SELECT count(*) FROM items").fetchone() == (0,)


async def test_forgotten_authors_leave_the_file(tmp_path: Path) -> None:
    """Rows of the most silent go, beyond the limit."""
    path, clock = tmp_path / "hub.sqlite", FakeClock()
    async with aclosing(open_store(path, clock, StoreLimits(authors=10))) as store:
        for number in range(25):
            clock.advance(1)
            await store.append([open_envelope(sealed(identity(number), 9), SWARM, NOW)])
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("SELECT count(*) FROM marks").fetchone() == (10,)


async def test_a_clock_that_was_set_back_makes_nobody_silent(tmp_path: Path) -> None:
    """Who speaks now is forgotten after those who spoke before that, and not taken twice."""
    clock = FakeClock(NOW + 9_000)
    envelopes = [open_envelope(sealed(identity(n), 1), SWARM, NOW) for n in range(20)]
    early, late = envelopes[:10], envelopes[10:]
    limits = StoreLimits(authors=10)
    async with aclosing(open_store(tmp_path / "hub.sqlite", clock, limits)) as store:
        assert all(await store.append(early))
        clock.advance(-9_000)
        for one in late:
            assert await store.append([one]) == [True]
        assert not any(await store.append(late))


async def test_the_file_stays_bounded(tmp_path: Path) -> None:
    """Room of expired items is used again: a busy hour does not make a larger file."""
    path, clock = tmp_path / "hub.sqlite", FakeClock()
    limits = StoreLimits(bytes=200_000)
    texts = ("x" * 5_000, "y" * 5_000)
    async with aclosing(open_store(path, clock, limits)) as store:
        for number in range(200):
            data = sealed(identity(number % 50), number + 1, texts=texts)
            await store.append([open_envelope(data, SWARM, NOW)])
    assert path.stat().st_size < 3 * limits.bytes


async def test_one_file_serves_one_hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second hub on the same file is told so, and the first one is not disturbed."""
    connect = sqlite3.connect
    monkeypatch.setattr(  # nobody lets go within two seconds here, so do not wait for it
        sqlite3, "connect", lambda path, **options: connect(path, **{**options, "timeout": 0.0})
    )
    path, clock = tmp_path / "hub.sqlite", FakeClock()
    async with aclosing(open_store(path, clock)) as store:
        with pytest.raises(SwarmError, match=r"locked.*--store"):
            open_store(path, clock)
        assert (await store.stats()).items == 0


async def test_a_file_of_the_last_release_is_taken_over_empty(tmp_path: Path) -> None:
    """What it holds is of another protocol, which nobody could use, and ten minutes old at most."""
    path = tmp_path / "hub.sqlite"
    with closing(sqlite3.connect(path)) as database:
        database.executescript("""
            CREATE TABLE items (number INTEGER PRIMARY KEY, swarm TEXT, author BLOB,
                received REAL, envelope BLOB);
            CREATE TABLE marks (swarm TEXT, author BLOB, sequence INTEGER, heard REAL,
                PRIMARY KEY (swarm, author)) WITHOUT ROWID;
            CREATE INDEX marks_by_age ON marks (heard);
            INSERT INTO items VALUES (1, 'meadow', x'00', 1.0, x'00');
            INSERT INTO marks VALUES ('meadow', x'00', 1, 1.0);
            PRAGMA application_id = 0x57474C31;
        """)
    for expected in (True, False):  # and once it was taken over, it keeps what it has
        async with aclosing(SqliteStore(str(path), None, FakeClock())) as store:
            assert await store.append([open_envelope(sealed(ANNE, 1), SWARM, NOW)]) == [expected]
            assert (await store.stats()).items == 1


@pytest.mark.parametrize("content", [b"no database at all" * 300, None], ids=["noise", "foreign"])
def test_a_file_that_is_something_else_is_left_alone(tmp_path: Path, content: bytes | None) -> None:
    """Somebody's mistyped path costs them nothing."""
    path = tmp_path / "precious.sqlite"
    if content is None:
        with closing(sqlite3.connect(path)) as database:
            database.execute("CREATE TABLE letters (text)")
    else:
        path.write_bytes(content)
    before = path.read_bytes()
    with pytest.raises(SwarmError, match="Choose another file"):
        open_store(path, FakeClock())
    assert path.read_bytes() == before


def test_a_folder_that_is_not_there_is_explained(tmp_path: Path) -> None:
    """No traceback for a typing error."""
    with pytest.raises(SwarmError, match="unable to open"):
        open_store(tmp_path / "missing" / "hub.sqlite", FakeClock())


async def test_a_failing_disk_is_an_error_of_one_request(tmp_path: Path) -> None:
    """A full disk refuses what comes now; what was kept stays, and later requests work again."""
    clock = FakeClock()
    async with aclosing(open_store(tmp_path / "hub.sqlite", clock)) as store:
        await store.append([open_envelope(sealed(ANNE, 1), SWARM, NOW)])
        (pages,) = store._database.execute("PRAGMA page_count").fetchone()  # noqa: SLF001 - stands in for the disk
        store._database.execute(f"PRAGMA max_page_count = {pages}")  # noqa: SLF001 - the same
        texts = ("x" * 8_000, "y" * 8_000)
        large = open_envelope(sealed(BOB, 2, texts=texts), SWARM, NOW)
        with pytest.raises(SwarmError, match="full"):
            await store.append([open_envelope(sealed(BOB, 1), SWARM, NOW), large])
        assert (await store.stats()).items == 1
        store._database.execute("PRAGMA max_page_count = 1000000")  # noqa: SLF001 - the same
        assert await store.append([large]) == [True]
        assert (await store.stats()).items == 2


sequences = st.lists(st.integers(0, 2**63 - 1) | st.integers(0, 300), max_size=400)


@given(sequences)
def test_nothing_is_taken_twice_whatever_comes(sequences: list[int]) -> None:
    """In whatever order, over restarts, and in bounded memory; what is new and high is taken."""
    taken = set[int]()
    kept = b""
    for sequence in sequences:
        marks = Marks(kept)
        is_new = marks.take(sequence)
        assert not (is_new and sequence in taken)
        newest = sorted(taken)[-AUTHOR_SLOTS:]
        if sequence not in taken and (len(newest) < AUTHOR_SLOTS or sequence > newest[0]):
            assert is_new
        taken |= {sequence} if is_new else set()
        kept = marks.packed()
        assert len(kept) <= 8 * AUTHOR_SLOTS
