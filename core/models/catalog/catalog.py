"""The catalogue of models that can be trained, read from ``resources/models.toml``.

Reading it imports no torch: the window and the command line list models at once.
"""

import difflib
import re
from pathlib import Path
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from core.errors import ModelError, UnknownModelError
from core.i18n import translatable
from core.models.catalog.shapes import Family, Shape
from core.paths import RESOURCES
from core.rollouts.types import ModelId

REPOSITORY: Final = re.compile(
    r"[A-Za-z0-9](?:[A-Za-z0-9_-]{0,40}[A-Za-z0-9])?/[A-Za-z0-9](?:[A-Za-z0-9._-]{0,94}[A-Za-z0-9])?",
    re.ASCII,
)
"""``owner/name``; both start and end in a letter or digit, so neither leads out of a folder."""

MOST_LETTERS: Final = 42 + len("--") + 96
"""Of an id: Hugging Face allows an owner 42 and a name 96."""


def is_repository(name: str) -> bool:
    """Whether ``name`` has the form of a model's name on Hugging Face."""
    return REPOSITORY.fullmatch(name) is not None and ".." not in name and "--" not in name


def id_of(repo: str) -> str:
    """The id that the repository ``owner/name`` has here, as folder and in the swarm.

    Hugging Face knows no name with two hyphens in a row, so different names keep different ids.
    """
    return repo.replace("/", "--").lower()


SMALL_MODEL: Final = 20_000_000
"""Parameters below which a step is all overhead: half precision and more cores gain nothing."""

CATALOGUE = RESOURCES / "models.toml"
_Count = Annotated[int, Meta(ge=1)]
_Positive = Annotated[float, Meta(gt=0)]


class ModelSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """All that is known about a model before it is loaded."""

    id: Annotated[str, Meta(pattern=r"^[a-z0-9][a-z0-9._-]*\Z", max_length=MOST_LETTERS)]
    title: str  # for people
    sentence: str  # what a person gains by choosing it
    family: Family  # the architecture, as transformers calls it
    shape: Shape
    parameters: _Count  # a tied head counts once
    folder: Path  # configuration, weights (safetensors) and tokenizer
    repo: str | None = None  # where it is fetched from, on Hugging Face; None: it ships with Waggle
    download: Annotated[int, Meta(ge=0)] = 0  # bytes
    gated: bool = False  # the fetching needs the token of a person who accepted the licence
    chat: bool = False  # questions are put into its own chat template
    lora_rank: _Count
    lora_alpha: _Positive  # the adapter is scaled by alpha / rank
    learning_rate: _Positive  # of Adam, at its peak
    completion_tokens: _Count  # the longest completion, its end-of-sequence token included
    context: _Count  # the longest prompt and completion together, in tokens
    licence: str
    terms: str = ""  # what a person should know about the licence, in words

    @property
    def model_id(self) -> ModelId:
        """The name under which rollouts and checkpoints know this model."""
        return ModelId(self.id)

    @property
    def is_small(self) -> bool:
        """Whether it has fewer than ``SMALL_MODEL`` parameters: its steps are all overhead."""
        return self.parameters < SMALL_MODEL

    @property
    def prompt_tokens(self) -> int:
        """The longest prompt that leaves room for a whole completion."""
        return self.context - self.completion_tokens


class ModelCatalog(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The models in the order in which they are offered, the smallest first."""

    models: tuple[ModelSpec, ...]

    def find(self, name: str) -> ModelSpec | None:
        """Find a model by its id or by its repository; None where there is none."""
        lower = name.lower()
        for spec in self.models:
            if lower in (spec.id, (spec.repo or spec.id).lower()):
                return spec
        return None

    def get(self, name: str) -> ModelSpec:
        """Find a model by its id or by its repository.

        Raises:
            UnknownModelError: there is none; the message names those that there are.
        """
        spec = self.find(name)
        if spec is not None:
            return spec
        known = [spec.id for spec in self.models]
        close = difflib.get_close_matches(name, known, n=1)
        listed = translatable("Choose one of: {}.", ", ".join(known))
        hint = translatable("Did you mean {}?", close[0]) if close else listed
        raise UnknownModelError(
            translatable("There is no model called {}. {}", f"{name[:100]!r}", hint)
        )

    def smaller_than(self, spec: ModelSpec) -> ModelSpec | None:
        """The largest model with fewer parameters than ``spec``; None where it is the smallest."""
        smaller = [other for other in self.models if other.parameters < spec.parameters]
        return max(smaller, key=lambda other: other.parameters, default=None)


def load_models(path: Path = CATALOGUE) -> ModelCatalog:
    """Read the catalogue at ``path``; its folders are relative to ``models`` beside it.

    Raises:
        ModelError: the file is missing or breaks a rule, so this copy of Waggle is damaged.
    """

    def resolve(kind: type, value: str) -> Path:
        if kind is not Path:
            raise NotImplementedError
        return path.parent / "models" / value

    try:
        return msgspec.toml.decode(path.read_bytes(), type=ModelCatalog, dec_hook=resolve)
    except (OSError, UnicodeDecodeError, msgspec.DecodeError) as error:
        raise ModelError(
            translatable(
                "The list of models {} cannot be read ({}). Install Waggle again.", path, error
            )
        ) from error
