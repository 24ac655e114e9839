"""What was contributed, looked up in a real ledger."""

import csv
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from core.api.contribution import (
    MOST_DAYS,
    MOST_MILESTONES,
    ContributionExported,
    ContributionShown,
    Day,
    ExportContribution,
    Figures,
    Kind,
    Milestone,
    ShowContribution,
)
from core.api.curves import MAX_POINTS
from core.api.pipe import MAX_LINE, encode
from core.api.practice import HistoryShown, ShowHistory
from core.errors import HomeError
from core.ledger.contribution import Contribution
from core.ledger.history import History
from core.paths import Home
from core.services.contribution import COLUMNS, GOALS, look_up, milestones, table
from core.services.service import ServiceContext
from core.settings import PracticeSettings, Settings, save_settings
from core.tasks.catalog import load_catalog
from core.tasks.deck_tasks import scope_of
from core.wire.identity import load_or_create_identity
from core.wire.names import friendly_name
from tests.asking_services import answer_to, answers_to
from tests.core.ledger.test_curve import many
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


def test_days_of_a_clock_that_was_wrong_are_no_days_of_practice(home: Home) -> None:
    """Before there was a Waggle, or after today; what was done on them counts all the same."""
    practise(home, 20_778, 20_777, 6_000, 1, 0, -40, -41, -42)  # from 1970 on
    shown = look_up(home, TODAY)
    assert shown.totals.rounds == 8
    assert shown.first_day == TODAY - timedelta(days=1)
    assert (shown.active_days, shown.streak, shown.longest_streak) == (2, 2, 2)
    assert [day.day for day in shown.days] == [TODAY - timedelta(days=1), TODAY]
    reached = {one.reached for one in shown.milestones if one.reached}
    assert reached == {TODAY - timedelta(days=1)}


def test_a_clock_that_is_still_wrong_has_days_all_the_same(home: Home) -> None:
    """Nobody practised for hours on no day at all."""
    practise(home, 6_001, 6_000)
    shown = look_up(home, TODAY - timedelta(days=6_000))
    assert (shown.active_days, shown.streak) == (2, 2)


async def test_what_others_taught_is_told_of_the_model_that_is_asked_about(home: Home) -> None:
    """By the ledger; of no model, or of another one, nothing is claimed."""
    with History(home.ledger, "spark") as ledger:
        ledger.record(replace(finished(1), taught=4))
    for model, taught in (("spark", 4), ("ember", 0), (None, 0)):
        asked = ShowContribution(model=model)
        assert (await answer_to(asked, ServiceContext(home), ContributionShown)).taught == taught


def test_those_who_were_helped_come_from_the_log(home: Home) -> None:
    """In a swarm nobody is an answer; later everybody who gave thanks."""
    practise(home, 1, 0)
    with closing(Contribution(home.ledger)) as contribution:
        assert look_up(home, TODAY).learners == 0
        noon = datetime(2026, 11, 20, 12, tzinfo=UTC).timestamp()
        contribution.thank("anne", [1, 2], noon)
        contribution.thank("bob", [2], noon)
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


def test_the_answer_fits_on_a_line_however_long_the_history(home: Home) -> None:
    """The newest days are told; the totals know all."""
    practise(home, *range(0, -701, -1))
    today = TODAY + timedelta(days=700)
    shown = look_up(home, today)
    assert len(shown.days) == MOST_DAYS
    assert shown.days[-1].day == today
    assert shown.totals.rounds == 701
    assert len(encode(shown)) < MAX_LINE / 10


async def test_the_table_has_a_row_for_every_day(home: Home, tmp_path: Path) -> None:
    """All of them, oldest first, in place of an older table; nothing else is left there."""
    practise(home, *range(500, -1, -1))
    path = tmp_path / "taken" / "mine.csv"
    path.parent.mkdir()
    path.write_text("an older table", "utf-8")
    told = await answers_to(ExportContribution(path=str(path)), ServiceContext(home))
    assert told == [ContributionExported(path=str(path))]
    rows = exported(path)
    assert len(rows) == 501
    assert rows[-1]["day"] == "2026-11-21"
    assert rows[-1]["rounds"] == "1"
    assert rows[-1]["answers"] == "64"
    assert files_in(path.parent) == {"mine.csv"}


