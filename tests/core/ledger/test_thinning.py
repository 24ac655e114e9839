"""Old rounds make room."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from core.ledger import thinning
from core.ledger.days import read_days
from core.ledger.history import History
from core.ledger.thinning import FIRST, ONE_OF, WHOLE_S
from tests.fakes import finished

STEP_S = 3_600.0
OLD = 300
RECENT = int(WHOLE_S / STEP_S)


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A ledger with a round an hour; the last ``RECENT`` and one more lie within a week."""
    monkeypatch.setattr(thinning, "LAST", 100)
    made = tmp_path / "l.sqlite"
    with History(made, "spark") as ledger:
        for number in range(1, OLD + RECENT + 1):
            at = 1_790_000_000 + number * STEP_S
            ledger.record(replace(finished(number, number / 1_000), at=at, answers=64, solved=16))
    return made


def kept(path: Path, model: str = "spark") -> list[int]:
    with History(path, model) as ledger:
        return [one.round for one in ledger.history()]


def test_of_old_rounds_some_stay_and_of_the_last_week_all(path: Path) -> None:
    """And the beginning; looking again changes nothing."""
    old = [*range(1, FIRST + 1), *range(128, OLD, ONE_OF)]
    recent = list(range(OLD, OLD + RECENT + 1))
    assert kept(path) == old + recent
    assert kept(path) == old + recent


def test_of_few_rounds_all_stay(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A large model plays a hundred a day, and years of them are nothing to a disk."""
    monkeypatch.setattr(thinning, "LAST", OLD + RECENT)
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
    assert [p.score for p in points] == sorted(p.score for p in points)


def test_other_models_are_left_alone(path: Path) -> None:
    """What lies still needs no room of its own account."""
    with History(path, "ember") as ledger:
        for number in (1, 2, 3):
            ledger.record(finished(number))
    assert kept(path, "ember") == [1, 2, 3]


def test_a_start_does_not_take_long(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Years of rounds are thinned out over several starts, from the oldest on."""
    monkeypatch.setattr(thinning, "MOST_AT_ONCE", 99)
    assert kept(path)[FIRST:][:5] == [128, 160, 192, 201, 202]
    assert kept(path)[FIRST:][:6] == [128, 160, 192, 224, 256, 288]


def test_a_start_with_nothing_to_drop_writes_nothing(path: Path) -> None:
    """As nearly every one: the layout is not even touched."""
    kept(path)
    with closing(sqlite3.connect(path)) as database:
        before = database.execute("PRAGMA schema_version").fetchone()
        kept(path)
        assert database.execute("PRAGMA schema_version").fetchone() == before
