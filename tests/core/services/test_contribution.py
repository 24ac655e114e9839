"""What was contributed, looked up in a real ledger."""

import csv
import errno
import os
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from io import StringIO
from pathlib import Path

import pytest
from msgspec.structs import replace

from core.api.contribution import (
    MOST_DAYS,
    ContributionExported,
    ContributionShown,
    Day,
    ExportContribution,
    Figures,
    ShowContribution,
)
from core.api.pipe import MAX_LINE, encode
from core.errors import DiskFullError, HomeError
from core.ledger.contribution import Contribution
from core.ledger.history import History
from core.paths import Home
from core.services.contribution import COLUMNS, look_up, table
from core.services.service import ServiceContext
from core.wire.identity import load_or_create_identity
from core.wire.names import friendly_name
from tests.asking_services import answer_to, answers_to
from tests.fakes import finished

TODAY = date(2026, 11, 21)


def practise(home: Home, *days_ago: int, model: str = "spark") -> None:
    """One counted round at noon of each day."""
    with History(home.ledger, model) as ledger:
        for number, ago in enumerate(days_ago, start=1):
            noon = datetime(2026, 11, 21, 12).astimezone() - timedelta(days=ago)
            at = noon.timestamp()
            ledger.record(replace(finished(number), at=at, answers=64, solved=16, shared=8))


def files_in(folder: Path) -> set[str]:
    return {found.name for found in folder.iterdir()}


def exported(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(path.read_text("utf-8"))))


def test_before_the_first_round_there_is_nothing_and_no_zero_that_is_not_known(home: Home) -> None:
    """No figures, no days, no name; who learnt from here is unknown; looking makes no ledger."""
    shown = look_up(home, TODAY)
    assert shown.totals == Figures()
    assert (shown.learners, shown.first_day, shown.name) == (None, None, "")
    assert shown.days == ()
    assert not home.ledger.exists()


def test_all_models_and_all_days_are_summed_up(home: Home) -> None:
    """Days are counted once, streaks over all models."""
    practise(home, 5, 4, 3, 1)
    practise(home, 3, 0, model="ember")
    shown = look_up(home, TODAY)
    assert shown.totals.rounds == 6
    assert shown.totals.seconds == pytest.approx(6 * 0.81)
    assert (shown.totals.answers, shown.totals.solved, shown.totals.shared) == (384, 96, 48)
    assert [day.rounds for day in shown.days] == [1, 1, 2, 1, 1]
    assert (shown.active_days, shown.streak, shown.longest_streak) == (5, 2, 3)
    assert shown.first_day == TODAY - timedelta(days=5)


def test_those_who_were_helped_come_from_the_book(home: Home) -> None:
    """In a swarm nobody is an answer; later everybody who gave thanks."""
    practise(home, 1, 0)
    with closing(Contribution(home.ledger)) as book:
        assert look_up(home, TODAY).learners == 0
        noon = datetime(2026, 11, 20, 12, tzinfo=UTC).timestamp()
        book.thank("anne", [1, 2], noon)
        book.thank("bob", [2], noon)
    shown = look_up(home, TODAY)
    assert (shown.learners, shown.thanks) == (2, 3)
    (first,) = (m for m in shown.milestones if m.kind == "learners" and m.reached)
    assert first.reached is not None
    assert abs(first.reached - date(2026, 11, 20)) <= timedelta(days=1)  # wherever this runs


def test_the_name_is_the_made_up_one(home: Home) -> None:
    """That of the node's key; a key that cannot be read costs the name and nothing else."""
    identity = load_or_create_identity(home.identity)
    assert look_up(home, TODAY).name == friendly_name(identity.peer_id)
    home.identity.write_bytes(b"no key")
    assert look_up(home, TODAY).name == ""


async def test_the_answer_fits_on_a_line_however_long_the_history(home: Home) -> None:
    """The newest days are told; the totals know all."""
    practise(home, *range(700, -1, -1))
    shown = await answer_to(ShowContribution(), ServiceContext(home), ContributionShown)
    assert len(shown.days) == MOST_DAYS
    assert shown.days[-1].day == TODAY
    assert shown.totals.rounds == shown.active_days == shown.longest_streak == 701
    assert len(encode(shown)) < MAX_LINE / 10


async def test_the_table_has_a_row_for_every_day(home: Home, tmp_path: Path) -> None:
    """All of them, oldest first, in place of an older table; nothing else is left there."""
    practise(home, *range(500, -1, -1))
    path = tmp_path / "taken" / "mine.csv"
    path.parent.mkdir()
    path.write_text("an older table", "utf-8")
    told = await answers_to(ExportContribution(path=str(path)), ServiceContext(home))
    assert told == [ContributionExported(path=str(path), days=501)]
    rows = exported(path)
    assert len(rows) == 501
    assert rows[-1]["day"] == "2026-11-21"
    assert rows[-1]["rounds"] == "1"
    assert rows[-1]["answers"] == "64"
    assert files_in(path.parent) == {"mine.csv"}


def test_what_is_not_known_is_left_empty_in_the_table() -> None:
    """Zero is a figure; an empty field is none."""
    text = table(
        [
            Day(day=date(2026, 1, 1), rounds=2, uncounted=2, seconds=1.26, tokens=7),
            Day(day=date(2026, 1, 2), rounds=2, uncounted=1, answers=64, tokens=7),
        ]
    )
    assert text.splitlines() == [
        ",".join(COLUMNS),
        "2026-01-01,2,1.3,7,,,,2",
        "2026-01-02,2,0.0,7,64,0,0,1",
    ]


async def test_a_table_that_cannot_be_written_is_explained(home: Home, tmp_path: Path) -> None:
    """A folder in its place stays, and the words name the way out."""
    practise(home, 0)
    for path in (tmp_path, tmp_path / "nowhere" / "mine.csv"):
        with pytest.raises(HomeError, match="Choose another place"):
            await answers_to(ExportContribution(path=str(path)), ServiceContext(home))


async def test_without_room_the_older_table_stays(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk is said as such; no draft is left behind."""
    practise(home, 0)
    path = tmp_path / "mine.csv"
    path.write_text("an older table", "utf-8")

    def no_room(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", no_room)
    with pytest.raises(DiskFullError, match="try again"):
        await answers_to(ExportContribution(path=str(path)), ServiceContext(home))
    assert path.read_text("utf-8") == "an older table"
    assert files_in(tmp_path) == {"home", "mine.csv"}


async def test_a_damaged_ledger_is_refused_in_words(home: Home) -> None:
    """Rather than shown as nothing."""
    home.ledger.write_bytes(b"this is no database" * 100)
    with pytest.raises(HomeError, match="Move it away"):
        await answers_to(ShowContribution(), ServiceContext(home))
