"""Starting over, and the way back."""

import errno
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from core.api.models import ModelDone, RemoveBackup, ResetModel, RestoreModel
from core.api.requests import Reply, Request
from core.engine.ports import Progress
from core.errors import HomeError, HomeInUseError, UsageError
from core.ledger.history import History
from core.paths import Home
from core.services.backups import (
    MOST_SHOWN,
    backups_of,
    delete,
    go_back,
    reset_model,
    restore_model,
    rounds_learnt,
    size_learnt,
    start_over,
)
from core.services.service import ServiceContext
from core.storage.home_lock import hold
from core.training.checkpoint_notes import CheckpointNote
from core.training.checkpoints import Checkpoint, CheckpointStore
from tests.asking_services import answers_to
from tests.fake_engine import pretend

NOON = datetime(2026, 7, 30, 12, 0, 0, tzinfo=UTC)
NAME = "spark@20260730-120000"


def held(folder: Path, *_: object) -> None:
    """As a folder that another program holds, on Windows."""
    raise PermissionError(errno.EACCES, "used by another program", str(folder))


def practise(home: Home, rounds: int, model: str = "spark") -> None:
    """Leave what a node leaves that has practised so many rounds."""
    folder = home.checkpoints / model
    folder.mkdir(exist_ok=True)
    (folder / f"{rounds:08d}.safetensors").write_bytes(b"x" * rounds)
    with History(home.ledger, model) as ledger:
        for number in range(1, rounds + 1):
            ledger.record(pretend(number, 0))


def rounds_in_ledger(home: Home, model: str) -> int:
    with History(home.ledger, model) as ledger:
        return len(ledger.history())


def test_rounds_are_those_of_the_newest_checkpoint(home: Home) -> None:
    """As the store of checkpoints names them."""
    store = CheckpointStore(home.checkpoints / "spark")
    for number in (8, 9, 10):
        progress = Progress(seed=1, round=number, recipe="sapo")
        store.save(Checkpoint(CheckpointNote("spark", "base", progress), {}))
    assert rounds_learnt(home.checkpoints / "spark") == 10
    assert rounds_learnt(home.checkpoints / "ember") == 0


def test_starting_over_puts_aside_and_deletes_nothing(home: Home) -> None:
    """The model is as new, its backup holds all, and the rounds still count as practised."""
    practise(home, 7)
    size = size_learnt(home, "spark")
    assert start_over(home, "spark", NOON) == NAME
    assert rounds_learnt(home.checkpoints / "spark") == 0
    (kept,) = backups_of(home, "spark")
    assert (kept.name, kept.at, kept.rounds, kept.size) == (NAME, NOON, 7, 7)
    assert size_learnt(home, "spark") == size
    assert (rounds_in_ledger(home, "spark"), rounds_in_ledger(home, NAME)) == (0, 7)


