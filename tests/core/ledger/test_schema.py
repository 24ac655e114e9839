"""The ledger's file, made anew or handed down by an older Waggle."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from core.api.events import RoundFinished
from core.errors import DiskFullError, HomeError
from core.ledger.history import History
from core.ledger.schema import FIELDS, SCHEMA, check_ledger, explained, open_ledger
from tests.fakes import finished

OLD_FIELDS = FIELDS[: FIELDS.index("at") + 1]
"""Those that schema 1 knew."""


def make_old_file(path: Path, rounds: list[RoundFinished]) -> None:
    """A file as schema 1 laid it out."""
    with closing(sqlite3.connect(path)) as old:
        old.execute("PRAGMA journal_mode = WAL")
        old.execute(
            f"CREATE TABLE rounds (model TEXT NOT NULL, {', '.join(OLD_FIELDS)}, "
            "PRIMARY KEY (model, round)) WITHOUT ROWID"
        )
        values = ", ".join("?" * (1 + len(OLD_FIELDS)))
        rows = [("spark", *(getattr(one, name) for name in OLD_FIELDS)) for one in rounds]
        old.executemany(f"INSERT INTO rounds VALUES ({values})", rows)  # noqa: S608 - own field names
        old.execute("PRAGMA user_version = 1")
        old.commit()


def sums(path: Path) -> list[tuple[int | float, ...]]:
    """The sums that the file keeps, rounded."""
    with closing(open_ledger(path)) as db:
        rows = db.execute("SELECT * FROM quarters ORDER BY quarter").fetchall()
    return [tuple(round(value, 6) for value in row) for row in rows]


def test_an_old_file_keeps_its_rounds_and_takes_new_ones(tmp_path: Path) -> None:
    """Nothing is lost, and what was not recorded then is unknown and not zero."""
    path = tmp_path / "l.sqlite"
    make_old_file(path, [finished(1), finished(2, 0.75)])
    new = replace(finished(3), answers=64, solved=16, shared=8)
    kept = [replace(one, skill=None) for one in (finished(1), finished(2, 0.75))]
    with History(path, "spark") as ledger:
        assert ledger.history() == kept
        assert ledger.history()[0].answers is None
        assert ledger.points() == []
        ledger.record(new)
    with History(path, "spark") as ledger:
        assert ledger.history() == [*kept, new]
        assert [point.round for point in ledger.points()] == [3]


def test_the_sums_of_an_old_file_are_added_up(tmp_path: Path) -> None:
    """Quarter by quarter, with the rounds that were not counted as such."""
    path = tmp_path / "l.sqlite"
    rounds = [replace(finished(n), at=at) for n, at in ((1, 10.0), (2, 899.9), (3, 900.0))]
    make_old_file(path, rounds)
    assert sums(path) == [
        (0, 2, 1.62, 1_800, 0, 0, 0, 2, 0, 0, 2),
        (1, 1, 0.81, 900, 0, 0, 0, 1, 0, 0, 1),
    ]


def make_file_of_the_second_schema(path: Path, one: RoundFinished) -> None:
    """With sums of less than today, and a column that is not asked for any more."""
    with History(path, "spark") as ledger:
        ledger.record(one)
    with closing(sqlite3.connect(path)) as old:
        for name in ("round_added", "round_dropped"):
            old.execute(f"DROP TRIGGER {name}")
        for name in ("skill", "swarm_skill", "looked_at", "processor_s", "joules"):
            old.execute(f"ALTER TABLE rounds DROP COLUMN {name}")
        for name in ("joules", "unmeasured_s", "unmetered"):
            old.execute(f"ALTER TABLE quarters DROP COLUMN {name}")
        old.execute("ALTER TABLE rounds ADD COLUMN swarm_spread")
        old.execute(
            "CREATE TRIGGER round_added AFTER INSERT ON rounds BEGIN INSERT INTO quarters "
            "VALUES (CAST(NEW.at / 900 AS INTEGER), 1, 1.0, 1, 1, 1, 1, 1); END"
        )
        old.execute(
            "CREATE TRIGGER round_dropped AFTER DELETE ON rounds BEGIN DELETE FROM quarters; END"
        )
        old.execute("PRAGMA user_version = 2")
        old.commit()


def test_a_file_of_the_second_schema_keeps_its_sums(tmp_path: Path) -> None:
    """What it did not count of its rounds is unknown, and what comes now is added."""
    path = tmp_path / "l.sqlite"
    counted = replace(finished(1), answers=64, solved=16, shared=8)
    make_file_of_the_second_schema(path, counted)
    assert sums(path) == [(0, 1, 0.81, 900, 64, 16, 8, 0, 0, 0, 1)]
    with History(path, "spark") as ledger:
        ledger.record(replace(finished(2), processor_s=1.5))
        ledger.record(replace(finished(3), processor_s=1.5, joules=20.0))
    assert sums(path) == [(0, 3, 2.43, 2_700, 64, 16, 8, 2, 20, 1.5, 1)]


def test_a_round_of_the_second_schema_can_be_recorded_again(tmp_path: Path) -> None:
    """Its sums go with it: nothing counts twice, and nothing is left over."""
    path = tmp_path / "l.sqlite"
    make_file_of_the_second_schema(path, finished(1))
    with History(path, "spark") as ledger:
        ledger.record(replace(finished(1), skill=0.1, processor_s=2.0))
        assert ledger.history() == [replace(finished(1), skill=0.1, processor_s=2.0)]
    assert sums(path) == [(0, 1, 0.81, 900, 0, 0, 0, 1, 0, 2, 0)]


def test_a_file_of_the_sixth_schema_keeps_its_sums(tmp_path: Path) -> None:
    """They are today's already; only what others taught was not known of its rounds."""
    path = tmp_path / "l.sqlite"
    measured = replace(finished(1), processor_s=1.5, joules=20.0)
    with History(path, "spark") as ledger:
        ledger.record(measured)
    with closing(sqlite3.connect(path)) as old:
        old.execute("ALTER TABLE rounds DROP COLUMN taught")
        old.execute("PRAGMA user_version = 6")
        old.commit()
    with History(path, "spark") as ledger:
        ledger.record(new := replace(finished(2), taught=4))
        assert ledger.history() == [measured, new]
    assert sums(path) == [(0, 2, 1.62, 1_800, 0, 0, 0, 2, 20, 0, 1)]


