"""What a repository on a model hub consists of, at one fixed commit.

The names and sizes that come back are a stranger's words: only files of known names are taken, so
that none of them leads anywhere, and only up to a size.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Final

import msgspec
from huggingface_hub.hf_api import ModelInfo, RepoSibling

from core.errors import ModelError
from core.i18n import translatable
from core.models.catalog.manifest import MOST_FILES, FileRecord
from core.models.catalog.shapes import unusable
from core.models.catalog.weight_headers import DESCRIPTION, INDEX, SINGLE, WEIGHTS
from core.storage.room import size_in_words

MOST_BYTES: Final = 40 * 10**9  # of all weights
MOST_SMALL_BYTES: Final = 64 * 10**6  # of any other file

CONFIGURATION: Final = "config.json"
TOKENIZER: Final = ("tokenizer.json", "tokenizer_config.json")
_SMALL: Final = frozenset({*DESCRIPTION, INDEX})
_COMMIT: Final = re.compile(r"[0-9a-f]{40}", re.ASCII)


DATASETS: Final = "datasets/"
"""What the hub's addresses have before the name of a data set, and nothing before a model's."""


@dataclass(frozen=True, slots=True)
class Listing:
    """The files of a model that are worth fetching, or some of a data set."""

    repo: str  # as in the hub's addresses
    commit: str
    files: tuple[FileRecord, ...]
    paths: Mapping[str, str] = field(default_factory=dict)
    """Where files are in the repository that have another name here."""

    @property
    def weights(self) -> list[FileRecord]:
        """The large files."""
        return [record for record in self.files if WEIGHTS.fullmatch(record.name)]

    @property
    def description(self) -> list[FileRecord]:
        """The small files, which say what the large ones are."""
        return [record for record in self.files if not WEIGHTS.fullmatch(record.name)]

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(record.size for record in self.files)

    def with_weights(self, names: Collection[str]) -> "Listing":
        """The description, and of the weights only those of these ``names``."""
        weights = [record for record in self.weights if record.name in names]
        return Listing(self.repo, self.commit, (*self.description, *weights))


def model_listing(repo: str, info: ModelInfo) -> Listing:
    """What the hub says of a model, checked.

    Raises:
        ModelError: it lacks what is needed, or breaks a rule.
    """
    siblings = info.siblings or []
    wanted = [sibling for sibling in siblings if _is_wanted(sibling.rfilename)]
    if len(wanted) > MOST_FILES:
        raise ModelError(
            translatable(
                "{} has {} files, too many for Waggle. Choose another model.", repo, len(wanted)
            )
        )
    files = [_record(repo, sibling) for sibling in wanted]
    names = {record.name for record in files}
    for needed in (CONFIGURATION, *TOKENIZER):
        if needed not in names:
            raise _lacking(repo, translatable("a file {}", needed))
    listing = Listing(repo, info.sha or "", tuple(files))
    if not listing.weights:
        raise _lacking(repo, translatable("weights as safetensors"))
    if not is_commit(listing.commit) or len(names) < len(files):
        raise _lacking(repo, translatable("an orderly list of files"))
    listing = _once(listing)
    if listing.size > MOST_BYTES:
        raise ModelError(
            translatable(
                "{} has {}, too much for Waggle. Choose a smaller model.",
                repo,
                size_in_words(listing.size),
            )
        )
    return listing


def _once(listing: Listing) -> Listing:
    """Leave out weights that are there twice: shards are loaded by their list, and only by it."""
    names = {record.name for record in listing.weights}
    if names == {SINGLE} or SINGLE not in names:
        return listing
    has_list = any(record.name == INDEX for record in listing.files)
    return listing.with_weights(names - {SINGLE} if has_list else {SINGLE})


def is_commit(text: str) -> bool:
    """Whether ``text`` names a commit for good, as no branch does."""
    return _COMMIT.fullmatch(text) is not None


def _is_wanted(name: str) -> bool:
    return name in _SMALL or WEIGHTS.fullmatch(name) is not None


def _record(repo: str, sibling: RepoSibling) -> FileRecord:
    name = sibling.rfilename
    try:
        record = file_record(name, sibling)
    except msgspec.ValidationError as error:
        raise _lacking(repo, translatable("the size and hash of its file {}", name)) from error
    if name in _SMALL and record.size > MOST_SMALL_BYTES:
        raise _lacking(repo, translatable("a file {} of a sensible size", name))
    return record


def file_record(name: str, sibling: RepoSibling) -> FileRecord:
    """A file as the hub announces it, which is to be called ``name`` here.

    Raises:
        msgspec.ValidationError: its size or hash is missing or odd, or the name is.
    """
    size, algorithm, digest = sibling.size, "git", sibling.blob_id
    if sibling.lfs is not None:
        size, algorithm, digest = sibling.lfs.size, "sha256", sibling.lfs.sha256
    described = {"name": name, "size": size, "algorithm": algorithm, "digest": digest}
    return msgspec.convert(described, FileRecord)


def _lacking(repo: str, what: str) -> ModelError:
    return unusable(repo, translatable("it lacks {}", what))
