"""The rounds of a model as a curve, read from the ledger."""

from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from core.api.curves import MAX_POINTS, point_of, summarise
from core.errors import HomeError
from core.ledger.curve import LastRound, look_up_curve, look_up_last
from core.ledger.history import History
from core.ledger.schema import FIELDS, open_ledger
from tests.fakes import finished


def many(path: Path, count: int) -> None:
    """Rounds of every score, one in 20 seconds, in one transaction."""
    rows = [
        ("spark", *(getattr(one, name) for name in FIELDS))
        for number in range(1, count + 1)
        for one in (replace(finished(number, number % 7 / 7), at=20.0 * number),)
    ]
    with closing(open_ledger(path)) as db, db:
        marks = ", ".join("?" * (1 + len(FIELDS)))
        db.executemany(f"INSERT INTO rounds (model, {', '.join(FIELDS)}) VALUES ({marks})", rows)  # noqa: S608 - own field names


def test_no_rounds_no_points(tmp_path: Path) -> None:
    """A model that never practised."""
    with History(tmp_path / "l.sqlite", "spark") as ledger:
        assert ledger.points() == []


def test_a_short_history_is_told_as_it_is(tmp_path: Path) -> None:
    """Round by round, also where some are missing."""
    with History(tmp_path / "l.sqlite", "spark") as ledger:
        for number in (1, 2, 5):
            ledger.record(replace(finished(number), swarm_skill=0.5))
        assert ledger.points() == [point_of(one) for one in ledger.history()]


def test_a_long_history_stays_small_and_means_the_same(tmp_path: Path) -> None:
    """The sentence of Home is that of all rounds; the last hour keeps every round."""
    path = tmp_path / "l.sqlite"
    many(path, 20_000)
    with History(path, "spark") as ledger:
        points, rounds = ledger.points(), ledger.history()
    assert len(points) <= MAX_POINTS
    assert summarise(points, None) == summarise([p for one in rounds if (p := point_of(one))], None)
    assert [point.round for point in points[-170:]] == list(range(19_831, 20_001))
    assert sum(p.skill for p in points) / len(points) == pytest.approx(3 / 7, abs=0.02)


def test_what_was_practised_beside_is_no_part_of_the_curve(tmp_path: Path) -> None:
    """A skill in one deck would be drawn as if all puzzles were meant."""
    path = tmp_path / "l.sqlite"
    with History(path, "spark") as ledger:
        for number, scope in ((1, None), (2, "0123456789abcdef"), (3, None)):
            ledger.record(replace(finished(number), scope=scope))
        assert [point.round for point in ledger.points()] == [1, 3]
        assert [point.round for point in ledger.points("0123456789abcdef")] == [2]
    assert [point.round for point in look_up_curve(path, "spark", "0123456789abcdef")] == [2]


def test_a_ledger_that_is_not_open_can_be_looked_up(tmp_path: Path) -> None:
    """By model, beside whoever writes it; where there is none, none is made."""
    path = tmp_path / "l.sqlite"
    assert look_up_curve(path, "spark") == []
    assert not path.exists()
    with History(path, "spark") as ledger:
        ledger.record(finished(1))
        assert look_up_curve(path, "spark") == ledger.points()
    assert look_up_curve(path, "ember") == []


def test_the_last_round_says_where_a_model_stands(tmp_path: Path) -> None:
    """What others taught is no sum of rounds; before it was counted, or without rounds, nothing."""
    path = tmp_path / "l.sqlite"
    assert look_up_last(path, "spark") == LastRound()
    assert not path.exists()
    with History(path, "spark") as ledger, History(path, "ember") as other:
        for number, taught in ((1, 0), (2, 3), (3, 4)):
            ledger.record(replace(finished(number), taught=taught))
        other.record(finished(7))
    told = [look_up_last(path, model) for model in ("spark", "ember", "blaze")]
    assert told == [(3, 4), (7, 0), (0, 0)]


def test_a_damaged_ledger_is_explained(tmp_path: Path) -> None:
    """Rather than taken for one without rounds."""
    path = tmp_path / "l.sqlite"
    path.write_bytes(b"this is no database" * 100)
    with pytest.raises(HomeError, match="Move it away"):
        look_up_curve(path, "spark")
