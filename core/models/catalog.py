"""The catalogue of models that can be trained, read from ``resources/models.toml``.

Reading it imports no torch: the window and the command line list models at once.
"""

import difflib
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from core.errors import ModelError, UnknownModelError
from core.paths import RESOURCES
from core.rollouts.types import ModelId

Family = Literal["llama", "qwen2"]

CATALOGUE = RESOURCES / "models.toml"
_Count = Annotated[int, Meta(ge=1)]
_Positive = Annotated[float, Meta(gt=0)]


class ModelSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """All that is known about a model before it is loaded."""

    id: Annotated[str, Meta(pattern=r"^[a-z0-9][a-z0-9.-]*$", max_length=100)]
    title: str  # for people
    sentence: str  # what a person gains by choosing it
    family: Family  # the architecture, as transformers calls it
    parameters: _Count
    folder: Path  # configuration, weights (safetensors) and tokenizer
    lora_rank: _Count
    lora_alpha: _Positive  # the adapter is scaled by alpha / rank
    learning_rate: _Positive  # of Adam
    completion_tokens: _Count  # the longest completion, its end-of-sequence token included
    context: _Count  # the longest prompt and completion together, in tokens
    licence: str

    @property
    def model_id(self) -> ModelId:
        """The name under which rollouts and checkpoints know this model."""
        return ModelId(self.id)

    @property
    def prompt_tokens(self) -> int:
        """The longest prompt that leaves room for a whole completion."""
        return self.context - self.completion_tokens


class ModelCatalog(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The models in the order in which they are offered, the smallest first."""

    models: tuple[ModelSpec, ...]

    def get(self, name: str) -> ModelSpec:
        """Find a model by its id.

        Raises:
            UnknownModelError: there is none; the message names those that there are.
        """
        for spec in self.models:
            if spec.id == name:
                return spec
        known = [spec.id for spec in self.models]
        close = difflib.get_close_matches(name, known, n=1)
        hint = f"Did you mean {close[0]}?" if close else f"Choose one of: {', '.join(known)}."
        raise UnknownModelError(f"There is no model called {name!r}. {hint}")


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
            f"The list of models {path} cannot be read ({error}). Install Waggle again."
        ) from error
