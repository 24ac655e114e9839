"""Checkpoints: one safetensors file each, written so that a crash leaves the old one or the new.

A file holds adapter and optimiser tensors; its header holds a note (format, model, progress) and
a digest over note and tensors. The newest two are kept, and the last one that was flushed.

Quick rounds come several times a second, and flushing each of them would wear out a laptop's disk
within a year: so only one of a while is, and a large one more seldom. What is gone before the
system gets to it is never written at all. After a power cut what was not flushed shows by its
digest, and an older one counts.
"""

import hashlib
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec
from safetensors import safe_open
from safetensors.torch import save
from torch import Tensor

from core.paths import explain_os_error
from core.storage.files import DRAFT_SUFFIX, remove_unless_open, replace_file
from core.training.checkpoint_notes import (
    SUFFIX,
    CheckpointNote,
    checkpoint_files,
    decode_note,
    newest_whole,
)

KEPT: Final = 2
FLUSHED_EVERY_S: Final = 20.0
"""As much practice as a power cut may take of a starter; a crash of ours takes none."""

FLUSHED_BYTES_PER_S: Final = 1e6
"""At most, on average, however large a checkpoint is: 86 GB a day."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A run at the end of a round."""

    note: CheckpointNote
    tensors: Mapping[str, Tensor]  # on the CPU, contiguous, without gradient


class CheckpointStore:
    """The checkpoints of one model in one folder."""

    def __init__(self, folder: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._folder = folder
        self._clock = clock
        self._flushed: Path | None = None
        self._flushed_at = -math.inf

    def save(self, checkpoint: Checkpoint) -> None:
        """Write ``checkpoint`` and drop what is not to be kept any more.

        Raises:
            DiskFullError: no space is left; nothing was replaced.
            HomeError: the folder cannot be written; nothing was replaced.
        """
        note = msgspec.json.encode(checkpoint.note)
        metadata = {"note": note.decode(), "digest": _digest(note, checkpoint.tensors)}
        data = save(dict(checkpoint.tensors), metadata)
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            path = self._folder / f"{checkpoint.note.progress.round:08d}{SUFFIX}"
            self._write(path, data)
            self._tidy(path)
        except OSError as error:
            raise explain_os_error(error, self._folder) from error

    def newest(self) -> Checkpoint | None:
        """Read the newest checkpoint that is whole; None where there is none at all.

        Raises:
            CheckpointError: there are some, and none can be used.
            HomeError: the folder or a file cannot be read, which says nothing about its content.
        """
        return newest_whole(self._folder, _read)

    def _write(self, path: Path, data: bytes) -> None:
        pause_s = max(FLUSHED_EVERY_S, len(data) / FLUSHED_BYTES_PER_S)
        is_due = self._clock() >= self._flushed_at + pause_s
        replace_file(path, data, flushes=is_due)
        if is_due:
            self._flushed, self._flushed_at = path, self._clock()

    def _tidy(self, newest: Path) -> None:
        # Later rounds are those that a power cut took: this run goes on from before them.
        files = checkpoint_files(self._folder)
        kept = [path for path in files if path <= newest][-KEPT:]
        for path in (*files, *self._folder.glob("*" + DRAFT_SUFFIX)):
            if path not in kept and path != self._flushed:
                remove_unless_open(path)


def _require_readable(path: Path) -> None:
    """Tell a file that may not be read from one that is damaged: only the latter is given up."""
    try:
        path.open("rb").close()
    except FileNotFoundError:
        raise
    except OSError as error:
        raise explain_os_error(error, path) from error


def _read(path: Path) -> Checkpoint:
    _require_readable(path)
    with safe_open(path, framework="pt") as file:
        metadata = file.metadata() or {}
        # Copied: what the library hands out is a map of the file, which Windows then cannot remove.
        tensors = {name: file.get_tensor(name).clone() for name in file.keys()}  # noqa: SIM118 - no mapping
    note = metadata.get("note", "")
    if metadata.get("digest") != _digest(note.encode(), tensors):
        raise ValueError("its digest does not match")
    return Checkpoint(decode_note(note, path), tensors)


def _digest(note: bytes, tensors: Mapping[str, Tensor]) -> str:
    """SHA-256 over the note and every tensor with its name, in the order of names."""
    digest = hashlib.sha256(note)
    for name in sorted(tensors):
        digest.update(name.encode())
        digest.update(tensors[name].numpy().tobytes())
    return digest.hexdigest()
