"""Days with practice, by the clock on the wall."""

import sqlite3
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from core.api.contribution import Day, Figures
from core.errors import HomeError
from core.ledger.days import current_streak, local_day, read_days, streaks, total
from core.ledger.history import History
from tests.fakes import finished
from tests.posix import time_zone

TODAY = date(2026, 11, 21)


def before(*days_ago: int) -> list[date]:
    return sorted(TODAY - timedelta(days=ago) for ago in days_ago)


def record(path: Path, *moments: str) -> None:
    """Rounds that ended at these moments, UTC."""
    with History(path, "spark") as ledger:
        done = len(ledger.history())
        for number, moment in enumerate(moments, start=done + 1):
            at = datetime.fromisoformat(moment).replace(tzinfo=UTC).timestamp()
            ledger.record(replace(finished(number), at=at, answers=64, solved=16, shared=8))


def rounds_a_day(path: Path) -> dict[str, int]:
    return {day.day.isoformat(): day.rounds for day in read_days(path)}


def test_a_day_is_one_of_where_the_computer_is_now(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The helper runs on while a laptop travels, and asks for nothing else that tells the zone."""
    record(tmp_path / "ledger", "2026-11-20T23:30")
    with time_zone("HOME0"):
        assert rounds_a_day(tmp_path / "ledger") == {"2026-11-20": 1}
        with monkeypatch.context() as travelled:
            travelled.setenv("TZ", "AWAY-5")
            assert rounds_a_day(tmp_path / "ledger") == {"2026-11-21": 1}
            travelled.setenv("TZ", "BACK5")
            assert local_day(datetime(2026, 11, 21, 2, tzinfo=UTC).timestamp()) == date(
                2026, 11, 20
            )


def test_without_a_ledger_there_are_no_days(tmp_path: Path) -> None:
    """Looking makes no file."""
    assert read_days(tmp_path / "l.sqlite") == []
    assert not (tmp_path / "l.sqlite").exists()


def test_a_day_begins_at_midnight_where_the_computer_is(tmp_path: Path) -> None:
    """The same rounds belong to other days after a journey; zones of half hours count, too."""
    path = tmp_path / "l.sqlite"
    record(path, "2026-11-20T18:20", "2026-11-20T18:35", "2026-11-21T10:00", "2026-11-21T10:01")
    with time_zone("UTC0"):
        assert rounds_a_day(path) == {"2026-11-20": 2, "2026-11-21": 2}
    with time_zone("IST-5:30"):
        assert rounds_a_day(path) == {"2026-11-20": 1, "2026-11-21": 3}
    with time_zone("HST10"):
        assert rounds_a_day(path) == {"2026-11-20": 2, "2026-11-21": 2}
    with time_zone("LINT-14"):
        assert rounds_a_day(path) == {"2026-11-21": 2, "2026-11-22": 2}


def test_summer_time_moves_midnight(tmp_path: Path) -> None:
    """A quarter past ten in the evening UTC is today in a European winter, tomorrow in summer."""
    path = tmp_path / "l.sqlite"
    record(path, "2026-01-10T22:15", "2026-07-10T22:15")
    with time_zone("CET-1CEST,M3.5.0,M10.5.0/3"):
        assert rounds_a_day(path) == {"2026-01-10": 1, "2026-07-11": 1}
        at = datetime(2026, 7, 10, 22, 15, tzinfo=UTC).timestamp()
        assert local_day(at) == date(2026, 7, 11)


def test_a_day_sums_up_all_models(tmp_path: Path) -> None:
    """Rounds of different models on one day are one day's work."""
    path = tmp_path / "l.sqlite"
    record(path, "2026-11-20T12:00", "2026-11-20T12:20")
    with History(path, "ember") as ledger:
        at = datetime(2026, 11, 20, 12, 5, tzinfo=UTC).timestamp()
        ledger.record(replace(finished(1), at=at))
    (day,) = read_days(path)
    assert day.seconds == pytest.approx(3 * 0.81)
    assert replace(day, seconds=0.0) == Day(
        day=day.day,
        rounds=3,
        tokens=2_700,
        answers=128,
        solved=32,
        shared=16,
        uncounted=1,
        unmetered=3,
    )


def test_a_damaged_ledger_is_explained(tmp_path: Path) -> None:
    """Figures that are none are not passed on."""
    path = tmp_path / "l.sqlite"
    record(path, "2026-11-20T12:00")
    with closing(sqlite3.connect(path)) as db:
        db.execute("UPDATE quarters SET tokens = 0.5")
        db.commit()
    with pytest.raises(HomeError, match="Move it away"):
        read_days(path)


def test_the_total_is_the_sum_of_each_figure() -> None:
    """Nothing of none, and every figure on its own."""
    assert total([]) == Figures()
    parts = [Figures(rounds=1, seconds=0.5, tokens=3), Figures(rounds=2, solved=4, uncounted=1)]
    assert total(parts) == Figures(rounds=3, seconds=0.5, tokens=3, solved=4, uncounted=1)


@pytest.mark.parametrize(
    ("days", "streak"),
    [
        (before(), 0),
        (before(0), 1),
        (before(1), 1),  # today may still come
        (before(2), 0),
        (before(0, 1, 2), 3),
        (before(1, 2, 3), 3),
        (before(0, 1, 3, 4, 5), 2),
        (before(-3, 0, 1), 2),  # the clock was wrong for a day
        (before(-3), 0),
    ],
)
def test_the_current_streak_ends_today_or_yesterday(days: list[date], streak: int) -> None:
    """Days in a row, that are still going on."""
    assert current_streak(days, TODAY) == streak


@given(st.sets(st.integers(0, 60)))
def test_a_streak_grows_by_one_a_day_and_begins_anew_after_a_gap(ago: set[int]) -> None:
    """Each day's streak is as many as there are practised days right before it, and itself."""
    days = before(*ago)
    for day, length in zip(days, streaks(days), strict=True):
        assert all(day - timedelta(days=back) in days for back in range(length))
        assert day - timedelta(days=length) not in days