def test_a_file_is_brought_up_to_date_once(tmp_path: Path) -> None:
    """Opening it again changes nothing."""
    path = tmp_path / "l.sqlite"
    make_old_file(path, [finished(1)])
    first = sums(path)
    assert sums(path) == first
    with closing(open_ledger(path)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (SCHEMA,)


def test_without_room_an_old_file_stays_as_it_was(tmp_path: Path) -> None:
    """A migration that fails half-way leaves no half of it."""
    path = tmp_path / "l.sqlite"
    make_old_file(path, [finished(n) for n in range(1, 200)])
    with closing(sqlite3.connect(path)) as db:
        before = db.execute("SELECT sql FROM sqlite_master").fetchall()
        db.execute("CREATE TABLE quarters (something_else)")  # what it stumbles over
    with pytest.raises(HomeError):
        open_ledger(path)
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (1,)
        after = db.execute("SELECT sql FROM sqlite_master WHERE name != 'quarters'").fetchall()
        assert after == before
        assert db.execute("SELECT count(*) FROM rounds").fetchone() == (199,)


def test_garbage_in_place_of_the_file_is_explained(tmp_path: Path) -> None:
    """A damaged file gets a sentence with a way out, and is left as it is."""
    path = tmp_path / "l.sqlite"
    path.write_bytes(b"this is no database" * 100)
    for use in (open_ledger, check_ledger):
        with pytest.raises(HomeError, match="Move it away"):
            use(path)
    assert path.read_bytes() == b"this is no database" * 100


def test_a_file_of_a_newer_waggle_is_left_alone(tmp_path: Path) -> None:
    """An old program does not write into a format that it does not know."""
    path = tmp_path / "l.sqlite"
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA user_version = 99")
    for use in (open_ledger, check_ledger):
        with pytest.raises(HomeError, match="newer Waggle"):
            use(path)


def test_a_file_of_an_older_waggle_is_looked_at_and_left_as_it_is(tmp_path: Path) -> None:
    """Whoever only looks leaves bringing it up to date to the next start."""
    path = tmp_path / "l.sqlite"
    make_old_file(path, [])
    check_ledger(path)
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (1,)


def test_a_full_disk_is_told_apart(tmp_path: Path) -> None:
    """No room is said as such, also while a file is made."""
    path = tmp_path / "l.sqlite"
    with closing(open_ledger(path)) as db:
        db.execute("PRAGMA max_page_count = 1")
        with pytest.raises(DiskFullError), explained(path):
            db.execute("CREATE TABLE more (at)")


Step = tuple[str, int, float]
steps = st.lists(
    st.tuples(
        st.sampled_from(["record", "record uncounted", "record unmeasured", "forget", "set aside"]),
        st.integers(1, 6),
        st.sampled_from([0.0, 899.0, 900.0, 5_000.0]),
    ),
    max_size=30,
)


@given(steps)
def test_the_sums_are_those_of_the_rounds_whatever_happens(
    tmp_path_factory: pytest.TempPathFactory, script: list[Step]
) -> None:
    """Recorded, recorded again at another time, forgotten, set aside: nothing counts twice."""
    path = tmp_path_factory.mktemp("ledger") / "l.sqlite"
    with History(path, "spark") as ledger, History(path, "ember") as other:
        other.record(replace(finished(1), answers=64, solved=16, shared=8))
        for what, number, at in script:
            if what == "forget":
                ledger.forget_after(number)
            elif what == "set aside":
                with History(path, "spark") as again:
                    again.rename("aside")
            elif what == "record":
                counted = replace(finished(number), at=at, answers=64, solved=3, shared=8)
                ledger.record(replace(counted, processor_s=1.5, joules=20.0))
            elif what == "record unmeasured":
                ledger.record(replace(finished(number), at=at, processor_s=2.5))
            else:
                ledger.record(replace(finished(number), at=at))
        with History(path, "aside") as aside:
            kept = [*ledger.history(), *other.history(), *aside.history()]
    expected = [
        (
            quarter,
            len(found),
            round(sum(r.sample_s + r.judge_s + r.share_s + r.train_s for r in found), 6),
            sum(r.tokens for r in found),
            sum(r.answers or 0 for r in found),
            sum(r.solved or 0 for r in found),
            sum(r.shared or 0 for r in found),
            sum(r.answers is None for r in found),
            sum(r.joules or 0 for r in found),
            sum(r.processor_s or 0 for r in found if r.joules is None),
            sum(r.processor_s is None for r in found),
        )
        for quarter in sorted({int(r.at // 900) for r in kept})
        if (found := [r for r in kept if r.at // 900 == quarter])
    ]
    assert sums(path) == expected
