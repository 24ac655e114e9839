"""The shape of a network: what memory and compatibility depend on, without loading anything.

A model that somebody typed in is a stranger's ``config.json``: it is parsed with bounds, and what
the samplers and the update here do not compute is refused before its weights are fetched.
"""

from typing import Annotated, Any, Final, Literal, get_args

import msgspec
from msgspec import UNSET, Meta, UnsetType

from core.errors import ModelError
from core.i18n import translatable
from core.models.catalog.rope import (
    RopeConfig,
    RotationFields,
    Tokens,
    read_rotation,
    rotation_obstacle,
)

Family = Literal["llama", "qwen2", "qwen3"]
"""The supported architectures, as transformers calls them."""

MAX_LAYERS: Final = 512

# Several times what the largest models have: what is built from these takes no memory to speak of.
_Layers = Annotated[int, Meta(ge=1, le=MAX_LAYERS)]
_Heads = Annotated[int, Meta(ge=1, le=1_024)]
_HeadSize = Annotated[int, Meta(ge=1, le=4_096)]
_Width = Annotated[int, Meta(ge=1, le=262_144)]
_Vocabulary = Annotated[int, Meta(ge=1, le=1_000_000)]
_Epsilon = Annotated[float, Meta(gt=0, le=0.1)]

_QWEN_KV_HEADS: Final = 32  # what transformers takes where a Qwen does not say
_QWEN3_HEAD: Final = 128