def test_the_table_has_the_energy_of_a_day() -> None:
    """What was not measured is estimated; a quarter of a kilowatt-hour here."""
    day = Day(day=TODAY, rounds=2, joules=180_000.0, unmeasured_s=60_000.0)
    (row,) = csv.DictReader(StringIO(table([day], 12.0)))
    assert row["kilowatt_hours"] == "0.25"


def test_what_is_not_known_is_left_empty_in_the_table() -> None:
    """Zero is a figure; an empty field is none."""
    text = table(
        [
            Day(day=date(2026, 1, 1), rounds=2, uncounted=2, seconds=1.26, tokens=7, unmetered=2),
            Day(day=date(2026, 1, 2), rounds=2, uncounted=1, answers=64, tokens=7, unmetered=1),
        ],
        watts=12.0,
    )
    assert text.splitlines() == [
        ",".join(COLUMNS),
        "2026-01-01,2,1.3,7,,,,2,",
        "2026-01-02,2,0.0,7,64,0,0,1,0.0",
    ]


async def test_a_table_that_cannot_be_written_is_explained(home: Home, tmp_path: Path) -> None:
    """A folder in its place stays, and the words name the way out."""
    practise(home, 0)
    for path in (tmp_path, tmp_path / "nowhere" / "mine.csv"):
        with pytest.raises(HomeError, match="Choose another place"):
            await answers_to(ExportContribution(path=str(path)), ServiceContext(home))


async def test_a_damaged_ledger_is_refused_in_words(home: Home) -> None:
    """Rather than shown as nothing."""
    home.ledger.write_bytes(b"this is no database" * 100)
    with pytest.raises(HomeError, match="Move it away"):
        await answers_to(ShowContribution(), ServiceContext(home))


HOUR = 3_600.0


def ago(days: int) -> date:
    return TODAY - timedelta(days=days)


def practised(*days: tuple[int, int]) -> list[Day]:
    """Days (so many ago, so many rounds of an hour each)."""
    return [Day(day=ago(when), rounds=rounds, seconds=HOUR * rounds) for when, rounds in days]


def of(kind: Kind, found: Sequence[Milestone]) -> list[tuple[int, int, date | None]]:
    return [(one.goal, one.have, one.reached) for one in found if one.kind == kind]


def test_before_the_first_round_the_first_ones_lie_ahead() -> None:
    """One of each kind, none reached; of others nothing is said while nothing is known."""
    found = milestones([], None, TODAY)
    assert [(m.kind, m.goal, m.have, m.reached) for m in found] == [
        ("rounds", 1, 0, None),
        ("hours", 10, 0, None),
        ("streak", 7, 0, None),
    ]


def test_a_milestone_keeps_the_day_on_which_it_was_reached() -> None:
    """The day whose rounds filled it up, and the next one with how far it is."""
    found = milestones(practised((9, 60), (5, 39), (4, 1), (0, 20)), None, TODAY)
    assert of("rounds", found) == [(1, 1, ago(9)), (100, 100, ago(4)), (1_000, 120, None)]
    assert of("hours", found) == [(10, 10, ago(9)), (100, 100, ago(4)), (1_000, 120, None)]


def test_what_was_done_by_a_wrong_clock_counts_as_of_the_first_right_day() -> None:
    """It was done, and nobody knows when."""
    found = milestones(practised((20_700, 60), (5, 39), (4, 1), (-9, 20)), None, TODAY)
    assert of("rounds", found) == [(1, 1, ago(5)), (100, 100, ago(5)), (1_000, 120, None)]
    assert of("hours", found) == [(10, 10, ago(5)), (100, 100, ago(5)), (1_000, 120, None)]


