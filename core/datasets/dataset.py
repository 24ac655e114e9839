"""A data set on a model hub: which tables it has, which of them is meant, and under what licence.

Paths, sizes and the card are a stranger's words: only plain paths are taken, and none of them is
ever a name on this computer.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

import msgspec
from huggingface_hub.hf_api import DatasetInfo, RepoSibling

from core.decks.limits import MAX_DECK_BYTES, MAX_NAME, MAX_PARQUET_BYTES
from core.errors import DeckError, UnknownModelError
from core.models.catalog.catalog import is_repository
from core.models.download.hub import Hub
from core.models.download.listing import DATASETS, Listing, file_record, is_commit

PARQUET: Final = ".parquet"
READABLE: Final = frozenset(
    {".csv", ".tsv", ".tab", ".jsonl", ".ndjson", ".json", ".xlsx", PARQUET}
)
SHOWN: Final = 20
"""Files that an error names."""

_ABOUT: Final = frozenset({"dataset_infos.json", "dataset_info.json", "dataset_dict.json"})
"""What the field's own library writes beside the tables."""

_MOST_FILES: Final = 100_000
_PART: Final = r"[\w+@(=&'][\w .,+@()=&'-]*"  # neither hidden nor .., and no letter plays tricks
_PATH: Final = re.compile(rf"{_PART}(?:/{_PART})*")
_MOST_LETTERS: Final = 300
_WORDS: Final = re.compile(r"[^\W_]+")
_LICENCE: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9 .,+-]*")
_LICENCE_TAG: Final = "license:"


@dataclass(frozen=True, slots=True)
class Dataset:
    """What its hub says of it now."""

    repo: str  # owner/name
    commit: str
    licence: str  # empty: its card names none
    tables: Mapping[str, RepoSibling]
    """Files that can be read, by path."""

    @property
    def owner(self) -> str:
        """Who put it there."""
        return self.repo.partition("/")[0]

    @property
    def name(self) -> str:
        """Its name without that of its owner."""
        return self.repo.partition("/")[2]


def look_up(hub: Hub, repo: str) -> Dataset:
    """Ask what the data set ``owner/name`` consists of now; blocking.

    Raises:
        DeckError: there is no such data set, or nothing in it can be read.
        ModelError: the hub cannot be reached or refuses.
    """
    if not is_repository(repo):
        raise DeckError(f"{repo!r} names no data set. Write its owner and its name: owner/name")
    try:
        info = hub.dataset(repo)
    except UnknownModelError as error:
        raise DeckError(
            f"Hugging Face knows no data set {repo}, or it is private. "
            "Look its name up on huggingface.co/datasets."
        ) from error
    siblings = (info.siblings or [])[:_MOST_FILES]
    tables = {one.rfilename: one for one in siblings if _is_table(one.rfilename)}
    if not tables:
        raise DeckError(
            f"There is no file in {repo} that Waggle can read. It reads CSV, TSV, JSON Lines, "
            "JSON, XLSX and Parquet."
        )
    if not is_commit(info.sha or ""):
        raise DeckError(f"The hub does not say which version of {repo} it has. Try again later.")
    return Dataset(repo, info.sha or "", _licence(info), tables)


def _is_table(path: object) -> bool:
    if not isinstance(path, str) or len(path) > _MOST_LETTERS or not _PATH.fullmatch(path):
        return False
    plain = PurePosixPath(path.casefold())
    return plain.suffix in READABLE and plain.name not in _ABOUT


def _licence(info: DatasetInfo) -> str:
    """What the card says, else the tags; empty where that is no name of a licence."""
    said = getattr(info.card_data, "license", None)
    if said is None:
        tags = [tag for tag in info.tags or [] if isinstance(tag, str)]
        said = [tag.removeprefix(_LICENCE_TAG) for tag in tags if tag.startswith(_LICENCE_TAG)]
    names = [said] if isinstance(said, str) else said if isinstance(said, list) else []
    text = ", ".join(name for name in names if isinstance(name, str))
    return text if len(text) <= MAX_NAME and _LICENCE.fullmatch(text) else ""


def choose(dataset: Dataset, path: str | None = None, split: str | None = None) -> str:
    """The table at ``path``, else the one of ``split``, else the only one there is.

    That of a split has its name as a word in its path, as in ``data/train-00000-of-00001.parquet``.

    Raises:
        DeckError: there is none, or there are several.
    """
    tables = sorted(dataset.tables)
    if path is not None:
        if path in dataset.tables:
            return path
        raise DeckError(
            f"There is no file {path!r} in {dataset.repo} that can be read. "
            f"Choose one with --file: {_listed(tables)}"
        )
    found = tables if split is None else [one for one in tables if _is_of(one, split)]
    if len(found) == 1:
        return found[0]
    if not found:
        raise DeckError(
            f"No file of {dataset.repo} is named as the split {split!r}. "
            f"Choose one with --file: {_listed(tables)}"
        )
    raise DeckError(
        f"There are {len(found)} files in {dataset.repo} that could be meant. "
        f"Choose one with --split or --file: {_listed(found)}"
    )


def _is_of(path: str, split: str) -> bool:
    """Whether the words of ``split`` follow each other in ``path``."""
    words, wanted = (_WORDS.findall(text.casefold()) for text in (path, split))
    starts = range(len(words) - len(wanted) + 1)
    return bool(wanted) and any(words[at : at + len(wanted)] == wanted for at in starts)


def _listed(paths: Iterable[str]) -> str:
    every = list(paths)
    more = f", and {len(every) - SHOWN} more" if len(every) > SHOWN else ""
    return f"{', '.join(every[:SHOWN])}{more}"


def is_parquet(path: str) -> bool:
    """Whether the name of a file says that it is Parquet."""
    return path.casefold().endswith(PARQUET)


def listing_of(dataset: Dataset, path: str) -> Listing:
    """That one file, under a name of ours.

    Raises:
        DeckError: it is too large, or could not be checked once it is here.
    """
    name = f"table{PurePosixPath(path).suffix.casefold()}"
    try:
        record = file_record(name, dataset.tables[path])
    except msgspec.ValidationError as error:
        raise DeckError(
            f"The hub does not say how large {path} is, or what it should be. Choose another file."
        ) from error
    most = MAX_PARQUET_BYTES if is_parquet(path) else MAX_DECK_BYTES
    if record.size > most:
        raise DeckError(
            f"{path} has {record.size:,} bytes, and such a file may have {most:,}. "
            "Choose a smaller one with --file."
        )
    return Listing(f"{DATASETS}{dataset.repo}", dataset.commit, (record,), {name: path})
