"""Starting a model over from its base, with a way back: what it had learnt is put aside.

    checkpoints/spark/                      what it has learnt
    checkpoints/spark@20260730-181500/      what it had learnt until then (UTC)

Its rounds go along in the ledger under the same name, so that they still count as practised; they
stay there when the backup is deleted, which a person may ask for. Nothing else is deleted here. A
crash in between leaves the checkpoints in the one place or the other, and at worst the chart
without its early rounds.
"""

import asyncio
import re
import shutil
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Lock
from typing import Final

from core.api.models import ModelDone, RemoveBackup, ResetModel, RestoreModel
from core.errors import HomeError, UsageError
from core.i18n import translatable
from core.ledger.history import History
from core.paths import Home, explain_os_error
from core.services.models import working_alone
from core.services.service import SendReply, ServiceContext
from core.storage.files import move, size_of

MOST_SHOWN: Final = 20
CHECKPOINTS: Final = "*.safetensors"
"""Named after their round by ``core.training.checkpoints``, which would load torch."""

_REMOVED: Final = ".removed"
"""Ends the name of a backup that is being deleted; no name of a backup has a dot there."""

_CLEARING: Final = Lock()
"""Services run in threads, and two that remove the same folder take its files for lost."""

_STAMP: Final = "%Y%m%d-%H%M%S"
_MODEL: Final = re.compile(r"[a-z0-9][a-z0-9._-]*", re.ASCII)
_NAME: Final = re.compile(rf"(?P<model>{_MODEL.pattern})@(?P<at>[0-9]{{8}}-[0-9]{{6}})", re.ASCII)

_GONE: Final = translatable("There is no such backup any more. Look at the list again.")


@dataclass(frozen=True, slots=True)
class ModelBackup:
    """A backup: what a model had learnt when it was started over."""

    name: str
    at: datetime  # UTC
    rounds: int
    size: int  # bytes


async def reset_model(request: ResetModel, context: ServiceContext, tell: SendReply) -> None:
    """Start a model over from its base.

    Raises:
        WaggleError: it has learnt nothing so far, a node runs, or the files cannot be moved.
    """

    def reset() -> None:
        with working_alone(context.home, translatable("{} was not started over", request.model)):
            start_over(context.home, request.model, datetime.now(UTC))

    await asyncio.to_thread(reset)
    tell(ModelDone())


async def restore_model(request: RestoreModel, context: ServiceContext, tell: SendReply) -> None:
    """Bring back what a model had learnt.

    Raises:
        WaggleError: there is no such backup, a node runs, or the files cannot be moved.
    """

    def restore() -> None:
        with working_alone(context.home, translatable("nothing was brought back")):
            go_back(context.home, request.backup, datetime.now(UTC))

    await asyncio.to_thread(restore)
    tell(ModelDone())


async def remove_backup(request: RemoveBackup, context: ServiceContext, tell: SendReply) -> None:
    """Delete one backup of a model.

    Raises:
        WaggleError: there is no such backup of it, or its files cannot be removed.
    """
    freed = await asyncio.to_thread(delete, context.home, request.model, request.backup)
    tell(ModelDone(size=freed))


def rounds_learnt(folder: Path) -> int:
    """The round of the newest checkpoint in ``folder``; 0 where there is none."""
    return max((int(p.stem) for p in folder.glob(CHECKPOINTS) if p.stem.isdecimal()), default=0)


def size_learnt(home: Home, model_id: str) -> int:
    """Bytes of all that a model has learnt, now and before it was started over."""
    folders = (home.checkpoints / model_id, *home.checkpoints.glob(f"{model_id}@*"))
    return sum(size_of(folder) for folder in folders)


def backups_of(home: Home, model_id: str) -> list[ModelBackup]:
    """The backups of a model, the newest first, at most ``MOST_SHOWN``."""
    _clear_up(home)
    found = sorted(home.checkpoints.glob(f"{model_id}@*"), reverse=True)
    return list(_read(found))[:MOST_SHOWN]


