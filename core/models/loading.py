"""Reads a policy from a folder; whatever is wrong with the folder becomes one sentence.

Only local files are read, and weights only as safetensors: no network, no code, no pickle.
"""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import msgspec
import torch
from peft import LoraConfig, PeftModel, get_peft_model
from tokenizers import Tokenizer
from transformers import AutoConfig, LlamaForCausalLM, Qwen2ForCausalLM
from transformers.utils import logging as transformers_logging

from core.errors import ModelError
from core.models.catalog import ModelSpec
from core.models.policy import CausalLm, Policy

ADAPTED: Final = ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")
"""All linear layers; not the head, which is tied to the embeddings."""

_ARCHITECTURES: Final[dict[str, type[CausalLm]]] = {
    "llama": LlamaForCausalLM,
    "qwen2": Qwen2ForCausalLM,
}


class _SpecialToken(msgspec.Struct, frozen=True):
    """A special token written out in full."""

    content: str


class _TokenizerConfig(msgspec.Struct, frozen=True):
    """The part of ``tokenizer_config.json`` that matters here."""

    eos_token: str | _SpecialToken | None = None


def load_policy(spec: ModelSpec, seed: int) -> Policy:
    """Load the model of ``spec`` in float32 with a fresh adapter that changes nothing yet.

    ``seed`` decides the adapter's random half; its other half is zero, so that an untrained
    policy equals its base.

    Raises:
        ModelError: files are missing, damaged, or of another architecture.
    """
    tokenizer, eos_id = _load_tokenizer(spec)
    base = _load_network(spec)
    if base.config.vocab_size < tokenizer.get_vocab_size():
        raise _unusable(spec, "its tokenizer belongs to another model")
    return Policy(spec, _adapt(base, spec, seed), tokenizer, eos_id)


def _load_network(spec: ModelSpec) -> CausalLm:
    transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]  # unannotated
    transformers_logging.set_verbosity_error()  # type: ignore[no-untyped-call]  # unannotated
    with _explained(spec, "its configuration is missing or damaged"):
        config = AutoConfig.from_pretrained(spec.folder, local_files_only=True)
    if config.model_type != spec.family:
        raise _unusable(spec, f"it is of the family {config.model_type}, not {spec.family}")
    with _explained(spec, "its weights are missing or damaged"):
        loaded: Any = _ARCHITECTURES[spec.family].from_pretrained(
            spec.folder,
            config=config,
            dtype=torch.float32,
            attn_implementation="sdpa",
            local_files_only=True,
            use_safetensors=True,
            output_loading_info=True,
        )
    network: CausalLm
    network, report = loaded  # a pair, since loading information was asked for
    if report["missing_keys"]:
        raise _unusable(spec, f"some weights are missing, such as {min(report['missing_keys'])}")
    return network


def _load_tokenizer(spec: ModelSpec) -> tuple[Tokenizer, int]:
    """Read the tokenizer by its own library: what the file says is what the model was made with.

    (transformers would rebuild parts of it from the model's family.)
    """
    with _explained(spec, "its tokenizer is missing or damaged"):
        text = (spec.folder / "tokenizer.json").read_text("utf-8")
        tokenizer = Tokenizer.from_str(text)
        raw = (spec.folder / "tokenizer_config.json").read_bytes()
        eos = msgspec.json.decode(raw, type=_TokenizerConfig).eos_token
    # A stranger may write "<|end|>" in an answer; that is text and never the token.
    tokenizer.encode_special_tokens = True
    tokenizer.no_padding()
    tokenizer.no_truncation()
    content = eos.content if isinstance(eos, _SpecialToken) else eos
    eos_id = None if content is None else tokenizer.token_to_id(content)
    if eos_id is None:
        raise _unusable(spec, "its tokenizer has no end-of-sequence token")
    return tokenizer, eos_id


def _adapt(base: CausalLm, spec: ModelSpec, seed: int) -> PeftModel:
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
        return get_peft_model(base, config)


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
        f"The model {spec.title} in {spec.folder} cannot be used: {what}. Install it again."
    )
