"""Care for what Waggle keeps on this computer: look at it, back it up, take all of it away."""

import asyncio
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from core.api.maintenance import (
    AutostartShown,
    BackUpIdentity,
    FoldersMeasured,
    LookAround,
    LookedAround,
    MakeSupportFile,
    MeasureFolders,
    RemoveEverything,
    RestoreIdentity,
    SetAutostart,
    ShowAutostart,
)
from core.api.programs import MOST_RUNNING, ListPrograms, ProgramsListed
from core.api.requests import Done, done
from core.errors import HomeError, UsageError
from core.i18n import together, translatable
from core.paths import Home, explain_os_error
from core.sensors.programs import read_programs
from core.sensors.reading import softly
from core.services.autostart import explain, open_autostart
from core.services.service import SendReply, ServiceContext
from core.settings import ProgramName
from core.storage.files import deliver, replace_file
from core.threads import aside, to_the_end
from core.wire.identity import Identity, pem_of, read_identity, save_identity
from core.wire.names import friendly_name


async def list_programs(_request: ListPrograms, _context: ServiceContext, tell: SendReply) -> None:
    """Tell the names of what runs; those that could be no rule are left out."""
    found = await aside(lambda _: softly(read_programs))
    names = sorted(filter(_can_be_listed, found.value or ()), key=str.casefold)
    tell(ProgramsListed(names=tuple(names[:MOST_RUNNING])))


def _can_be_listed(name: str) -> bool:
    try:
        msgspec.convert(name, ProgramName)
    except msgspec.ValidationError:
        return False
    return True


BACKUP: Final = """\
The identity of {name} in Waggle.

Keep this file to yourself: whoever has it can be {name} in the swarm.
To be {name} on another computer: Settings, Identity and data, Restore.

"""


async def look_around(_request: LookAround, context: ServiceContext, tell: SendReply) -> None:
    """Look at everything that practice rests on."""
    from core.services.checkup import look_at_everything

    findings = await aside(lambda _: look_at_everything(context.home))
    tell(LookedAround(findings=tuple(findings)))


async def measure_folders(
    _request: MeasureFolders, context: ServiceContext, tell: SendReply
) -> None:
    """Look at what is kept here, and for whom."""
    from core.services.data_folder import measure

    home = context.home
    parts, name = await aside(lambda _: (measure(home), _name_here(home)))
    tell(FoldersMeasured(root=str(home.root), name=name, parts=parts))


async def back_up_identity(
    request: BackUpIdentity, context: ServiceContext, tell: SendReply
) -> None:
    """Write the private key, and what it is, into a file that only its owner can read.

    Raises:
        HomeError: there is no key, or the file cannot be written.
    """
    path = Path(request.path)
    name = await to_the_end(lambda: _back_up(context.home, path))
    tell(done(translatable("{} is backed up in {}. Keep that file to yourself.", name, path)))


def _back_up(home: Home, path: Path) -> str:
    """The name of whom was written to ``path``."""
    identity = _identity_here(home)
    if identity is None:
        raise HomeError(
            translatable(
                "This computer has no identity yet. Join a swarm once, then there is one to back "
                "up."
            )
        )
    name = friendly_name(identity.peer_id)
    deliver(path, BACKUP.format(name=name).encode() + pem_of(identity))
    return name


async def restore_identity(
    request: RestoreIdentity, context: ServiceContext, tell: SendReply
) -> None:
    """Be again who a backup says; who was here before is kept beside.

    Raises:
        UsageError: the file is no backup.
        HomeError: a node runs, or the file cannot be read or the key not be written.
    """
    tell(await to_the_end(lambda: _restore(context.home, Path(request.path))))