def test_what_cannot_be_moved_stays_as_it_is(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another program holds the folder, as on Windows: checkpoints and rounds stay together."""
    practise(home, 7)
    monkeypatch.setattr(Path, "replace", held)
    with pytest.raises(HomeError):
        start_over(home, "spark", NOON)
    assert (rounds_learnt(home.checkpoints / "spark"), rounds_in_ledger(home, "spark")) == (7, 7)
    assert backups_of(home, "spark") == []


@pytest.mark.parametrize("since", [0, 3])
def test_a_backup_that_cannot_be_moved_changes_nothing(
    home: Home, monkeypatch: pytest.MonkeyPatch, since: int
) -> None:
    """What was learnt since is not put aside for it, were it anything or nothing."""
    practise(home, 7)
    name = start_over(home, "spark", NOON)
    if since:
        practise(home, since)
    rename = Path.replace
    monkeypatch.setattr(
        Path, "replace", lambda folder, to: (held if folder.name == name else rename)(folder, to)
    )
    with pytest.raises(HomeError):
        go_back(home, name, NOON)
    assert rounds_learnt(home.checkpoints / "spark") == since
    assert rounds_in_ledger(home, "spark") == since
    assert rounds_in_ledger(home, name) == 7
    assert [aside.name for aside in backups_of(home, "spark")] == [name]


def test_going_back_brings_all_back(home: Home) -> None:
    """Checkpoints and rounds are where they were, and the backup is used up."""
    practise(home, 7)
    go_back(home, start_over(home, "spark", NOON), NOON)
    assert rounds_learnt(home.checkpoints / "spark") == 7
    assert rounds_in_ledger(home, "spark") == 7
    assert backups_of(home, "spark") == []


def test_what_was_learnt_since_is_put_aside_in_its_turn(home: Home) -> None:
    """Going back loses nothing, and can be taken back."""
    practise(home, 7)
    first = start_over(home, "spark", NOON)
    practise(home, 3)
    go_back(home, first, NOON)  # in the same second, as a test may
    (second,) = backups_of(home, "spark")
    assert (second.rounds, rounds_learnt(home.checkpoints / "spark")) == (3, 7)
    go_back(home, second.name, NOON + timedelta(hours=1))
    assert (rounds_learnt(home.checkpoints / "spark"), rounds_in_ledger(home, "spark")) == (3, 3)


def test_other_models_are_left_alone(home: Home) -> None:
    """Even where their names begin alike."""
    practise(home, 7)
    practise(home, 5, "spark-sparse")
    start_over(home, "spark", NOON)
    assert rounds_learnt(home.checkpoints / "spark-sparse") == 5
    assert rounds_in_ledger(home, "spark-sparse") == 5
    assert backups_of(home, "spark-sparse") == []


@pytest.mark.parametrize("model", ["spark", "nobody", "..", "../checkpoints/spark", ""])
def test_what_has_not_practised_cannot_start_over(home: Home, model: str) -> None:
    """Nor can a folder that is none of ours."""
    with pytest.raises(UsageError, match="nothing to put aside"):
        start_over(home, model, NOON)


@pytest.mark.parametrize("name", ["", "spark", "spark@20260730-120000", "../x@20260730-120000"])
def test_what_is_no_backup_cannot_be_brought_back(home: Home, name: str) -> None:
    """The list on the screen may be an old one."""
    practise(home, 2)
    with pytest.raises(UsageError, match="no such backup"):
        go_back(home, name, NOON)
    assert rounds_learnt(home.checkpoints / "spark") == 2


def test_a_backup_is_deleted_and_its_rounds_stay_counted(home: Home) -> None:
    """What it took on the disk is free, the others and what was learnt since are as they were."""
    practise(home, 7)
    start_over(home, "spark", NOON)
    practise(home, 5)
    kept = start_over(home, "spark", NOON + timedelta(hours=1))
    practise(home, 3)
    assert delete(home, "spark", NAME) == 7
    assert [aside.name for aside in backups_of(home, "spark")] == [kept]
    assert size_learnt(home, "spark") == 8
    assert rounds_learnt(home.checkpoints / "spark") == 3
    assert (rounds_in_ledger(home, NAME), rounds_in_ledger(home, kept)) == (7, 5)
    assert sorted(path.name for path in home.checkpoints.iterdir()) == ["spark", kept]


@pytest.mark.parametrize(
    "name",
    ["", "spark", "..", "../checkpoints/spark@20260730-120000", "spark@20260730-120000/", "x@y"],
)
def test_only_a_backup_is_deleted(home: Home, name: str) -> None:
    """Neither what was learnt since, nor anything outside."""
    practise(home, 7)
    start_over(home, "spark", NOON)
    practise(home, 3)
    before = sorted(home.root.rglob("*"))
    with pytest.raises(UsageError, match="no such backup"):
        delete(home, "spark", name)
    assert sorted(home.root.rglob("*")) == before


def test_a_backup_of_another_model_is_not_deleted(home: Home) -> None:
    """The window names both, and they have to agree."""
    practise(home, 7)
    start_over(home, "spark", NOON)
    with pytest.raises(UsageError, match="no such backup"):
        delete(home, "ember", NAME)
    assert len(backups_of(home, "spark")) == 1


def test_a_link_is_no_backup(home: Home, tmp_path: Path) -> None:
    """Wherever it leads: what is there stays."""
    practise(home, 7)
    elsewhere = tmp_path / "elsewhere"
    (home.checkpoints / "spark").rename(elsewhere)
    (home.checkpoints / NAME).symlink_to(elsewhere)
    with pytest.raises(UsageError, match="no such backup"):
        delete(home, "spark", NAME)
    assert rounds_learnt(elsewhere) == 7


def test_a_folder_that_holds_nothing_learnt_is_no_backup(home: Home) -> None:
    """Somebody else's, by chance of that name."""
    (home.checkpoints / NAME).mkdir()
    (home.checkpoints / NAME / "letter.txt").write_text("x", encoding="utf-8")
    with pytest.raises(UsageError, match="no such backup"):
        delete(home, "spark", NAME)
    assert (home.checkpoints / NAME / "letter.txt").exists()


def test_a_deletion_that_broke_off_is_finished_by_the_next_look(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A backup is never half there; what is left of one is not offered."""
    practise(home, 7)
    start_over(home, "spark", NOON)
    practise(home, 5)
    other = start_over(home, "spark", NOON + timedelta(hours=1))
    with monkeypatch.context() as patch:
        patch.setattr(shutil, "rmtree", held)
        with pytest.raises(HomeError):
            delete(home, "spark", NAME)
    assert [aside.name for aside in backups_of(home, "spark")] == [other]
    assert [folder.name for folder in home.checkpoints.iterdir()] == [other]


async def test_the_helper_deletes_while_a_node_runs(place: ServiceContext, home: Home) -> None:
    """Which never reads a backup; what was set free is told."""
    practise(home, 7)
    start_over(home, "spark", NOON)
    with hold(home):
        told = await answers_to(RemoveBackup(model="spark", backup=NAME), place)
    assert told == [ModelDone(size=7)]
    assert backups_of(home, "spark") == []


def test_the_newest_come_first_and_their_number_is_bounded(home: Home) -> None:
    """Folders that only look like backups are no backups."""
    for hour in range(24):
        practise(home, 1)
        start_over(home, "spark", NOON + timedelta(hours=hour))
    (home.checkpoints / "spark@20261399-999999").mkdir()
    (home.checkpoints / "spark@yesterday").mkdir()
    found = backups_of(home, "spark")
    assert len(found) == MOST_SHOWN
    assert [aside.at for aside in found] == sorted((a.at for a in found), reverse=True)
    assert found[0].at == NOON + timedelta(hours=23)


async def test_the_helper_starts_over_and_goes_back(home: Home) -> None:
    """And says for which model."""
    practise(home, 4)
    told: list[Reply] = []
    await reset_model(ResetModel(model="spark"), ServiceContext(home), told.append)
    (kept,) = backups_of(home, "spark")
    await restore_model(RestoreModel(backup=kept.name), ServiceContext(home), told.append)
    assert told == [ModelDone(), ModelDone()]
    assert rounds_learnt(home.checkpoints / "spark") == 4


@pytest.mark.parametrize("request_", [ResetModel(model="spark"), RestoreModel(backup=NAME)])
async def test_nothing_is_moved_under_a_running_node(
    place: ServiceContext, home: Home, request_: Request
) -> None:
    """It is writing there."""
    practise(home, 4)
    with hold(home), pytest.raises(HomeInUseError, match="Stop it, then try again"):
        await answers_to(request_, place)
    assert rounds_learnt(home.checkpoints / "spark") == 4