def start_over(home: Home, model_id: str, now: datetime) -> str:
    """Put aside what a model has learnt; the name under which it is kept. Hold ``home`` meanwhile.

    Raises:
        UsageError: it has learnt nothing so far.
        HomeError: the files cannot be moved; nothing was changed.
    """
    if not _MODEL.fullmatch(model_id) or not rounds_learnt(home.checkpoints / model_id):
        raise UsageError(
            translatable("This model has not practised here yet, so there is nothing to put aside.")
        )
    return _put_aside(home, model_id, now)


def go_back(home: Home, name: str, now: datetime) -> None:
    """Bring back what was put aside as ``name``. Hold ``home`` meanwhile.

    What was learnt since is put aside in its turn.

    Raises:
        UsageError: there is no such backup.
        HomeError: the files cannot be moved; nothing was changed.
    """
    found = _NAME.fullmatch(name)
    if found is None or not (home.checkpoints / name).is_dir():
        raise UsageError(_GONE)
    model_id = found["model"]
    since = _put_aside(home, model_id, now)
    try:
        _rename(home, name, model_id)
    except HomeError:
        with suppress(HomeError):
            _rename(home, since, model_id)
        raise


def delete(home: Home, model_id: str, name: str) -> int:
    """Delete what was put aside of a model as ``name``; the bytes set free.

    Raises:
        UsageError: there is no such backup of this model.
        HomeError: its files cannot be removed.
    """
    found, folder = _NAME.fullmatch(name), home.checkpoints / name
    is_of_it = found is not None and found["model"] == model_id
    if not is_of_it or folder.is_symlink() or not any(_read([folder])):
        raise UsageError(_GONE)
    size = size_of(folder)
    # Out of sight in one step: never half there, nor brought back while its files go.
    doomed = home.checkpoints / f"{name}{_REMOVED}"
    _move(folder, doomed)
    try:
        with _CLEARING:
            shutil.rmtree(doomed)
    except OSError as error:
        raise explain_os_error(error, doomed) from error
    _clear_up(home)
    return size


def _clear_up(home: Home) -> None:
    """Remove what a deletion left that was cut off, or refused a file."""
    if not _CLEARING.acquire(blocking=False):
        return  # whoever has it comes here after that
    try:
        for left in home.checkpoints.glob(f"*@*{_REMOVED}"):
            shutil.rmtree(left, ignore_errors=True)
    finally:
        _CLEARING.release()


def _put_aside(home: Home, model_id: str, now: datetime) -> str:
    at = now.astimezone(UTC)
    while (home.checkpoints / (name := f"{model_id}@{at.strftime(_STAMP)}")).exists():
        at += timedelta(seconds=1)
    _rename(home, model_id, name)
    return name


def _rename(home: Home, name: str, to: str) -> None:
    """Keep checkpoints and rounds under another name: both or neither."""
    # First the rounds: without a checkpoint, the next run would take them for undone.
    _rename_rounds(home, name, to)
    if (home.checkpoints / name).exists():
        try:
            _move(home.checkpoints / name, home.checkpoints / to)
        except HomeError:
            with suppress(HomeError):  # the first reason is the one to be told
                _rename_rounds(home, to, name)
            raise


def _rename_rounds(home: Home, name: str, to: str) -> None:
    with History(home.ledger, name) as rounds:
        rounds.rename(to)


def _move(folder: Path, to: Path) -> None:
    try:
        move(folder, to)
    except OSError as error:
        raise explain_os_error(error, folder) from error


def _read(folders: list[Path]) -> Iterator[ModelBackup]:
    for folder in folders:
        found = _NAME.fullmatch(folder.name)
        if found is None:
            continue
        with suppress(ValueError):  # no date
            at = datetime.strptime(found["at"], _STAMP).replace(tzinfo=UTC)
            if rounds := rounds_learnt(folder):
                yield ModelBackup(folder.name, at, rounds, size_of(folder))