def test_a_streak_that_broke_was_reached_all_the_same() -> None:
    """It stays; the next one counts the streak of today."""
    found = milestones(practised(*((n, 1) for n in (20, 19, 18, 17, 16, 15, 14, 1, 0))), [], TODAY)
    assert of("streak", found) == [(7, 7, ago(14)), (30, 2, None)]
    wrong = practised(*((n, 1) for n in range(6_007, 6_000, -1)), (0, 1))
    assert of("streak", milestones(wrong, [], TODAY)) == [(7, 1, None)]


def test_the_first_others_who_were_helped_are_one() -> None:
    """Counted once each, on the day of their first thanks."""
    found = milestones(practised((3, 1)), [(ago(2), 2), (ago(1), 8)], TODAY)
    assert of("learners", found) == [(1, 1, ago(2)), (10, 10, ago(1)), (100, 10, None)]
    assert of("learners", milestones(practised((3, 1)), [], TODAY)) == [(1, 0, None)]


days = st.lists(
    st.tuples(st.integers(0, 900), st.integers(1, 200_000)), unique_by=lambda d: d[0], max_size=40
)


@given(days, st.integers(0, 20_000))
def test_at_most_one_of_each_kind_lies_ahead(script: list[tuple[int, int]], helped: int) -> None:
    """Whatever was done: goals rise, days rise, and progress never passes its goal."""
    done = practised(*sorted(script, reverse=True))
    found = milestones(done, [(ago(5), helped)], TODAY)
    assert len(found) <= MOST_MILESTONES
    for kind, goals in GOALS.items():
        mine = of(kind, found)
        assert tuple(goal for goal, _, _ in mine) == goals[: len(mine)]
        assert all(have <= goal for goal, have, _ in mine)
        reached = [day for _, _, day in mine if day is not None]
        assert reached == sorted(reached)
        assert [day for _, _, day in mine][: len(reached)] == reached
        assert len(mine) - len(reached) <= 1


async def history_of(home: Home, model: str = "spark") -> HistoryShown:
    return await answer_to(ShowHistory(model=model), ServiceContext(home), HistoryShown)


async def test_history_is_what_the_engine_would_start_with(home: Home) -> None:
    """The same points, so that nothing jumps when it does."""
    many(home.ledger, 5_000)
    with History(home.ledger, "spark") as ledger:
        expected = tuple(ledger.points())
    answer = await history_of(home)
    assert answer.history == expected
    assert answer.history[-1].round == 5_000
    assert len(answer.history) <= MAX_POINTS


async def test_the_history_of_models_is_told_apart(home: Home) -> None:
    """The rounds of one are not those of another; looking where there are none makes no ledger."""
    assert (await history_of(home)).history == ()
    assert not home.ledger.exists()
    with History(home.ledger, "ember") as ledger:
        ledger.record(replace(finished(4), skill=0.5))
    assert (await history_of(home)).history == ()
    (point,) = (await history_of(home, "ember")).history
    assert (point.round, point.skill) == (4, 0.5)


async def test_rounds_before_a_skill_is_known_count(home: Home) -> None:
    """There is no point of them yet, and still nobody is told that nothing was practised."""
    with History(home.ledger, "spark") as ledger:
        ledger.record(replace(finished(251), skill=None))
    answer = await history_of(home)
    assert (answer.history, answer.round) == ((), 251)


async def test_of_chosen_kinds_the_history_says_that_it_is_of_these_alone(home: Home) -> None:
    """So that nobody calls it all puzzles before the first round is done."""
    assert (await history_of(home)).scope is None
    home.prepare()
    save_settings(Settings(practice=PracticeSettings(kinds=("gcd",))), home.settings)
    scope = scope_of(load_catalog().only(["gcd"]))
    with History(home.ledger, "spark") as ledger:
        ledger.record(replace(finished(4), skill=0.5, scope=scope))
    answer = await history_of(home)
    assert (len(answer.history), answer.scope) == (1, scope)
