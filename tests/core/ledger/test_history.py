"""The record of rounds on disk."""

import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from core.api.events import RoundFinished
from core.errors import HomeError
from core.ledger import history
from core.ledger.days import read_days
from core.ledger.history import FIRST, ONE_OF, History
from core.storage.sqlite import read_pragma
from tests.fakes import finished


def test_rounds_survive_reopening(tmp_path: Path) -> None:
    """What was recorded is read back equal, by another connection."""
    with History(tmp_path / "l.sqlite", "spark") as ledger:
        ledger.record(finished(1))
        ledger.record(finished(2, 0.75))
    with History(tmp_path / "l.sqlite", "spark") as ledger:
        assert ledger.history() == [finished(1), finished(2, 0.75)]


def test_a_round_recorded_again_replaces_its_row(tmp_path: Path) -> None:
    """A round repeated after a crash counts once."""
    with History(tmp_path / "l.sqlite", "spark") as ledger:
        ledger.record(finished(1, 0.25))
        ledger.record(finished(1, 0.5))
        assert ledger.history() == [finished(1, 0.5)]


def test_slow_rounds_are_flushed_and_quick_ones_together(tmp_path: Path) -> None:
    """A power cut takes some seconds of practice, and never a round of a minute."""
    now, flushed = [0.0], list[bool]()
    with History(tmp_path / "l.sqlite", "spark", lambda: now[0]) as ledger:
        for number, at in enumerate((0.0, 0.1, 9.9, 10.0, 70.0, 70.1), start=1):
            now[0] = at
            ledger.record(finished(number))
            flushed.append(read_pragma(ledger._db, "synchronous") == 2)  # noqa: SLF001 - nothing else tells
    assert flushed == [True, False, False, True, True, False]


def test_models_keep_their_own_rounds(tmp_path: Path) -> None:
    """Forgetting rounds of one model leaves those of another."""
    path = tmp_path / "l.sqlite"
    with History(path, "spark") as spark, History(path, "ember") as ember:
        for number in (1, 2, 3):
            spark.record(finished(number))
        ember.record(finished(1))
        spark.forget_after(1)
        assert [r.round for r in spark.history()] == [1]
        assert [r.round for r in ember.history()] == [1]


def test_every_field_of_a_round_has_a_column(tmp_path: Path) -> None:
    """A field added to the event cannot be forgotten here."""
    with History(tmp_path / "l.sqlite", "spark") as ledger:
        ledger.record(finished(1))
    with sqlite3.connect(tmp_path / "l.sqlite") as db:
        columns = [row[1] for row in db.execute("PRAGMA table_info(rounds)")]
    db.close()
    assert columns == ["model", *[f.name for f in msgspec.structs.fields(RoundFinished)]]


def test_trouble_with_an_open_file_is_explained(tmp_path: Path) -> None:
    """Recording, reading and forgetting say what is wrong in words."""
    path = tmp_path / "l.sqlite"
    with History(path, "spark") as ledger, closing(sqlite3.connect(path)) as other:
        ledger.record(finished(1))
        other.execute("UPDATE rounds SET score = 'high'")
        other.commit()
        with pytest.raises(HomeError, match="Move it away"):
            ledger.history()
        other.execute("DROP TABLE rounds")
        other.commit()
        with pytest.raises(HomeError, match="Move it away"):
            ledger.record(finished(2))
        with pytest.raises(HomeError, match="Move it away"):
            ledger.forget_after(0)
        with pytest.raises(HomeError, match="Move it away"):
            ledger.history()


def test_rounds_can_be_kept_under_another_name(tmp_path: Path) -> None:
    """A model that is started over begins without them, and gets them back; others keep theirs."""
    path = tmp_path / "l.sqlite"
    with History(path, "spark") as spark, History(path, "ember") as ember:
        ember.record(finished(1))
        for number in (1, 2):
            spark.record(finished(number))
        spark.rename("spark@then")
    with History(path, "spark") as spark, History(path, "spark@then") as then:
        assert (len(spark.history()), len(then.history())) == (0, 2)
        spark.record(finished(1))
        then.rename("spark")
        assert [r.round for r in spark.history()] == [1, 2]
    with History(path, "ember") as ember:
        assert len(ember.history()) == 1


