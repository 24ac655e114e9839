"""Reads a policy from a folder; whatever is wrong with the folder becomes one sentence.

Only local files are read, and weights only as safetensors: no network, no code, no pickle.
"""

import hashlib
import math
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import torch
from safetensors import safe_open
from transformers import (
    GenerationConfig,
    LlamaConfig,
    LlamaForCausalLM,
    Qwen2Config,
    Qwen2ForCausalLM,
    Qwen3Config,
    Qwen3ForCausalLM,
)
from transformers.utils import logging as transformers_logging

from core.errors import ModelError
from core.i18n import translatable, words_of
from core.models.catalog.catalog import ModelSpec, load_models
from core.models.catalog.inspection import architecture_of, untried
from core.models.catalog.weight_headers import DESCRIPTION
from core.models.memory.compute import ON_CPU, Compute
from core.models.memory.free import free_memory
from core.models.memory.shortage import too_large
from core.models.policy.adapters import LoraConfig, PeftModel, add_adapter
from core.models.policy.confined import may_pass
from core.models.policy.four_bit import quantize
from core.models.policy.language import Language, LanguageError, read_language
from core.models.policy.policy import BaseWeights, CausalLm, Policy

ROWS: Final = 8
"""Of each matrix, evenly spread, the first and the last among them."""


def fingerprint_of(folder: Path) -> str:
    """Digest the model in ``folder``: 16 hex characters, the same on every machine.

    Raises:
        Exception: whatever safetensors and the system raise on damaged files.
    """
    digest = hashlib.sha256()
    for name in DESCRIPTION:
        path = folder / name
        digest.update(f"{name} {path.exists()}\n".encode())
        if path.exists():  # git may turn the ends of lines over where a copy was checked out
            digest.update(hashlib.sha256(path.read_bytes().replace(b"\r\n", b"\n")).digest())
    weights: dict[str, bytes] = {}  # by name, however many files they lie in
    for path in folder.glob("*.safetensors"):
        with safe_open(path, framework="pt") as file:
            weights |= {name: _digest(file, name) for name in file.keys()}  # noqa: SIM118 - no mapping
    for name in sorted(weights):
        digest.update(name.encode() + b"\n" + weights[name])
    return digest.hexdigest()[:16]


