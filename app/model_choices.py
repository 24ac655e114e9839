"""The models that can be chosen, as the window needs them.

Read from the catalogue's own file, because the window may not reach ``core.models``; only the
few fields that are shown are looked at, the engine checks the rest. Offered are the models that
ship with Waggle: a click must not start a download of gigabytes that nobody was told about.
"""

from pathlib import Path

import msgspec

from core.errors import ModelError
from core.paths import RESOURCES

CATALOGUE = RESOURCES / "models.toml"


class ModelChoice(msgspec.Struct, frozen=True, kw_only=True):
    """A model as a person chooses it."""

    id: str
    title: str
    sentence: str
    parameters: int
    repo: str | None = None  # where it would have to be fetched from; None: it ships with Waggle

    @property
    def size(self) -> str:
        """Its size in words, such as ``1.5 million parameters``."""
        return f"{self.parameters / 1e6:.1f} million parameters"


class _Catalogue(msgspec.Struct, frozen=True):
    models: tuple[ModelChoice, ...]


def load_choices(path: Path = CATALOGUE) -> tuple[ModelChoice, ...]:
    """The models on offer, in the order of the file; at least one.

    Raises:
        ModelError: the file is missing or damaged.
    """
    try:
        listed = msgspec.toml.decode(path.read_bytes(), type=_Catalogue).models
    except (OSError, UnicodeDecodeError, msgspec.DecodeError) as error:
        raise ModelError(
            f"The list of models {path} cannot be read ({error}). Install Waggle again."
        ) from error
    choices = tuple(choice for choice in listed if choice.repo is None)
    if not choices:
        raise ModelError(f"The list of models {path} is empty. Install Waggle again.")
    return choices