STEP_S = 3_600.0
OLD = 300
RECENT = 168


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A ledger with a round an hour; so many as the last ``RECENT`` are to stay."""
    monkeypatch.setattr(history, "LAST", RECENT)
    made = tmp_path / "l.sqlite"
    with History(made, "spark") as ledger:
        for number in range(1, OLD + RECENT + 1):
            at = 1_790_000_000 + number * STEP_S
            ledger.record(replace(finished(number, number / 1_000), at=at, answers=64, solved=16))
    return made


def kept(path: Path, model: str = "spark") -> list[int]:
    with History(path, model) as ledger:
        return [one.round for one in ledger.history()]


def test_of_old_rounds_some_stay_and_of_the_last_all(path: Path) -> None:
    """And the beginning; looking again changes nothing."""
    old = [*range(1, FIRST + 1), *range(128, OLD, ONE_OF)]
    recent = list(range(OLD + 1, OLD + RECENT + 1))
    assert kept(path) == old + recent
    assert kept(path) == old + recent


def test_of_few_rounds_all_stay(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A large model plays a hundred a day, and years of them are nothing to a disk."""
    monkeypatch.setattr(history, "LAST", OLD + RECENT)
    assert kept(path) == list(range(1, OLD + RECENT + 1))


def test_what_was_done_still_counts(path: Path) -> None:
    """Sums of rounds, hours and answers stay as they were, and later ones are added."""
    before = read_days(path)
    with History(path, "spark") as ledger:
        assert read_days(path) == before
        ledger.forget_after(OLD + RECENT - 10)
    assert sum(day.rounds for day in read_days(path)) == OLD + RECENT - 10


def test_the_curve_goes_from_end_to_end(path: Path) -> None:
    """It begins and ends as before, and rises as before."""
    with History(path, "spark") as ledger:
        points = ledger.points()
    assert points[0].round < FIRST
    assert points[-1].round == OLD + RECENT
    assert [p.skill for p in points] == sorted(p.skill for p in points)


def test_moving_checkpoints_away_takes_nothing_of_what_was_done(path: Path) -> None:
    """The curve begins anew; a single round was cut off by a crash, and is played again."""
    before = read_days(path)
    with History(path, "spark") as ledger:
        ledger.forget_after(0)
        assert (ledger.history(), read_days(path)) == ([], before)
        ledger.record(finished(1))
        ledger.forget_after(0)
        assert (ledger.history(), read_days(path)) == ([], before)


def test_other_models_are_left_alone(path: Path) -> None:
    """What lies still needs no room of its own account."""
    with History(path, "ember") as ledger:
        for number in (1, 2, 3):
            ledger.record(finished(number))
    assert kept(path, "ember") == [1, 2, 3]


def test_rounds_are_dropped_while_they_are_played(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who never restarts, and plays several a second, does not fill the disk."""
    kept(path)
    monkeypatch.setattr(history, "EVERY", 10)
    with History(path, "spark") as ledger:
        for number in range(OLD + RECENT + 1, OLD + RECENT + 100):
            ledger.record(finished(number))
            assert len(ledger.history()) < FIRST + RECENT + 30


def test_a_start_does_not_take_long(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Years of rounds are thinned out over several starts, from the oldest on."""
    monkeypatch.setattr(history, "MOST_AT_ONCE", 99)
    assert kept(path)[FIRST:][:5] == [128, 160, 192, 201, 202]
    assert kept(path)[FIRST:][:6] == [128, 160, 192, 224, 256, 288]


def test_a_start_with_nothing_to_drop_writes_nothing(path: Path) -> None:
    """As nearly every one: the layout is not even touched."""
    kept(path)
    with closing(sqlite3.connect(path)) as database:
        before = database.execute("PRAGMA schema_version").fetchone()
        kept(path)
        assert database.execute("PRAGMA schema_version").fetchone() == before