def _restore(home: Home, path: Path) -> Done:
    """What is to be told of it."""
    from core.services.data_folder import at_rest, made_beside, remove

    try:
        identity = read_identity(path)
    except ValueError as error:
        raise UsageError(
            translatable("{} is no backup of an identity. Choose another file.", path)
        ) from error
    except OSError as error:
        raise HomeError(
            translatable(
                "{} cannot be read ({}). Choose another file.", path, error.strerror or error
            )
        ) from error
    with at_rest(home):
        before = _put_aside(home, identity)
        save_identity(identity, home.identity)
        for unsent in made_beside(home.outbox):  # signed by who was here before
            remove(unsent)
    name = friendly_name(identity.peer_id)
    kept = None if before is None else translatable("Who was here before is kept in {}.", before)
    here = translatable("This computer is {} from the next start of practice on.", name)
    return done(together(here, kept))


async def make_support_file(
    request: MakeSupportFile, context: ServiceContext, tell: SendReply
) -> None:
    """Look at everything and write it down for whoever helps.

    Raises:
        HomeError: the file cannot be written.
    """
    from core.services.checkup import look_at_everything
    from core.services.support_file import write_support_file

    findings = await aside(lambda _: look_at_everything(context.home))
    tell(done(write_support_file(Path(request.path), context.home, findings)))


async def remove_everything(
    _request: RemoveEverything, context: ServiceContext, tell: SendReply
) -> None:
    """Delete all that Waggle keeps here, also outside the data folder.

    Raises:
        HomeInUseError: a node runs.
    """
    from core.services.data_folder import remove_home

    left = await asyncio.to_thread(remove_home, context.home)
    rest = (
        translatable("In {} is left what Waggle did not make.", context.home.root) if left else None
    )
    gone = translatable("Everything that Waggle kept on this computer is removed.")
    tell(done(together(gone, rest)))


async def show_autostart(_request: ShowAutostart, context: ServiceContext, tell: SendReply) -> None:
    """Whether the window opens with the computer."""
    tell(await asyncio.to_thread(_autostart, context.home))


async def set_autostart(request: SetAutostart, context: ServiceContext, tell: SendReply) -> None:
    """Let it, or no longer; what is answered is what the system says then.

    Raises:
        HomeError: the system does not allow it.
    """
    tell(await asyncio.to_thread(_autostart, context.home, on=request.on))


def _autostart(home: Home, *, on: bool | None = None) -> AutostartShown:
    """How it is; where ``on`` is told, after it was set so."""
    autostart = open_autostart(home)
    try:
        if on is not None:
            autostart.set(on=on)
        return AutostartShown(on=autostart.is_on())
    except OSError as error:
        raise explain(error) from error


def _identity_here(home: Home) -> Identity | None:
    """The identity of this node; None before its first start.

    Raises:
        HomeError: the key cannot be read, or is none.
    """
    try:
        return read_identity(home.identity)
    except FileNotFoundError:
        return None
    except ValueError as error:
        raise HomeError(
            translatable(
                "The identity of this node, {}, is damaged. Restore a backup of it.", home.identity
            )
        ) from error
    except OSError as error:
        raise explain_os_error(error, home.identity) from error


def _name_here(home: Home) -> str:
    try:
        identity = _identity_here(home)
    except HomeError:  # told by whoever needs it
        return ""
    return "" if identity is None else friendly_name(identity.peer_id)


def _put_aside(home: Home, coming: Identity) -> Path | None:
    """Copy the key that is here, sound or not; None where there is none, or it is the same.

    A copy, so that there is a key here at every moment, whatever goes wrong before the next one.
    """
    from core.services.data_folder import BEFORE

    if not home.identity.exists():
        return None
    with suppress(HomeError):  # damaged: it is put aside, too
        present = _identity_here(home)
        if present is not None and present.peer_id == coming.peer_id:
            return None
    kept = home.root / time.strftime(f"{BEFORE}%Y-%m-%d-%H%M%S")
    try:
        replace_file(kept, home.identity.read_bytes())
    except OSError as error:
        raise explain_os_error(error, home.identity) from error
    return kept
