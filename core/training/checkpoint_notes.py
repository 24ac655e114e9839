"""What a checkpoint says of itself, read without its tensors and without torch."""

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

import msgspec
from safetensors import SafetensorError, safe_open

from core.engine.ports import Progress
from core.errors import CheckpointError
from core.i18n import together, translatable
from core.paths import HOW_TO_START_OVER, explain_os_error
from core.training.effect_of_working import WorkingSeen

FORMAT: Final = 1
SUFFIX: Final = ".safetensors"

LOOKS: Final = 10
"""At the folder, at most: a node that practises may drop a checkpoint before it is opened."""

T = TypeVar("T")

_log = logging.getLogger(__name__)


class CheckpointNote(msgspec.Struct, frozen=True):
    """The metadata of a checkpoint; later formats may say more and still be recognised."""

    model: str
    base: str  # fingerprint of the base weights that the adapter was trained on
    progress: Progress
    format: int = FORMAT
    working_seen: WorkingSeen = WorkingSeen()  # of which follows how much working earns


def newest_note(folder: Path) -> CheckpointNote | None:
    """The note of the newest checkpoint in ``folder`` that has one; None where there is none.

    The digest over the tensors is not compared: that would take reading them.

    Raises:
        CheckpointError: there are checkpoints, and none can be used.
        HomeError: the folder cannot be read.
    """
    return newest_whole(folder, _read_note)


def newest_whole(folder: Path, read: Callable[[Path], T]) -> T | None:
    """What ``read`` makes of the newest checkpoint in ``folder`` that it can; None without any.

    Raises:
        CheckpointError: there are checkpoints, and all are damaged.
        HomeError: the folder cannot be read.
    """
    gone = FileNotFoundError()
    for _ in range(LOOKS):
        try:
            return _newest_listed(folder, read)
        except FileNotFoundError as error:
            gone = error
    raise explain_os_error(gone, folder) from gone


def checkpoint_files(folder: Path) -> list[Path]:
    """The checkpoints in ``folder``, oldest first.

    Raises:
        HomeError: the folder cannot be read.
    """
    try:
        # Unlike glob, this does not take "forbidden" for "empty".
        return sorted(path for path in folder.iterdir() if path.suffix == SUFFIX)
    except FileNotFoundError:
        return []
    except OSError as error:
        raise explain_os_error(error, folder) from error


def _newest_listed(folder: Path, read: Callable[[Path], T]) -> T | None:
    files = checkpoint_files(folder)
    for path in reversed(files):
        try:
            return read(path)
        except FileNotFoundError:
            raise
        except (OSError, SafetensorError, msgspec.MsgspecError, ValueError) as error:
            _log.warning("Skipping the damaged checkpoint %s: %s", path, error)
    if not files:
        return None
    raise CheckpointError(
        together(
            translatable("All checkpoints in {} are damaged.", folder),
            HOW_TO_START_OVER,
        )
    )


def _read_note(path: Path) -> CheckpointNote:
    """The note of ``path``, whose header fits its size."""
    with safe_open(path, framework="np") as file:
        metadata = file.metadata() or {}
    return decode_note(metadata.get("note", ""), path)


def decode_note(note: str, path: Path) -> CheckpointNote:
    """The ``note`` of the checkpoint at ``path``.

    Raises:
        CheckpointError: it is of another format.
        msgspec.MsgspecError: it is damaged.
    """
    decoded = msgspec.json.decode(note, type=CheckpointNote)
    if decoded.format != FORMAT:
        raise CheckpointError(
            together(
                translatable(
                    "The saved progress {} was written by another version of Waggle. "
                    "Use that version.",
                    path,
                ),
                HOW_TO_START_OVER,
            )
        )
    return decoded
