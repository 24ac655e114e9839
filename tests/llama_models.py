"""Models and questions for the tests around llama.cpp."""

import importlib.util
import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
import torch
from transformers import AutoConfig, AutoModelForCausalLM

from core.models.catalog.catalog import ModelSpec
from core.models.export.gguf_export import GgufForm, write_gguf
from core.models.export.gguf_tensors import Quant
from core.models.export.weight_files import WeightFiles
from core.models.memory.budget import SharedBudget
from core.models.policy.policy import Policy
from core.rollouts.types import Completion, Question, SampledTokens
from core.sampling.llama_runtime import LlamaRuntime
from core.sampling.llama_sampler import LlamaSampler
from core.tasks.catalog import PracticeMix, load_catalog
from core.tasks.reasoning_tasks import make_puzzle
from tests.tiny_models import Family, build_tiny_model, disturb_adapter, question, tiny_spec

needs_llama = pytest.mark.skipif(
    importlib.util.find_spec("llama_cpp") is None,
    reason="llama.cpp is not installed: it needs a C++ compiler, see CONTRIBUTING.md",
)

WIDE: dict[str, Any] = {
    "hidden_size": 64,
    "head_dim": 32,
    "num_attention_heads": 4,
    "intermediate_size": 128,
}
"""Rows of whole Q8_0 blocks, and heads that are not hidden size / heads."""

LLAMA3_ROPE = {
    "rope_type": "llama3",
    "rope_theta": 500000.0,
    "factor": 32.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 64,
}
"""Rotations as Llama 3 scales them."""


QUESTIONS = [
    question("Calculate 1 + 2."),
    question("A" * 20, index=1),
    question("Calculate 12345 + 2 and then answer with the number alone, please.", index=2),
]
"""Of three lengths; the last is the longest that the tiny models are asked."""


def build_model(folder: Path, family: Family = "llama", **changes: object) -> ModelSpec:
    """A random model in ``folder`` like the tiny one, but for ``changes`` of its configuration."""
    build_tiny_model(folder, family)
    path = folder / "config.json"
    config = json.loads(path.read_text("utf-8"))
    if family == "qwen2" and "head_dim" in changes:  # its heads are always hidden size / heads
        changes = {**changes, "head_dim": 16}
    path.write_text(json.dumps({**config, **changes}), "utf-8")
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(1)
        model = AutoModelForCausalLM.from_config(AutoConfig.from_pretrained(folder))
        for name, parameter in model.named_parameters():
            if name.endswith((".bias", "norm.weight")):  # or a forgotten one would not be missed
                parameter.data.add_(torch.randn_like(parameter), alpha=0.2)
        # transformers starts the row of the end, which is also the padding, with zeros.
        model.model.embed_tokens.weight[config["eos_token_id"]].data.normal_(std=0.6)
    model.half().save_pretrained(folder)
    return tiny_spec(folder, family)


def make_gguf(spec: ModelSpec, path: Path, quant: Quant = "f16") -> Path:
    """The base of ``spec`` as the sampler's own file at ``path``."""
    write_gguf(WeightFiles(spec), path, GgufForm(quant, speaks=False))
    return path


def train_a_little(policy: Policy, share: float = 0.15) -> None:
    """Make the adapter of a starter matter, but not so much that it forgets what it can do."""
    disturb_adapter(policy)
    for parameter in policy.adapter().values():
        parameter.data.mul_(share)


def sureness(policy: Policy, asked: Question, answer: Completion) -> float:
    """By how much each token of ``answer`` is likelier than any other, at the least sure step.

    As a difference of log-probabilities in torch; rounding can part greedy answers below it only.
    """
    prompt, ids = policy.encode_prompt(asked.prompt), tokens_of(answer).ids
    with torch.no_grad():
        scores = policy.causal_lm(input_ids=torch.tensor([[*prompt, *ids]])).logits[0]
    best = scores[len(prompt) - 1 : -1].topk(2, -1).values
    return float((best[:, 0] - best[:, 1]).min())


def tokens_of(completion: Completion) -> SampledTokens:
    """What was drawn, which every completion of a sampler has."""
    assert completion.tokens is not None
    return completion.tokens


class SamplerOpener:
    """Opens samplers on files in one folder, and closes them all."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._opened: list[LlamaSampler] = []

    def __call__(
        self,
        policy: Policy,
        quant: Quant = "f16",
        budget: SharedBudget | None = None,
        *,
        greedy: bool = False,
    ) -> LlamaSampler:
        path = self._folder / f"{quant}.gguf"
        if not path.exists():
            make_gguf(policy.spec, path, quant)
        self._opened.append(
            LlamaSampler(policy, LlamaRuntime(path, threads=1), budget, greedy=greedy)
        )
        return self._opened[-1]

    def close(self) -> None:
        """Close every sampler that was opened."""
        for sampler in self._opened:
            sampler.close()


def practice_questions(count: int) -> list[Question]:
    """Questions as a node practises them."""
    catalog = load_catalog()
    keys = PracticeMix(catalog, 1).draw(count, Random(3))
    return [make_puzzle(catalog, key).question for key in keys]
