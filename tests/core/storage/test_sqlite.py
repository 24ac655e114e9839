"""Opening a SQLite file."""

import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from core.errors import DiskFullError, HomeError
from core.storage.sqlite import QUICK, open_database, read_pragma, sqlite_errors_explained
from tests.small_disk import fill, small_disk


def test_a_file_has_its_pragmas_and_what_was_laid_out(tmp_path: Path) -> None:
    """A write-ahead log that is not flushed at every step."""
    path = tmp_path / "a.sqlite"

    def lay_out(database: sqlite3.Connection) -> None:
        database.execute("PRAGMA user_version = 7")

    with closing(open_database(path, QUICK, lay_out)) as database:
        assert database.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert read_pragma(database, "synchronous") == 1
    with closing(open_database(path)) as database:
        assert read_pragma(database, "user_version") == 7


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such bits")
def test_nobody_else_reads_a_file_that_was_made(tmp_path: Path) -> None:
    """Nor what SQLite puts beside it; the folder may be one that everybody looks into."""
    with closing(open_database(tmp_path / "a.sqlite", QUICK)) as database:
        database.execute("CREATE TABLE a (b)")
        assert len(list(tmp_path.iterdir())) == 3
        assert {path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == {0o600}


def test_what_cannot_be_laid_out_is_closed(tmp_path: Path) -> None:
    """Whoever is refused holds no file: Windows could not remove it."""
    opened = list[sqlite3.Connection]()

    def refuse(database: sqlite3.Connection) -> None:
        opened.append(database)
        raise HomeError("of another release")

    with pytest.raises(HomeError):
        open_database(tmp_path / "a.sqlite", QUICK, refuse)
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        opened[0].execute("SELECT 1")


def test_garbage_is_told_in_words(tmp_path: Path) -> None:
    """What is kept there, where, and what can be done."""
    path = tmp_path / "a.sqlite"
    path.write_bytes(b"no database" * 100)
    with (
        pytest.raises(HomeError, match=r"^The notebook, .*a\.sqlite, cannot be used .*new one"),
        sqlite_errors_explained(path, "The notebook"),
    ):
        open_database(path, QUICK)


def test_one_that_another_program_holds_is_not_to_be_moved_away(tmp_path: Path) -> None:
    """It is sound: a new one would lose all that is in it."""
    path = tmp_path / "a.sqlite"
    with (
        closing(sqlite3.connect(path)) as other,
        closing(open_database(path, timeout_s=0.0)) as database,
    ):
        other.execute("BEGIN EXCLUSIVE")
        with (
            pytest.raises(HomeError, match=r"in use by another program\. Close that one"),
            sqlite_errors_explained(path, "The notebook"),
        ):
            database.execute("CREATE TABLE notes (words TEXT)")


@pytest.mark.skipif(sys.platform != "linux", reason="mounts a disk")
def test_no_room_beside_it_is_a_full_disk(tmp_path: Path) -> None:
    """Files beside it cannot be made or grow then, for which the database has another word."""
    with small_disk(tmp_path / "disk", megabytes=1):
        path = tmp_path / "disk" / "a.sqlite"
        open_database(path, QUICK).close()
        fill(path.with_name("rest"))
        with pytest.raises(DiskFullError), sqlite_errors_explained(path, "The notebook"):
            open_database(path, QUICK)