class Shape(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The sizes of a decoder of the Llama kind."""

    layers: _Layers
    hidden: _Width
    heads: _Heads  # of queries
    kv_heads: _Heads  # of keys and values; each serves heads / kv_heads queries
    head_dim: _HeadSize
    intermediate: _Width  # width of the gated feed-forward part
    vocabulary: _Vocabulary
    tied: bool  # the head is the embedding matrix

    @property
    def queries(self) -> int:
        """Width of all queries of a token."""
        return self.heads * self.head_dim

    @property
    def keys(self) -> int:
        """Width of all keys of a token, and of its values."""
        return self.kv_heads * self.head_dim

    @property
    def embedding(self) -> int:
        """Parameters of the embedding matrix."""
        return self.vocabulary * self.hidden

    @property
    def layer_matrices(self) -> int:
        """Parameters of the seven linear maps of one layer."""
        attention = self.hidden * (2 * self.queries + 2 * self.keys)
        return attention + 3 * self.hidden * self.intermediate

    def adapter(self, rank: int) -> int:
        """Parameters of a LoRA of ``rank`` on the seven linear maps of every layer."""
        ends = 2 * (self.hidden + self.queries) + 2 * (self.hidden + self.keys)
        return self.layers * rank * (ends + 3 * (self.hidden + self.intermediate))


class Architecture(msgspec.Struct, frozen=True):
    """Architecture of a network, as its configuration describes it."""

    family: Family
    shape: Shape
    context: int  # the longest text that the model was made for, in tokens
    epsilon: float  # of every norm
    rotation: RopeConfig

    @property
    def parameters(self) -> int:
        """All parameters; a tied head counts once."""
        return count_parameters(self.family, self.shape)

    def configuration(self) -> dict[str, Any]:
        """All that transformers has to know, and nothing else that a stranger wrote."""
        return {
            "vocab_size": self.shape.vocabulary,
            "hidden_size": self.shape.hidden,
            "intermediate_size": self.shape.intermediate,
            "num_hidden_layers": self.shape.layers,
            "num_attention_heads": self.shape.heads,
            "num_key_value_heads": self.shape.kv_heads,
            "head_dim": self.shape.head_dim,
            "hidden_act": "silu",
            "max_position_embeddings": self.context,
            "rms_norm_eps": self.epsilon,
            "rope_parameters": self.rotation.described(self.context),
            "tie_word_embeddings": self.shape.tied,
            "bos_token_id": None,
            "eos_token_id": None,
        }


class _Config(RotationFields, frozen=True, kw_only=True):
    """The part of ``config.json`` that matters, with the defaults of transformers."""

    hidden_size: _Width
    num_hidden_layers: _Layers
    num_attention_heads: _Heads
    intermediate_size: _Width
    vocab_size: _Vocabulary
    max_position_embeddings: Tokens
    num_key_value_heads: _Heads | UnsetType | None = UNSET
    head_dim: _HeadSize | UnsetType | None = UNSET
    rms_norm_eps: _Epsilon = 1e-6
    tie_word_embeddings: bool = False
    hidden_act: str = "silu"
    attention_bias: bool = False
    mlp_bias: bool = False
    use_sliding_window: bool = False
    layer_types: Annotated[list[str], Meta(max_length=MAX_LAYERS)] | None = None
    quantization_config: object = None  # of any form

    def obstacle(self, family: Family) -> str | None:
        """Say what in it is not computed here; None where nothing stands in the way."""
        if self.quantization_config is not None:
            return translatable(
                "its weights are quantised, and only plain ones can be trained here"
            )
        if self.use_sliding_window or set(self.layer_types or ()) - {"full_attention"}:
            return translatable("it looks back through a sliding window, which is not supported")
        if self.attention_bias or self.mlp_bias or self.hidden_act != "silu":
            return translatable("it has layers that are not supported")
        return self._uneven(family) or rotation_obstacle(self)

    def shape(self, family: Family) -> Shape:
        kv_heads, head_dim = self.num_key_value_heads, self.head_dim
        if kv_heads is UNSET and family != "llama":
            kv_heads = _QWEN_KV_HEADS
        if head_dim is UNSET and family == "qwen3":
            head_dim = _QWEN3_HEAD
        return Shape(
            layers=self.num_hidden_layers,
            hidden=self.hidden_size,
            heads=self.num_attention_heads,
            kv_heads=kv_heads or self.num_attention_heads,
            head_dim=head_dim or max(1, self.hidden_size // self.num_attention_heads),
            intermediate=self.intermediate_size,
            vocabulary=self.vocab_size,
            tied=self.tie_word_embeddings,
        )

    def _uneven(self, family: Family) -> str | None:
        shape = self.shape(family)
        uneven = shape.heads % shape.kv_heads or (family == "llama" and shape.hidden % shape.heads)
        if uneven or shape.head_dim % 2:
            return translatable("its attention heads do not divide evenly")
        return None


class _Kind(msgspec.Struct, frozen=True):
    """The one field that every configuration of transformers has."""

    model_type: str


def read_architecture(config: bytes, name: str) -> Architecture:
    """Read the ``config.json`` of the model called ``name``.

    Raises:
        ModelError: it is damaged, or its architecture is not supported.
    """
    try:
        kind = msgspec.json.decode(config, type=_Kind).model_type
        family: Family = msgspec.convert(kind, Family)
    except msgspec.ValidationError as error:
        raise unusable(name, _kind_in_words(config)) from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise unusable(name, translatable("its configuration is damaged")) from error
    try:
        parsed = msgspec.json.decode(config, type=_Config)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise unusable(name, translatable("its configuration is damaged")) from error
    obstacle = parsed.obstacle(family)
    if obstacle is not None:
        raise unusable(name, obstacle)
    return Architecture(
        family,
        parsed.shape(family),
        parsed.max_position_embeddings,
        parsed.rms_norm_eps,
        read_rotation(parsed),
    )


def unusable(name: str, why: str) -> ModelError:
    """The error for a model that would be of no use even if it were fetched again."""
    return ModelError(
        translatable("The model {} cannot be used: {}. Choose another one.", name, why)
    )


def count_parameters(family: Family, shape: Shape) -> int:
    """All parameters of a network; a tied head counts once."""
    per_layer = shape.layer_matrices + 2 * shape.hidden
    if family == "qwen2":  # biases of queries, keys and values
        per_layer += shape.queries + 2 * shape.keys
    if family == "qwen3":  # norms of each head's queries and keys
        per_layer += 2 * shape.head_dim
    head = 0 if shape.tied else shape.embedding
    return shape.embedding + shape.layers * per_layer + shape.hidden + head


def _kind_in_words(config: bytes) -> str:
    try:
        kind = msgspec.json.decode(config, type=_Kind).model_type
    except msgspec.ValidationError:
        return translatable("its configuration names no architecture")
    known = ", ".join(get_args(Family))
    return translatable(
        "it is of the architecture {}, and only these are supported: {}", f"{kind[:40]!r}", known
    )
