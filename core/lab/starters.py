"""What the two starter models are made of: architecture and tokenizer, different on purpose.

Two families with two tokenizers make every swarm a mixed one from the first day, so that nothing
in Waggle can quietly assume that peers share a model.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import (
    LlamaConfig,
    LlamaForCausalLM,
    PreTrainedModel,
    PreTrainedTokenizerFast,
    Qwen2Config,
    Qwen2ForCausalLM,
)

from core.errors import UnknownModelError

Config = TypeVar("Config", LlamaConfig, Qwen2Config)

END = "<|end|>"
CONTEXT = 1024

# The split that llama.cpp knows as "qwen2": it must match when the model is taken away as GGUF.
_QWEN2_SPLIT = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)


@dataclass(frozen=True, slots=True)
class StarterShape:
    """The size of a transformer."""

    vocabulary: int
    hidden: int
    layers: int
    heads: int
    kv_heads: int
    intermediate: int


@dataclass(frozen=True, slots=True)
class Starter:
    """How one starter model is made."""

    id: str
    family: str  # "llama" or "qwen2"
    shape: StarterShape
    documents: int  # in its corpus
    matrix_rate: float = 0.02  # peak learning rate of Muon, for the matrices inside the blocks
    tokens_per_step: int = 16_384  # of the optimiser, padding counted
    origin: Path | None = None
    """Folder of a starter of this shape whose weights and tokenizer training goes on from."""


STARTERS = {
    "spark": Starter("spark", "llama", StarterShape(1536, 160, 6, 5, 5, 448), 3_900_000),
    "ember": Starter("ember", "qwen2", StarterShape(2048, 192, 8, 6, 3, 512), 3_040_000, 0.015),
}


def starter(name: str) -> Starter:
    """The recipe of a starter model.

    Raises:
        UnknownModelError: there is none of that name.
    """
    try:
        return STARTERS[name]
    except KeyError:
        known = ", ".join(STARTERS)
        raise UnknownModelError(f"No starter model is called {name}. Known: {known}.") from None


def train_tokenizer(recipe: Starter, texts: Iterable[str]) -> PreTrainedTokenizerFast:
    """Learn a byte-level BPE vocabulary from ``texts``; digits always stand alone."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = _split(recipe.family)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=recipe.shape.vocabulary,
        special_tokens=[END],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(_plain(texts), trainer)
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        eos_token=END,
        pad_token=END,
        model_max_length=CONTEXT,
        clean_up_tokenization_spaces=False,
    )


def build_model(recipe: Starter, eos_id: int) -> PreTrainedModel:
    """Build the model with fresh random weights, float32."""
    if recipe.family == "llama":
        return LlamaForCausalLM(_configure(LlamaConfig, recipe.shape, eos_id))
    return Qwen2ForCausalLM(_configure(Qwen2Config, recipe.shape, eos_id))


def _configure(kind: type[Config], shape: StarterShape, eos_id: int) -> Config:
    return kind(
        vocab_size=shape.vocabulary,
        hidden_size=shape.hidden,
        intermediate_size=shape.intermediate,
        num_hidden_layers=shape.layers,
        num_attention_heads=shape.heads,
        num_key_value_heads=shape.kv_heads,
        max_position_embeddings=CONTEXT,
        tie_word_embeddings=True,
        bos_token_id=None,
        eos_token_id=eos_id,
        pad_token_id=eos_id,
    )


def _split(family: str) -> pre_tokenizers.PreTokenizer:
    if family == "llama":  # known to llama.cpp as "smollm"
        return pre_tokenizers.Sequence(
            [
                pre_tokenizers.Digits(individual_digits=True),
                pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True),
            ]
        )
    return pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(_QWEN2_SPLIT), behavior="isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )


def _plain(texts: Iterable[str]) -> Iterator[str]:
    yield from texts
