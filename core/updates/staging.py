"""Makes a package ready beside the installation: unpacked, and asked whether it runs here."""

import os
import tempfile
from pathlib import Path
from threading import Event

from core.errors import UpdateError
from core.i18n import translatable
from core.paths import explain_os_error
from core.storage.files import move
from core.updates.installation import Installation, is_waggle
from core.updates.places import Places, remove
from core.updates.trial import runs
from core.updates.unpacking import unpack


class FailedTrialError(UpdateError):
    """What was unpacked does not run here; nor would it another time."""


def stage(archive: Path, version: str, installation: Installation, stop: Event) -> None:
    """Unpack ``archive`` beside the installation, under the name of the new one.

    Raises:
        FailedTrialError: it is no Waggle of that version, or does not run here; nothing is left
            of it.
        UpdateError: it is not packed as Waggle is, its trial was cut off, or somebody's own folder
            is in the way.
        HomeError: the disk refuses.
        StoppedError: ``stop`` was set.
    """
    places = Places(installation.place)
    if (own := places.in_the_way) is not None:
        raise UpdateError(
            translatable(
                "{} is in the way: Waggle needs that name while it updates itself. "
                "Rename it, then try again.",
                own,
            )
        )
    places.clear()
    places.clear_drafts()
    try:
        draft = Path(tempfile.mkdtemp(prefix=places.draft_prefix, dir=places.place.parent))
    except OSError as error:
        raise explain_os_error(error, places.place.parent) from error
    try:
        unpack(archive, draft, stop)
        inside = _only_folder(draft)
        runs_here = is_waggle(inside) and runs(installation, inside, version)
        if runs_here is None:
            raise UpdateError(
                translatable("Waggle {} could not be tried out just now. Try again later.", version)
            )
        if not runs_here:
            raise FailedTrialError(
                translatable(
                    "Waggle {} does not run on this computer, so it was thrown away. "
                    "The one that you have stays.",
                    version,
                )
            )
        _flush_disks()
        try:
            move(inside, places.new)
        except OSError as error:
            raise explain_os_error(error, places.new) from error
    finally:
        remove(draft)


def _only_folder(draft: Path) -> Path:
    found = list(draft.iterdir())
    if len(found) != 1 or found[0].is_symlink() or not found[0].is_dir():
        raise UpdateError(
            translatable(
                "The update is not packed as Waggle is. Nothing was changed; tell its makers."
            )
        )
    return found[0]


def _flush_disks() -> None:
    """Before anything relies on what was unpacked: a name would outlive a power cut without it.

    All at once, since a flush of each of thousands of files takes minutes. Not on Windows, which
    has no such call, and where setups replace files instead.
    """
    if hasattr(os, "sync"):
        os.sync()
