"""Client of a model hub: what a model or a data set consists of, and where its files are."""

import ipaddress
from collections.abc import Callable
from http import HTTPStatus
from typing import Final, TypeVar
from urllib.parse import urlsplit

from huggingface_hub import HfApi, hf_hub_url
from huggingface_hub.errors import (
    GatedRepoError,
    HfHubHTTPError,
    OfflineModeIsEnabled,
    RepositoryNotFoundError,
)
from huggingface_hub.hf_api import DatasetInfo, ModelInfo
from huggingface_hub.utils._headers import build_hf_headers

from core.errors import ModelError, UnknownModelError, WaggleError
from core.i18n import translatable
from core.models.download.connection_errors import encryption_trouble
from core.models.download.listing import DATASETS, Listing, model_listing

TIMEOUT_S: Final = 15.0
CLOSED: Final = (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN)

_Info = TypeVar("_Info")


class Hub:
    """Hugging Face, or whatever speaks like it at ``endpoint``.

    The access token is looked for only once a model or a data set cannot be had without it.
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
        return hf_hub_url(
            listing.repo.removeprefix(DATASETS),
            listing.paths.get(name, name),
            repo_type="dataset" if listing.repo.startswith(DATASETS) else None,
            revision=listing.commit,
            endpoint=self._api.endpoint,
        )

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

        def ask() -> ModelInfo:
            token = self._token or False
            return self._api.model_info(repo, timeout=TIMEOUT_S, files_metadata=True, token=token)

        return model_listing(repo, self._asked(repo, ask))

    def dataset(self, repo: str) -> DatasetInfo:
        """Ask what the data set ``repo`` consists of now; blocking. Nothing of it is checked.

        Raises:
            UnknownModelError: there is no such data set.
            ModelError: the hub cannot be reached or refuses.
        """

        def ask() -> DatasetInfo:
            token = self._token or False
            return self._api.dataset_info(repo, timeout=TIMEOUT_S, files_metadata=True, token=token)

        return self._asked(f"{DATASETS}{repo}", ask)

    def _asked(self, repo: str, ask: Callable[[], _Info]) -> _Info:
        """What ``ask`` brings, with the token where it cannot be had without.

        Raises:
            UnknownModelError, ModelError: it cannot be had.
        """
        try:
            try:
                return ask()
            except HfHubHTTPError as error:
                if error.response.status_code not in CLOSED or not self.unlock():
                    raise
                return ask()
        except OfflineModeIsEnabled as error:
            raise ModelError(
                translatable(
                    "{} cannot be downloaded while HF_HUB_OFFLINE forbids the network. "
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
        if repo.startswith(DATASETS):
            return ModelError(
                translatable(
                    "Your access token does not open {}. "
                    "Accept its terms on huggingface.co/{}, then try again.",
                    repo,
                    repo,
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

    def _refused(self, repo: str, error: HfHubHTTPError) -> WaggleError:
        status = error.response.status_code
        is_token = self._token is not None and status == HTTPStatus.UNAUTHORIZED
        if isinstance(error, RepositoryNotFoundError) and not (
            isinstance(error, GatedRepoError) or is_token
        ):
            return UnknownModelError(
                translatable(
                    "Hugging Face has nothing called {}, or it is private. "
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
    try:
        parts = urlsplit(endpoint)
        if parts.scheme == "https" or parts.hostname == "localhost":
            return True
        return ipaddress.ip_address(parts.hostname or "").is_loopback
    except ValueError:  # a name, or no address at all
        return False