def _digest(file: Any, name: str) -> bytes:  # noqa: ANN401 - an open file of safetensors
    weight = file.get_slice(name)
    shape = list(weight.get_shape())
    digest = hashlib.sha256(f"{weight.get_dtype()} {shape}\n".encode())
    if len(shape) < 2 or shape[0] <= ROWS:  # noqa: PLR2004 - no matrix
        parts = [file.get_tensor(name)]
    else:
        numbers = [at * (shape[0] - 1) // (ROWS - 1) for at in range(ROWS)]
        parts = [weight[number : number + 1] for number in numbers]
    for part in parts:
        digest.update(part.contiguous().reshape(-1).view(torch.uint8).numpy().data)
    return digest.digest()


ADAPTED: Final = ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")
"""All linear layers; not the head, which is tied to the embeddings."""

Configuration = LlamaConfig | Qwen2Config | Qwen3Config

_ARCHITECTURES: Final[dict[str, tuple[type[Configuration], type[CausalLm]]]] = {
    "llama": (LlamaConfig, LlamaForCausalLM),
    "qwen2": (Qwen2Config, Qwen2ForCausalLM),
    "qwen3": (Qwen3Config, Qwen3ForCausalLM),
}

_STORED: Final = {torch.float16: "F16", torch.bfloat16: "BF16", torch.float32: "F32"}
_DAMAGED: Final = translatable("its weights are missing or damaged")


def model_fingerprint(spec: ModelSpec) -> str:
    """``fingerprint_of`` the folder of ``spec``.

    Raises:
        ModelError: files are missing or damaged.
    """
    with _explained(spec, _DAMAGED):
        return fingerprint_of(spec.folder)


def load_policy(spec: ModelSpec, seed: int, compute: Compute = ON_CPU) -> Policy:
    """Load the model of ``spec`` with a fresh float32 adapter that changes nothing yet.

    ``seed`` decides the adapter's random half; its other half is zero, so that an untrained
    policy equals its base.

    Raises:
        ModelError: files are missing, damaged, or of another architecture.
        MemoryShortError: this computer has too little memory to convert them for a card.
    """
    language = _load_language(spec)
    _require_memory(spec, compute)
    network = _load_network(spec, compute.dtype)
    if network.config.vocab_size < language.rows:
        raise _unusable(spec, translatable("its tokenizer belongs to another model"))
    adapted = _adapt(network, spec, seed, compute)
    return Policy(spec, adapted, language, BaseWeights(compute, model_fingerprint(spec)))


def random_policy(spec: ModelSpec, language_of: Path, compute: Compute = ON_CPU) -> Policy:
    """A policy of the shape of ``spec`` that knows nothing, to measure how long it takes.

    It speaks with the tokenizer in the folder ``language_of``, whose vocabulary is no larger.
    """
    shape = spec.shape
    configuration, architecture = _ARCHITECTURES[spec.family]
    make: Any = architecture
    sizes: dict[str, Any] = {
        "num_hidden_layers": shape.layers,
        "hidden_size": shape.hidden,
        "num_attention_heads": shape.heads,
        "num_key_value_heads": shape.kv_heads,
        "head_dim": shape.head_dim,
        "intermediate_size": shape.intermediate,
        "vocab_size": shape.vocabulary,
        "tie_word_embeddings": shape.tied,
    }
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        network: Any = make(configuration(**sizes)).to(compute.dtype)
    language = read_language(language_of, chat=False)
    adapted = _adapt(network, spec, 0, compute)
    return Policy(spec, adapted, language, BaseWeights(compute, fingerprint=""))


def configuration_of(spec: ModelSpec) -> Configuration:
    """The configuration with which transformers builds the network, of checked fields only.

    Raises:
        ModelError: the configuration is missing, damaged, or of another architecture.
    """
    architecture = architecture_of(spec.folder, f"{spec.title} in {spec.folder}")
    if architecture.family != spec.family:
        raise _unusable(
            spec, translatable("it is of the family {}, not {}", architecture.family, spec.family)
        )
    with _explained(spec, translatable("its configuration is not understood")):
        return _ARCHITECTURES[spec.family][0](**architecture.configuration())


def _require_memory(spec: ModelSpec, compute: Compute) -> None:
    """Make sure that weights can be converted on their way to a card.

    In the files' own precision they are not copied, and what stays here has been seen to
    (``core.models.memory.fit``). Linux would grant the memory and kill who uses it.
    """
    if compute.device.type == "cpu":
        return
    with _explained(spec, _DAMAGED):
        need = _converted_bytes(spec.folder, compute.dtype)
    if (free := free_memory()) < need:
        raise too_large(spec, need, free, load_models().smaller_than(spec))


def _converted_bytes(folder: Path, dtype: torch.dtype) -> int:
    """What the weights in ``folder`` take in ``dtype`` that are stored as something else."""
    total = 0
    for path in folder.glob("*.safetensors"):
        with safe_open(path, framework="pt") as file:
            for name in file.keys():  # noqa: SIM118 - no mapping
                weight = file.get_slice(name)
                if weight.get_dtype() != _STORED[dtype]:
                    total += math.prod(weight.get_shape()) * dtype.itemsize
    return total


def _load_network(spec: ModelSpec, dtype: torch.dtype) -> CausalLm:
    transformers_logging.disable_progress_bar()
    transformers_logging.set_verbosity_error()
    config = configuration_of(spec)
    with _explained(spec, _DAMAGED):
        loaded: Any = _ARCHITECTURES[spec.family][1].from_pretrained(
            spec.folder,
            config=config,
            generation_config=GenerationConfig(),  # or it would read a stranger's
            dtype=dtype,
            attn_implementation="sdpa",
            local_files_only=True,
            trust_remote_code=False,
            use_safetensors=True,
            output_loading_info=True,
        )
    network: CausalLm
    network, report = loaded  # a pair, since loading information was asked for
    if report["missing_keys"]:
        raise _unusable(
            spec,
            translatable(
                "some of its weights are missing, such as {}", min(report["missing_keys"])
            ),
        )
    return network


def _load_language(spec: ModelSpec) -> Language:
    try:
        return read_language(spec.folder, chat=spec.chat)
    except LanguageError as error:
        if may_pass(error):
            raise untried(spec.title, words_of(error)) from error
        raise _unusable(spec, words_of(error)) from error


def _adapt(base: CausalLm, spec: ModelSpec, seed: int, compute: Compute) -> PeftModel:
    """Put an adapter on ``base``, and both where ``compute`` says; quantised first, if at all."""
    if compute.quantizes:
        quantize(base.model.layers)
    config = LoraConfig(
        r=spec.lora_rank,
        lora_alpha=spec.lora_alpha,
        target_modules=list(ADAPTED),
        lora_dropout=0.0,
        bias="none",
        task_type="CAUSAL_LM",
    )
    with torch.random.fork_rng(devices=[]), warnings.catch_warnings():
        # peft still asks for a property that transformers has renamed.
        warnings.filterwarnings("ignore", "`is_gradient_checkpointing`", FutureWarning)
        torch.manual_seed(seed)
        return add_adapter(base, config).to(compute.device)


@contextmanager
def _explained(spec: ModelSpec, what: str) -> Iterator[None]:
    try:
        yield
    except Exception as error:
        # Three libraries read these files; on damaged ones each raises whatever comes to it, down
        # to ZeroDivisionError and bare Exception. The cause stays attached for --debug.
        raise _unusable(spec, what) from error


def _unusable(spec: ModelSpec, what: str) -> ModelError:
    return ModelError(
        translatable(
            "The model {} in {} cannot be used: {}. Install it again.",
            spec.title,
            spec.folder,
            what,
        )
    )
