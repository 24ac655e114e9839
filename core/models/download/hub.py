"""Client of a model hub: a model's files with their sizes and hashes, at one fixed commit.

The names and sizes that come back are a stranger's words: only files of known names are taken, so
that none of them leads anywhere, and only up to a size.
"""

import ipaddress
import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final
from urllib.parse import urlsplit

import msgspec
from huggingface_hub import HfApi, hf_hub_url
from huggingface_hub.errors import (
    GatedRepoError,
    HfHubHTTPError,
    OfflineModeIsEnabled,
    RepositoryNotFoundError,
)
from huggingface_hub.hf_api import ModelInfo, RepoSibling
from huggingface_hub.utils._headers import build_hf_headers

from core.errors import ModelError, UnknownModelError, WaggleError
from core.i18n import translatable
from core.models.catalog.catalog import size_in_words
from core.models.catalog.manifest import MOST_FILES, FileRecord
from core.models.catalog.weight_headers import WEIGHTS
from core.models.download.connection_errors import encryption_trouble

TIMEOUT_S: Final = 15.0
MOST_BYTES: Final = 40 * 10**9  # of all weights
MOST_SMALL_BYTES: Final = 64 * 10**6  # of any other file

CONFIGURATION: Final = "config.json"
TOKENIZER: Final = ("tokenizer.json", "tokenizer_config.json")
_SMALL: Final = frozenset(
    {
        CONFIGURATION,
        *TOKENIZER,
        "generation_config.json",
        "chat_template.jinja",
        "model.safetensors.index.json",
    }
)
CLOSED: Final = (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN)
_COMMIT: Final = re.compile(r"[0-9a-f]{40}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Listing:
    """The files of a model that are worth fetching."""

    repo: str
    commit: str
    files: tuple[FileRecord, ...]

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


class Hub:
    """Hugging Face, or whatever speaks like it at ``endpoint``.

    The access token is looked for only once a model cannot be had without it.
    """

    def __init__(
        self, find_token: Callable[[], str | None] = lambda: None, endpoint: str | None = None
    ) -> None:
        """``endpoint`` None: that of ``HF_ENDPOINT``, else Hugging Face's own."""
        self._api = HfApi(endpoint=endpoint, token=False, library_name="waggle")
        self._find_token = find_token
        self._token: str | None = None

    @property
    def headers(self) -> dict[str, str]:
        """HTTP headers of every request, with the token once it was unlocked."""
        headers = build_hf_headers(token=self._token or False, library_name="waggle")
        return headers | {"Accept-Encoding": "identity"}  # a compressed file could not be resumed

    def url(self, listing: Listing, name: str) -> str:
        """Where the file ``name`` of that very commit is."""
        return hf_hub_url(listing.repo, name, revision=listing.commit, endpoint=self._api.endpoint)

    def unlock(self) -> bool:
        """Show the access token from now on; blocking.

        False where nothing changes: it is shown already, there is none, or others could read it.

        Raises:
            ModelError: what was found is no token.
        """
        if self._token is not None or not _is_private(self._api.endpoint):
            return False
        self._token = self._find_token()
        return self._token is not None

    def listing(self, repo: str, *, gated: bool = False) -> Listing:
        """Ask what ``repo`` consists of now; blocking. ``gated``: known to need the token.

        Raises:
            UnknownModelError: there is no such model.
            ModelError: the hub cannot be reached or refuses, or the model lacks what is needed.
        """
        if gated:
            self.unlock()
        try:
            try:
                info = self._ask(repo)
            except HfHubHTTPError as error:
                if error.response.status_code not in CLOSED or not self.unlock():
                    raise
                info = self._ask(repo)
        except OfflineModeIsEnabled as error:
            raise ModelError(
                translatable(
                    "{} cannot be fetched while HF_HUB_OFFLINE forbids the network. "
                    "Unset that variable and try again.",
                    repo,
                )
            ) from error
        except HfHubHTTPError as error:
            raise self._refused(repo, error) from error
        except ModelError:  # of the token
            raise
        except Exception as error:
            # Whatever its HTTP library and a nonsensical answer can raise comes through.
            raise encryption_trouble(error) or ModelError(
                translatable(
                    "The model hub cannot be reached, or does not answer as it should. "
                    "Look at your connection and try again."
                )
            ) from error
        return _read(repo, info)

    def closed(self, repo: str, status: int) -> ModelError:
        """The error for a model that the hub does not give away: 401 or 403."""
        if self._token is None and not _is_private(self._api.endpoint):
            return ModelError(
                translatable(
                    "{} needs your access token, which is not sent to {}: that "
                    "line is not encrypted. Let HF_ENDPOINT begin with https.",
                    repo,
                    self._api.endpoint,
                )
            )
        if self._token is None:
            return ModelError(
                translatable(
                    "{} is only given to those who accepted its licence. Accept it on "
                    "huggingface.co/{}, make an access token there, and give it to Waggle on the "
                    "page Models, or with: waggle models token",
                    repo,
                    repo,
                )
            )
        if status == HTTPStatus.UNAUTHORIZED:
            return ModelError(
                translatable(
                    "Hugging Face refused your access token; it may have expired. Make a new one "
                    "on huggingface.co/settings/tokens and put it into HF_TOKEN where you set "
                    "that variable, else give it to Waggle on the page Models, or with: waggle "
                    "models token"
                )
            )
        return ModelError(
            translatable(
                "Your access token does not open {}. "
                "Accept the model's licence on huggingface.co/{}, then try again.",
                repo,
                repo,
            )
        )

    def _ask(self, repo: str) -> ModelInfo:
        token = self._token or False
        return self._api.model_info(repo, timeout=TIMEOUT_S, files_metadata=True, token=token)

    def _refused(self, repo: str, error: HfHubHTTPError) -> WaggleError:
        status = error.response.status_code
        is_token = self._token is not None and status == HTTPStatus.UNAUTHORIZED
        if isinstance(error, RepositoryNotFoundError) and not (
            isinstance(error, GatedRepoError) or is_token
        ):
            return UnknownModelError(
                translatable(
                    "Hugging Face knows no model {}, or it is private. "
                    "Look its name up on huggingface.co.",
                    repo,
                )
            )
        if status in CLOSED:
            return self.closed(repo, status)
        return ModelError(
            translatable(
                "The model hub answered with the error {} when asked for {}. Try again later.",
                status,
                repo,
            )
        )


def _is_private(endpoint: str) -> bool:
    """Whether nobody on the way to ``endpoint`` can read along."""
    parts = urlsplit(endpoint)
    if parts.scheme == "https" or parts.hostname == "localhost":
        return True
    try:
        return ipaddress.ip_address(parts.hostname or "").is_loopback
    except ValueError:
        return False


def _read(repo: str, info: ModelInfo) -> Listing:
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
    if _COMMIT.fullmatch(listing.commit) is None or len(names) < len(files):
        raise _lacking(repo, translatable("an orderly list of files"))
    if listing.size > MOST_BYTES:
        raise ModelError(
            translatable(
                "{} has {}, too much for Waggle. Choose a smaller model.",
                repo,
                size_in_words(listing.size),
            )
        )
    return listing


def _is_wanted(name: str) -> bool:
    return name in _SMALL or WEIGHTS.fullmatch(name) is not None


def _record(repo: str, sibling: RepoSibling) -> FileRecord:
    name, size = sibling.rfilename, sibling.size
    algorithm, digest = ("git", sibling.blob_id)
    if sibling.lfs is not None:
        algorithm, digest, size = "sha256", sibling.lfs.sha256, sibling.lfs.size
    if name in _SMALL and size is not None and size > MOST_SMALL_BYTES:
        raise _lacking(repo, f"a file {name} of a sensible size")
    described = {"name": name, "size": size, "algorithm": algorithm, "digest": digest}
    try:
        return msgspec.convert(described, FileRecord)
    except msgspec.ValidationError as error:
        raise _lacking(repo, f"the size and hash of its file {name}") from error


def _lacking(repo: str, what: str) -> ModelError:
    return ModelError(
        translatable("The model {} cannot be used: it lacks {}. Choose another one.", repo, what)
    )
