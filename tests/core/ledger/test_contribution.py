"""The record of thanks on disk."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import HomeError
from core.ledger import contribution as contribution_module
from core.ledger.contribution import (
    MOST_A_DAY,
    MOST_NEW_A_DAY,
    Contribution,
    Helped,
    Newcomers,
    has_met_others,
)
from core.ledger.history import History
from tests.fakes import finished

DAY = 86_400.0
IN_MEMORY = Path(":memory:")
RECEIPTS = st.lists(
    st.tuples(
        st.sampled_from("abcdefgh"), st.lists(st.integers(1, 9), max_size=6), st.integers(0, 3)
    ),
    max_size=40,
)
"""Who thanks for what, and on which day."""


def rows(contribution: Contribution) -> int:
    """How many thanks are remembered."""
    (kept,) = contribution._db.execute("SELECT count(*) FROM thanks").fetchone()  # noqa: SLF001 - its size
    return int(kept)


def test_thanks_survive_reopening(tmp_path: Path) -> None:
    """Learners and groups are counted, by another connection too."""
    with closing(Contribution(tmp_path / "l.sqlite")) as contribution:
        assert contribution.helped() == Helped(0, 0)
        contribution.thank("anne", [1, 2], 0.0)
        contribution.thank("bob", [2], 0.0)
    with closing(Contribution(tmp_path / "l.sqlite")) as contribution:
        assert contribution.helped() == Helped(learners=2, groups=3)
        assert contribution.learners == 2


def test_a_learner_is_new_once(tmp_path: Path) -> None:
    """On the day of its first thanks; days without anybody new are left out."""
    with closing(Contribution(tmp_path / "l.sqlite")) as contribution:
        assert contribution.newcomers() == []
        contribution.thank("bob", [1], 2 * DAY)
        contribution.thank("anne", [2], 5 * DAY + 100)
        contribution.thank("carol", [2], 2 * DAY + 7)
        contribution.thank("bob", [3], 7 * DAY)
        assert contribution.newcomers() == [Newcomers(2.5 * DAY, 2), Newcomers(5.5 * DAY, 1)]


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
    with closing(Contribution(tmp_path / "l.sqlite")) as contribution:
        for day in range(5):
            contribution.thank("anne", [1, 2, 1], day * DAY)
        assert contribution.helped() == Helped(1, 2)


def test_thanks_are_capped_per_learner_and_day(tmp_path: Path) -> None:
    """In one receipt or in many; the next day it may again, and others may at any time."""
    with closing(Contribution(tmp_path / "l.sqlite")) as contribution:
        contribution.thank("anne", range(1_000), 0.0)
        assert contribution.helped() == Helped(1, MOST_A_DAY)
        for number in range(2_000, 2_100):
            contribution.thank("anne", [number], DAY - 1)
        assert contribution.helped() == Helped(1, MOST_A_DAY)
        contribution.thank("bob", [1], DAY - 1)
        contribution.thank("anne", [5_000], DAY)
        assert contribution.helped() == Helped(2, MOST_A_DAY + 2)


def test_newcomers_are_capped_per_day(tmp_path: Path) -> None:
    """Made-up keys gain little; whoever was known goes on, and the others count on another day."""
    with closing(Contribution(tmp_path / "l.sqlite")) as contribution:
        contribution.thank("anne", [1], 0.0)
        for number in range(1_000):
            contribution.thank(f"made up {number}", [1, 2], DAY)
        assert contribution.helped() == Helped(1 + MOST_NEW_A_DAY, 1 + 2 * MOST_NEW_A_DAY)
        contribution.thank("anne", [2], DAY)
        contribution.thank("bob", [2], DAY)
        assert contribution.helped() == Helped(1 + MOST_NEW_A_DAY, 2 + 2 * MOST_NEW_A_DAY)
        contribution.thank("bob", [2], 2 * DAY)
        assert [day.learners for day in contribution.newcomers()] == [1, MOST_NEW_A_DAY, 1]


def test_who_says_nothing_is_no_learner(tmp_path: Path) -> None:
    """An empty receipt takes nobody's place."""
    with closing(Contribution(tmp_path / "l.sqlite")) as contribution:
        contribution.thank("anne", [], 0.0)
        assert contribution.helped() == Helped(0, 0)


