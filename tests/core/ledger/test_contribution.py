"""The record of thanks and bans on disk."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from core.errors import DiskFullError, HomeError
from core.ledger import contribution as contribution_module
from core.ledger.contribution import (
    MOST_A_DAY,
    Contribution,
    Helped,
    Newcomers,
    has_met_others,
)
from core.ledger.history import History
from tests.fakes import finished

DAY = 86_400.0


def test_thanks_survive_reopening(tmp_path: Path) -> None:
    """Learners and groups are counted, by another connection too."""
    with closing(Contribution(tmp_path / "l.sqlite")) as book:
        assert book.helped() == Helped(0, 0)
        book.thank("anne", [1, 2], 0.0)
        book.thank("bob", [2], 0.0)
    with closing(Contribution(tmp_path / "l.sqlite")) as book:
        assert book.helped() == Helped(learners=2, groups=3)
        assert book.learners == 2


def test_a_learner_is_new_once(tmp_path: Path) -> None:
    """On the day of its first thanks; days without anybody new are left out."""
    with closing(Contribution(tmp_path / "l.sqlite")) as book:
        assert book.newcomers() == []
        book.thank("bob", [1], 2 * DAY)
        book.thank("anne", [2], 5 * DAY + 100)
        book.thank("carol", [2], 2 * DAY + 7)
        book.thank("bob", [3], 7 * DAY)
        assert book.newcomers() == [Newcomers(2.5 * DAY, 2), Newcomers(5.5 * DAY, 1)]


def test_who_never_was_in_a_swarm_has_met_nobody(tmp_path: Path) -> None:
    """Alone, it is not known who would have learnt; in a swarm nobody is an answer."""
    path = tmp_path / "l.sqlite"
    assert not has_met_others(path)
    assert not path.exists()
    with History(path, "spark") as ledger:
        ledger.record(finished(1))
    assert not has_met_others(path)
    Contribution(path).close()
    assert has_met_others(path)


def test_a_learner_counts_once_for_each_group(tmp_path: Path) -> None:
    """However often it says so, on the same day or later."""
    with closing(Contribution(tmp_path / "l.sqlite")) as book:
        for day in range(5):
            book.thank("anne", [1, 2, 1], day * DAY)
        assert book.helped() == Helped(1, 2)


def test_thanks_are_capped_per_learner_and_day(tmp_path: Path) -> None:
    """In one receipt or in many; the next day it may again, and others may at any time."""
    with closing(Contribution(tmp_path / "l.sqlite")) as book:
        book.thank("anne", range(1_000), 0.0)
        assert book.helped() == Helped(1, MOST_A_DAY)
        for number in range(2_000, 2_100):
            book.thank("anne", [number], DAY - 1)
        assert book.helped() == Helped(1, MOST_A_DAY)
        book.thank("bob", [1], DAY - 1)
        book.thank("anne", [5_000], DAY)
        assert book.helped() == Helped(2, MOST_A_DAY + 2)


def test_the_record_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A flood of made-up learners fills no disk."""
    monkeypatch.setattr(contribution_module, "MOST_ROWS", 100)
    with closing(Contribution(tmp_path / "l.sqlite")) as book:
        for number in range(150):
            book.thank(f"learner {number}", [1], 0.0)
        assert book.helped() == Helped(100, 100)


def test_the_newest_bans_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bounded number of them, oldest first, each with its time and reason."""
    assert contribution_module.MOST_BANS == 1_000
    monkeypatch.setattr(contribution_module, "MOST_BANS", 20)
    with closing(Contribution(tmp_path / "l.sqlite")) as book:
        for number in range(30):
            book.ban(f"hub {number}", "withholds", float(number))
        bans = book.bans()
    assert len(bans) == 20
    assert bans[0] == (10.0, "hub 10", "withholds")
    assert bans[-1] == (29.0, "hub 29", "withholds")


def test_it_shares_its_file_with_the_rounds(tmp_path: Path) -> None:
    """Both write to one ledger at the same time."""
    path = tmp_path / "l.sqlite"
    with History(path, "spark") as ledger, closing(Contribution(path)) as book:
        ledger.record(finished(1))
        book.thank("anne", [1], 0.0)
        ledger.record(finished(2))
        assert ledger.history() == [finished(1), finished(2)]
        assert book.helped() == Helped(1, 1)


def test_garbage_in_place_of_the_file_is_explained(tmp_path: Path) -> None:
    """A damaged file gets a sentence with a way out, and is left as it is."""
    path = tmp_path / "l.sqlite"
    path.write_bytes(b"this is no database" * 100)
    with pytest.raises(HomeError, match="Move it away"):
        Contribution(path)
    assert path.read_bytes().startswith(b"this is no database")


def test_trouble_with_an_open_file_is_explained(tmp_path: Path) -> None:
    """Reading and writing say what is wrong in words."""
    path = tmp_path / "l.sqlite"
    with closing(Contribution(path)) as book, closing(sqlite3.connect(path)) as other:
        other.executescript("DROP TABLE thanks; DROP TABLE bans")
        with pytest.raises(HomeError, match="Move it away"):
            book.thank("anne", [1], 0.0)
        with pytest.raises(HomeError, match="Move it away"):
            book.helped()
        with pytest.raises(HomeError, match="Move it away"):
            book.ban("hub", "withholds", 0.0)
        with pytest.raises(HomeError, match="Move it away"):
            book.bans()


def test_a_full_disk_is_told_apart(tmp_path: Path) -> None:
    """No room is said as such."""
    with closing(Contribution(tmp_path / "l.sqlite")) as book:
        book._db.execute("PRAGMA max_page_count = 1")  # noqa: SLF001 - how SQLite plays a full disk
        with pytest.raises(DiskFullError):  # noqa: PT012 - some is the first without room
            for number in range(1, 1_000):
                book.ban("hub", "withholds" * 10, number)
