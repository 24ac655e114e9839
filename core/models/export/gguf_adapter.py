"""Writes a LoRA adapter as a GGUF adapter, which llama.cpp puts on a base that it holds already.

The base's rows and the adapter's must be in the same order: see ``gguf_tensors.interleave_rows``.
"""

from pathlib import Path

import numpy as np
from gguf import GGUFWriter

from core.models.export.gguf_tensors import gguf_name, interleave_rows, rotated_heads, writable
from core.models.export.weight_files import Adapter
from core.models.policy.policy import Policy


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