def test_the_oldest_make_room_and_still_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full record takes genuine thanks, knows its learners, and says the same sums."""
    monkeypatch.setattr(contribution_module, "MOST_ROWS", 100)
    path = tmp_path / "l.sqlite"
    with closing(Contribution(path)) as contribution:
        for number in range(300):
            contribution.thank(f"learner {number}", [1], number // 40 * DAY)
            assert rows(contribution) <= 100
        assert contribution.helped() == Helped(300, 300)
    with closing(Contribution(path)) as contribution:
        contribution.thank("learner 0", [2], 20 * DAY)
        contribution.thank("anne", [2], 20 * DAY)
        assert contribution.helped() == Helped(301, 302)
        assert sum(day.learners for day in contribution.newcomers()) == 301
        contribution.thank("learner 299", [1], 20 * DAY)
        assert contribution.helped() == Helped(301, 302), "the newest are remembered"


@given(RECEIPTS)
def test_the_sums_are_those_of_the_rows(receipts: list[tuple[str, list[int], int]]) -> None:
    """Whoever thanks for whatever in whatever order, each learner and each group counts once."""
    said: dict[str, set[int]] = {}
    with closing(Contribution(IN_MEMORY)) as contribution:
        for learner, sequences, day in receipts:
            contribution.thank(learner, sequences, day * DAY)
            said.setdefault(learner, set()).update(sequences)
        groups = [len(sequences) for sequences in said.values() if sequences]
        assert contribution.helped() == Helped(len(groups), sum(groups))
        assert sum(day.learners for day in contribution.newcomers()) == len(groups)


@given(RECEIPTS, st.integers(1, 12), st.integers(1, 4))
def test_no_flood_passes_the_caps(
    receipts: list[tuple[str, list[int], int]], most_rows: int, most_new: int
) -> None:
    """However small they are: sums never fall, learners count once, the record stays small."""
    with pytest.MonkeyPatch.context() as patch, closing(Contribution(IN_MEMORY)) as contribution:
        patch.setattr(contribution_module, "MOST_ROWS", most_rows)
        patch.setattr(contribution_module, "MOST_NEW_A_DAY", most_new)
        patch.setattr(contribution_module, "MOST_A_DAY", 3)
        before = contribution.helped()
        for learner, sequences, day in receipts:
            contribution.thank(learner, sequences, day * DAY)
            after = contribution.helped()
            assert before.learners <= after.learners <= before.learners + 1
            assert before.groups <= after.groups <= before.groups + 3
            assert rows(contribution) <= most_rows
            before = after
        assert all(day.learners <= most_new for day in contribution.newcomers())
        assert before.learners <= len({learner for learner, _, _ in receipts})


def test_what_an_older_waggle_wrote_counts(tmp_path: Path) -> None:
    """Its thanks are added up when the file is opened, and those that it adds later, too."""
    path = tmp_path / "l.sqlite"
    older = sqlite3.connect(path)
    older.executescript(
        "CREATE TABLE thanks (learner TEXT NOT NULL, sequence INTEGER NOT NULL,"
        " day INTEGER NOT NULL, PRIMARY KEY (learner, sequence)) WITHOUT ROWID;"
        "INSERT INTO thanks VALUES ('anne', 1, 3), ('anne', 2, 2), ('bob', 1, 3);"
    )
    with closing(older), closing(Contribution(path)) as contribution:
        assert contribution.helped() == Helped(2, 3)
        assert contribution.newcomers() == [Newcomers(2.5 * DAY, 1), Newcomers(3.5 * DAY, 1)]
        with older:
            older.execute("INSERT OR IGNORE INTO thanks VALUES ('carol', 1, 4), ('bob', 1, 4)")
        assert contribution.helped() == Helped(3, 4)


def test_what_was_cut_short_leaves_no_sum(tmp_path: Path) -> None:
    """Sums and rows are written as one, or not at all."""
    path = tmp_path / "l.sqlite"
    with closing(Contribution(path)) as contribution, closing(sqlite3.connect(path)) as other:
        other.execute("INSERT INTO thanks VALUES ('anne', 1, 0)")
        other.rollback()
        assert contribution.helped() == Helped(0, 0)
        assert contribution.newcomers() == []


def test_it_shares_its_file_with_the_rounds(tmp_path: Path) -> None:
    """Both write to one ledger at the same time."""
    path = tmp_path / "l.sqlite"
    with History(path, "spark") as ledger, closing(Contribution(path)) as contribution:
        ledger.record(finished(1))
        contribution.thank("anne", [1], 0.0)
        ledger.record(finished(2))
        assert ledger.history() == [finished(1), finished(2)]
        assert contribution.helped() == Helped(1, 1)


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
    with closing(Contribution(path)) as contribution, closing(sqlite3.connect(path)) as other:
        other.executescript("DROP TABLE thanks; DROP TABLE thanked")
        with pytest.raises(HomeError, match="Move it away"):
            contribution.thank("anne", [1], 0.0)
        with pytest.raises(HomeError, match="Move it away"):
            contribution.helped()
