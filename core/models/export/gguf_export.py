"""Writes a Hugging Face model of a supported family as one GGUF file for llama.cpp.

The tensors are streamed one at a time into a draft that takes its name when it is whole: a crash,
a full disk or a cancelled export never leaves a file that looks complete.
"""

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import torch
from gguf import GGMLQuantizationType as Kind
from gguf import GGUFWriter, LlamaFileType
from torch import Tensor
from transformers import PretrainedConfig
from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding

from core.errors import ModelError
from core.i18n import translatable
from core.models.catalog.catalog import ModelSpec
from core.models.export.gguf_tensors import (
    Quant,
    gguf_name,
    interleave_rows,
    kind_of,
    rotated_heads,
    stored,
    stored_bytes,
    writable,
)
from core.models.export.gguf_tokenizer import read_vocabulary
from core.models.export.weight_files import Adapter, WeightFiles
from core.models.policy.loading import configuration_of
from core.models.policy.policy import Policy
from core.storage.files import DRAFT_SUFFIX, flush_folder, move


def adapter_of(policy: Policy) -> Adapter:
    """The adapter of ``policy`` as it is now; it shares the policy's memory."""
    return Adapter(policy.adapter(), policy.spec.lora_rank, policy.spec.lora_alpha)


def write_adapter(policy: Policy, path: Path) -> None:
    """Write the adapter of ``policy`` in half precision.

    Raises:
        OSError: the file cannot be written.
    """
    adapter = adapter_of(policy)
    config = policy.causal_lm.config
    writer = GGUFWriter(path, policy.spec.family)
    writer.add_type("adapter")
    writer.add_string("adapter.type", "lora")
    writer.add_float32("adapter.lora.alpha", adapter.alpha)
    for weight in adapter.adapted():
        target, halves = gguf_name(weight), adapter.halves(weight)
        if target is None or halves is None:
            raise AssertionError(f"an adapter on {weight}, which no supported family has")
        a, b = halves
        heads = rotated_heads(policy.spec.family, config, weight)
        if heads is not None:
            b = interleave_rows(b, heads)
        writer.add_tensor(f"{target}.lora_a", writable(a.numpy().astype(np.float16)))
        writer.add_tensor(f"{target}.lora_b", writable(b.numpy().astype(np.float16)))
    try:
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
    finally:
        writer.close()


FORMAT: Final = 1
"""Raised when files written by older releases must be written again."""

_ROPE_FACTORS: Final = "rope_freqs.weight"
_FILE_TYPES: Final = {
    "f16": LlamaFileType.MOSTLY_F16,
    "bf16": LlamaFileType.MOSTLY_BF16,
    "q8_0": LlamaFileType.MOSTLY_Q8_0,
}
_QUANTIZATION_VERSION: Final = 2

OnShare = Callable[[float], None]
"""Told after every tensor how much is written, in (0, 1]; raises to cancel."""


@dataclass(frozen=True, slots=True)
class GgufForm:
    """The variant of a GGUF file."""

    quant: Quant
    speaks: bool = True  # with its tokenizer; without, for token ids in and out


@dataclass(frozen=True, slots=True)
class _Entry:
    """A tensor of the file to be."""

    name: str
    shape: tuple[int, ...]
    kind: Kind
    read: Callable[[], Tensor]


def ignore(_: float) -> None:
    """Let the export run to its end."""


def gguf_bytes(weights: WeightFiles, quant: Quant) -> int:
    """About how large the file will be: its tensors, without the header.

    Raises:
        ModelError: the model has something that llama.cpp does not know.
    """
    config = configuration_of(weights.spec)
    return sum(stored_bytes(e.shape, e.kind) for e in _entries(weights, config, quant))


def write_gguf(
    weights: WeightFiles, path: Path, form: GgufForm, on_share: OnShare = ignore
) -> None:
    """Write the model to ``path``, replacing what is there once the new file is whole.

    Raises:
        ModelError: files are damaged, or the model has something that llama.cpp does not know.
        OSError: the file cannot be written.
    """
    config = configuration_of(weights.spec)
    entries = _entries(weights, config, form.quant)
    draft = path.with_name(path.name + DRAFT_SUFFIX)
    writer = GGUFWriter(draft, weights.spec.family)
    _describe(writer, weights.spec, config, form)
    if form.speaks:
        read_vocabulary(weights.spec, config.vocab_size).write(writer)
    else:
        writer.add_tokenizer_model("no_vocab")
    for e in entries:
        size = stored_bytes(e.shape, e.kind)
        writer.add_tensor_info(e.name, e.shape, np.dtype(np.float16), size, e.kind)
    try:
        try:
            _stream(writer, entries, on_share)
        finally:
            writer.close()
        _flush(draft)
        move(draft, path)
    except BaseException:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
        raise
    flush_folder(path.parent)


