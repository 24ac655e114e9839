"""The kind and folder of this installation, and whether it may replace itself."""

import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

import msgspec

from core.api.updates import Obstacle

InstallKind = Literal["source", "tarball", "deb", "inno", "dmg"]
"""How Waggle came onto this computer; source: as a checkout or by pip."""

NOTE: Final = Path("install.toml")
BUNDLED_NOTE: Final = Path("Contents", "Resources") / NOTE
"""Beside the executables of a bundle a text file would count as code, and could not be signed."""

_WINDOWS: Final = sys.platform == "win32"


class _Note(msgspec.Struct, frozen=True):
    kind: InstallKind


@dataclass(frozen=True, slots=True)
class Installation:
    """A frozen Waggle, or a checkout."""

    kind: InstallKind
    place: Path  # the folder that is replaced as a whole
    inside: Path = Path()  # from there to the executables

    def console(self, place: Path | None = None) -> Path:
        """The executable ``waggle``, here or in another ``place`` of the same make."""
        return (place or self.place) / self.inside / f"waggle{'.exe' if _WINDOWS else ''}"

    def window(self, place: Path | None = None) -> Path:
        """The executable ``waggle-app``, here or in another ``place`` of the same make."""
        return (place or self.place) / self.inside / f"waggle-app{'.exe' if _WINDOWS else ''}"


def is_waggle(folder: Path) -> bool:
    """Whether ``folder`` is a Waggle as we pack it, and not somebody's own of the same name."""
    notes = (NOTE, BUNDLED_NOTE)
    return not folder.is_symlink() and any((folder / note).is_file() for note in notes)


def this_installation() -> Installation:
    """The installation of the running program."""
    if not getattr(sys, "frozen", False):
        return Installation("source", Path(__file__).resolve().parents[2])
    return installation_at(Path(sys.executable).resolve().parent)


def installation_at(folder: Path) -> Installation:
    """The frozen one whose executables lie in ``folder``; without a note, nobody updates it."""
    inside = Path("Contents/MacOS")
    is_bundle = folder.parts[-2:] == inside.parts
    place = folder.parents[1] if is_bundle else folder
    note = place / (BUNDLED_NOTE if is_bundle else NOTE)
    try:
        kind = msgspec.toml.decode(note.read_bytes(), type=_Note).kind
    except (OSError, ValueError):  # msgspec's errors, and text that is no UTF-8
        kind = "source"
    return Installation(kind, place, inside if is_bundle else Path())


def obstacle(installation: Installation) -> Obstacle:
    """Why Waggle must not, or cannot, replace itself here."""
    if installation.kind == "deb":
        return "system"
    if installation.kind == "source":
        return "source"
    if installation.kind != "inno" and not _may_change(installation.place):
        return "locked"
    return "none"


def _may_change(place: Path) -> bool:
    """Folders are renamed beside each other, so the one around it counts, too."""
    return os.access(place, os.W_OK) and os.access(place.parent, os.W_OK)
