"""What is remembered about releases between two looks."""

from pathlib import Path
from typing import Final

import msgspec

from core.engine.desk.updates import VersionText
from core.files import replace_file

_MOST_BYTES: Final = 10_000


class Known(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Read from the disk; as if nothing were known where that is not what we wrote."""

    looked_at: float = 0.0  # seconds since 1970
    newest: VersionText = ""
    size: int = 0
    staged: VersionText = ""  # lies beside this one, tried and ready
    failed: VersionText = ""  # did not start here


def recall(folder: Path) -> Known:
    """What is known; nothing at first."""
    try:
        with (folder / "known.json").open("rb") as file:
            return msgspec.json.decode(file.read(_MOST_BYTES), type=Known)
    except (OSError, msgspec.DecodeError):
        return Known()


def remember(folder: Path, known: Known) -> None:
    """Keep ``known`` for later.

    Raises:
        HomeError: it cannot be written.
    """
    replace_file(folder / "known.json", msgspec.json.encode(known))
