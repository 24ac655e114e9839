"""Tiny random models of both families, made on the spot, for tests that need a real policy."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import torch
from tokenizers import Tokenizer, decoders, pre_tokenizers, trainers
from tokenizers.models import BPE
from transformers import AutoModelForCausalLM, LlamaConfig, Qwen2Config, Qwen3Config

from core.models.catalog.catalog import ModelSpec
from core.models.catalog.shapes import Shape
from core.models.policy.loading import load_policy
from core.models.policy.policy import Policy
from core.rollouts.types import (
    Completion,
    ModelId,
    PeerId,
    PuzzleKey,
    Question,
    RolloutGroup,
    ScoredGroup,
    TaskId,
)

Family = Literal["llama", "qwen2", "qwen3"]
FAMILIES: tuple[Family, ...] = ("llama", "qwen2", "qwen3")
_CONFIGURATIONS = {"llama": LlamaConfig, "qwen2": Qwen2Config, "qwen3": Qwen3Config}
END = "<|end|>"
SHAPE = Shape(
    layers=2,
    hidden=48,
    heads=4,
    kv_heads=2,
    head_dim=12,
    intermediate=96,
    vocabulary=320,
    tied=True,
)
_CORPUS = [
    f"Calculate {a} + {b}. Answer with the number alone.\n{a + b}"
    for a in range(30)
    for b in range(5)
]


def tiny_spec(folder: Path, family: Family = "llama", completion_tokens: int = 12) -> ModelSpec:
    """Describe the model in ``folder``; a high learning rate, so that one step is visible."""
    return ModelSpec(
        id=f"tiny-{family}",
        title="Tiny",
        sentence="Knows nothing at all.",
        family=family,
        parameters=50_000,
        shape=SHAPE,
        folder=folder,
        lora_rank=4,
        lora_alpha=8.0,
        learning_rate=1e-2,
        completion_tokens=completion_tokens,
        context=128,
        licence="Apache-2.0",
    )


def build_tiny_model(folder: Path, family: Family = "llama", seed: int = 0) -> Path:
    """Write a random model of ``family`` with its tokenizer into ``folder`` and return it.

    Hidden size 48, two layers, grouped-query attention, byte-level BPE of at least 257 tokens. The
    weights are larger than is usual, so that the distribution is far from uniform and an error
    in positions or masks shows in the log-probabilities; the end-of-sequence token is likelier
    than others, so that some completions end.
    """
    tokenizer = build_tiny_tokenizer(folder)
    config = _CONFIGURATIONS[family](
        vocab_size=tokenizer.get_vocab_size(),
        hidden_size=48,
        intermediate_size=96,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        head_dim=12,
        max_position_embeddings=512,
        initializer_range=0.2,
        tie_word_embeddings=True,
        bos_token_id=None,
        eos_token_id=tokenizer.token_to_id(END),
        pad_token_id=tokenizer.token_to_id(END),
    )
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = AutoModelForCausalLM.from_config(config)
        # transformers starts the padding token, which is the same one, with zeros.
        model.model.embed_tokens.weight[config.eos_token_id].data.normal_(std=0.8)
        for name, parameter in model.named_parameters():
            if name.endswith((".bias", "norm.weight")):  # or a forgotten one would not be missed
                parameter.data.add_(torch.randn_like(parameter), alpha=0.2)
    model.half().save_pretrained(folder)
    return folder


def build_tiny_tokenizer(folder: Path) -> Tokenizer:
    """Write the tokenizer of the tiny models with its settings into ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer = _train_tokenizer()
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "tokenizer_config.json").write_text(json.dumps({"eos_token": END, "pad_token": END}))
    return tokenizer


def load_tiny_policy(
    folder: Path, family: Family = "llama", *, seed: int = 0, completion_tokens: int = 12
) -> Policy:
    """Build a tiny model in ``folder`` and load it; ``seed`` is that of the fresh adapter."""
    return load_policy(tiny_spec(build_tiny_model(folder, family), family, completion_tokens), seed)


def disturb_adapter(policy: Policy, seed: int = 0) -> None:
    """Make the adapter matter, as it does after some training."""
    generator = torch.Generator().manual_seed(seed)
    for parameter in policy.adapter().values():
        noise = torch.randn(parameter.shape, generator=generator)
        parameter.detach().add_(noise, alpha=0.2)
    policy.learned()


def question(text: str, index: int = 0) -> Question:
    """A question with ``text`` as its prompt."""
    return Question(PuzzleKey(TaskId("add"), level=1, seed=1, index=index), text)


def answered(prompt: str, answers: Mapping[str, float]) -> ScoredGroup:
    """A judged group of another node: text -> reward, every completion ended by itself."""
    asked = question(prompt)
    completions = tuple(Completion(text, ended=True) for text in answers)
    group = RolloutGroup(
        asked.key, asked.digest, PeerId("ab" * 32), ModelId("other"), 1, completions
    )
    return ScoredGroup(asked, group, tuple(answers.values()))


def _train_tokenizer() -> Tokenizer:
    tokenizer = Tokenizer(BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Digits(individual_digits=True),
            pre_tokenizers.ByteLevel(add_prefix_space=False),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=320,
        special_tokens=[END],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(_CORPUS, trainer)
    return tokenizer