def _stream(writer: GGUFWriter, entries: list[_Entry], on_share: OnShare) -> None:
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_ti_data_to_file()
    total = sum(stored_bytes(e.shape, e.kind) for e in entries)
    done = 0
    for e in entries:
        data = stored(e.read(), e.kind)
        writer.write_tensor_data(writable(data))
        done += data.nbytes
        on_share(done / total)


def _flush(path: Path) -> None:
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def _describe(
    writer: GGUFWriter, spec: ModelSpec, config: PretrainedConfig, form: GgufForm
) -> None:
    writer.add_type("model")
    writer.add_name(spec.title)
    writer.add_license(spec.licence)
    writer.add_file_type(_FILE_TYPES[form.quant])
    writer.add_quantization_version(_QUANTIZATION_VERSION)
    writer.add_vocab_size(config.vocab_size)
    writer.add_context_length(config.max_position_embeddings)
    writer.add_embedding_length(config.hidden_size)
    writer.add_block_count(config.num_hidden_layers)
    writer.add_feed_forward_length(config.intermediate_size)
    writer.add_head_count(config.num_attention_heads)
    writer.add_head_count_kv(config.num_key_value_heads)
    writer.add_layer_norm_rms_eps(config.rms_norm_eps)
    writer.add_rope_freq_base(config.rope_parameters["rope_theta"])
    head = head_size(config)
    writer.add_key_length(head)
    writer.add_value_length(head)
    writer.add_rope_dimension_count(head)


def head_size(config: PretrainedConfig) -> int:
    """Numbers in one attention head, which need not be hidden size / heads."""
    given: int | None = getattr(config, "head_dim", None)
    return given or config.hidden_size // config.num_attention_heads


def _entries(weights: WeightFiles, config: PretrainedConfig, quant: Quant) -> list[_Entry]:
    spec = weights.spec
    entries = []
    for name in weights.names(tied=config.tie_word_embeddings):
        target = gguf_name(name)
        if target is None:
            raise _unknown(spec, translatable("a tensor like {}", name))
        shape = weights.shape(name)
        heads = rotated_heads(spec.family, config, name)
        entries.append(_Entry(target, shape, kind_of(shape, quant), _reader(weights, name, heads)))
    factors = _rope_factors(spec, config)
    if factors is not None:
        entries.append(_Entry(_ROPE_FACTORS, tuple(factors.shape), Kind.F32, lambda: factors))
    return entries


def _reader(weights: WeightFiles, name: str, heads: int | None) -> Callable[[], Tensor]:
    if heads is None:
        return lambda: weights.read(name)
    return lambda: interleave_rows(weights.read(name), heads)


def _rope_factors(spec: ModelSpec, config: PretrainedConfig) -> Tensor | None:
    """The factors that divide each rotation's plain frequency [head / 2]; None where all are plain.

    Taken from the module that trains, so that both rotate alike.
    """
    if config.rope_parameters["rope_type"] == "default":
        return None
    if spec.family != "llama":
        raise _unknown(
            spec, translatable("rotations of the type {}", config.rope_parameters["rope_type"])
        )
    head = head_size(config)
    powers = torch.arange(0, head, 2, dtype=torch.float32) / head
    plain = config.rope_parameters["rope_theta"] ** -powers
    # It reads two fields that every configuration of the Llama family has.
    rotary = LlamaRotaryEmbedding(config)  # type: ignore[arg-type]
    factors: Tensor = plain / rotary.inv_freq
    return factors


def _unknown(spec: ModelSpec, what: str) -> ModelError:
    return ModelError(
        translatable(
            "llama.cpp does not know {}, which the model {} has. "
            "Save it as Whole model or as The learnt part only (adapter) instead; on the "
            "command line with --to merged or --to peft.",
            what,
            spec.title,
        )
    )
