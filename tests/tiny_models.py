"""Tiny random models of both families, made on the spot, for tests that need a real policy."""

import json
from pathlib import Path
from typing import Literal

import torch
from tokenizers import Tokenizer, decoders, pre_tokenizers, trainers
from tokenizers.models import BPE
from transformers import LlamaConfig, LlamaForCausalLM, Qwen2Config, Qwen2ForCausalLM

from core.models.catalog import ModelSpec

Family = Literal["llama", "qwen2"]
FAMILIES: tuple[Family, ...] = ("llama", "qwen2")
END = "<|end|>"
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

    Hidden size 48, two layers, grouped-query attention, byte-level BPE of about 320 tokens. The
    weights are larger than is usual, so that the distribution is far from uniform and an error
    in positions or masks shows in the log-probabilities.
    """
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer = _train_tokenizer()
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "tokenizer_config.json").write_text(json.dumps({"eos_token": END, "pad_token": END}))
    config_type = LlamaConfig if family == "llama" else Qwen2Config
    config = config_type(
        vocab_size=tokenizer.get_vocab_size(),
        hidden_size=48,
        intermediate_size=96,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=128,
        initializer_range=0.2,
        tie_word_embeddings=True,
        bos_token_id=None,
        eos_token_id=tokenizer.token_to_id(END),
        pad_token_id=tokenizer.token_to_id(END),
    )
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = (
            LlamaForCausalLM(config)
            if isinstance(config, LlamaConfig)
            else Qwen2ForCausalLM(config)
        )
    model.half().save_pretrained(folder)  # type: ignore[no-untyped-call]  # ships unannotated
    return folder


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
