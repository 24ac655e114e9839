"""The files of a model with their sizes and hashes, as its hub announced them."""

import hashlib
from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from core.i18n import translatable
from core.models.catalog.catalog import MOST_LETTERS, is_repository
from core.models.catalog.shapes import unusable

MOST_FILES: Final = 1000
_BLOCK: Final = 1 << 20
_NAME: Final = r"^[A-Za-z0-9][A-Za-z0-9._-]*\Z"
FileName = Annotated[str, Meta(pattern=_NAME, max_length=100)]
OnBytes = Callable[[int], None]
"""Is told of every so many bytes that were read or came in."""


class FileRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file of a model as its hub describes it."""

    name: FileName
    size: Annotated[int, Meta(ge=0)]
    algorithm: Literal["sha256", "git"]  # git: the SHA-1 that git gives a file
    digest: Annotated[str, Meta(pattern=r"^[0-9a-f]{40,64}\Z")]

    def matches(
        self, path: Path, on_bytes: OnBytes = lambda _: None, stop: Event | None = None
    ) -> bool:
        """Whether the file at ``path`` is the one meant, to the last bit.

        Once ``stop`` is set it does not read on, and the answer means nothing.

        Raises:
            OSError: it is there and cannot be read.
        """
        if not path.is_file() or path.stat().st_size != self.size:
            return False
        digest = hashlib.sha256() if self.algorithm == "sha256" else _git_digest(self.size)
        with path.open("rb") as file:
            while not (stop and stop.is_set()) and (block := file.read(_BLOCK)):
                digest.update(block)
                on_bytes(len(block))
        return digest.hexdigest() == self.digest


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The files of a complete model, and the repository that it came from."""

    id: Annotated[str, Meta(pattern=_NAME, max_length=MOST_LETTERS)]
    repo: str
    commit: str
    files: Annotated[tuple[FileRecord, ...], Meta(min_length=1, max_length=MOST_FILES)]

    @property
    def size(self) -> int:
        """Bytes on disk."""
        return sum(record.size for record in self.files)


def read_manifest(path: Path, model_id: str) -> Manifest | None:
    """The manifest at ``path``; None where it is damaged or describes another model."""
    try:
        manifest = _decode(path.read_bytes())
    except (OSError, UnicodeDecodeError, msgspec.DecodeError, RecursionError):
        return None
    return manifest if manifest.id == model_id else None


def _decode(raw: bytes) -> Manifest:
    manifest = msgspec.json.decode(raw, type=Manifest)
    if not is_repository(manifest.repo):
        raise msgspec.ValidationError("no name of a repository")
    return manifest


def encode_manifest(manifest: Manifest) -> bytes:
    """The bytes of ``manifest``, read once: what only comes to light later would cost gigabytes.

    Raises:
        ModelError: it breaks a rule, and could not be read again.
    """
    raw = msgspec.json.format(msgspec.json.encode(manifest))
    try:
        _decode(raw)
    except msgspec.DecodeError as error:
        why = translatable("its description breaks a rule ({})", error)
        raise unusable(manifest.repo, why) from error
    return raw


def _git_digest(size: int) -> "hashlib._Hash":
    """Git hashes a file behind a line with its kind and size; no secret hangs on it."""
    return hashlib.sha1(f"blob {size}\0".encode(), usedforsecurity=False)
