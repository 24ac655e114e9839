"""llama.cpp, as far as sampling needs it: a model, its sequences, and the adapter on it.

Beside ``llama_library`` the one module that knows llama.cpp. It speaks numpy outwards and owns
native memory, so whoever opens a runtime closes it. Not safe for two threads at once.
"""

import ctypes
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from core.errors import ModelError
from core.i18n import translatable
from core.sampling.llama_library import Ids, LlamaBatch, start

MOST_ROWS: Final = 256
"""Sequences that llama.cpp can hold at once."""

_CELLS: Final = 256
"""llama.cpp rounds the length of a sequence up to a multiple of this."""

_TOKENS_AT_ONCE: Final = 512
"""Tokens in one pass over the weights: larger batches of a prompt gain nothing on a processor."""

_FLASH_ATTENTION_OFF: Final = 0  # it rounds: 0.01 off per log-probability, against 0.0006 without
_F16: Final = 1  # ggml's type; keys and values in float32 take twice the memory and gain 0.0002
_ALLOCATION_FAILED: Final = -2
_COMPUTE_FAILED: Final = -3  # as Metal and CUDA say that a command found no memory on the card
_OUT_OF_MEMORY: Final = frozenset({_ALLOCATION_FAILED, _COMPUTE_FAILED})
_ALL_LAYERS: Final = 999


@dataclass(frozen=True, slots=True)
class GgufHeader:
    """The architecture and sizes in a loaded file."""

    architecture: str
    layers: int
    hidden: int
    vocabulary: int


class LlamaRuntime:
    """One model in memory, and one context: the sequences that are being decoded."""

    def __init__(
        self, gguf: Path, threads: int, *, extra_buffers: bool = False, offload: bool = False
    ) -> None:
        """Load the model at ``gguf``; ``offload`` puts it on the graphics card that there is.

        ``extra_buffers`` lets llama.cpp lay quantised weights out for the processor's matrix
        units; where that was not tried out it may crash, see ``core.sampling.llama_trial``.

        Raises:
            ModelError: the file is missing, damaged, or nothing that llama.cpp can load.
        """
        self._api, self._listener = start()
        self._threads = threads
        self._offload = offload
        self._context: Any = None
        self._adapter: Any = None
        self._batch = LlamaBatch(self._api, 0)
        params = self._api.llama_model_default_params()
        params.use_extra_bufts = extra_buffers
        params.n_gpu_layers = _ALL_LAYERS if offload else 0
        self._model: Any = self._api.llama_model_load_from_file(os.fsencode(gguf), params)
        if not self._model:
            raise ModelError(
                translatable(
                    "The file {} cannot be loaded by llama.cpp ({}). "
                    "Delete it, and it is made again.",
                    gguf,
                    self._listener.why(),
                )
            )
        self.header = self._read_header()

    def close(self) -> None:
        """Give all native memory back; the runtime is of no use afterwards."""
        self.close_context()
        if self._adapter:
            self._api.llama_adapter_lora_free(self._adapter)
            self._adapter = None
        if self._model:
            self._api.llama_model_free(self._model)
            self._model = None

    # The context

    def open_context(self, rows: int, length: int) -> None:
        """Make room for ``rows`` sequences of up to ``length`` tokens, in place of those before.

        Raises:
            MemoryError: there is not enough.
        """
        self.close_context()
        length = -(-length // _CELLS) * _CELLS
        params = self._api.llama_context_default_params()
        params.n_seq_max = params.n_outputs_max = rows
        params.n_outputs_max_per_seq = 1
        params.n_ctx = rows * length
        params.n_batch = max(length, rows, _TOKENS_AT_ONCE)
        params.n_ubatch = _TOKENS_AT_ONCE
        params.n_threads = params.n_threads_batch = self._threads
        params.flash_attn_type = _FLASH_ATTENTION_OFF
        params.type_k = params.type_v = _F16
        params.kv_unified = False  # or each token would look through the sequences of all others
        params.offload_kqv = params.op_offload = self._offload
        params.no_perf = True
        self._context = self._api.llama_init_from_model(self._model, params)
        if not self._context:
            raise MemoryError(f"llama.cpp: {self._listener.why()}")
        self._memory = self._api.llama_get_memory(self._context)
        self._batch = LlamaBatch(self._api, params.n_batch)
        self._wear()

    def close_context(self) -> None:
        """Give the memory of the sequences back; the model stays."""
        if self._context:
            self._api.llama_free(self._context)
        self._context = None

    @property
    def tokens_at_once(self) -> int:
        """The most tokens that ``decode`` takes."""
        return self._batch.size

    # Sequences

    def decode(
        self, tokens: Ids, positions: Ids, rows: Ids, wanted: NDArray[np.bool_]
    ) -> NDArray[np.float32]:
        """Append tokens to sequences and score what may follow the ``wanted`` ones.

        The tokens of a row stand together and rows ascend without a gap, since a gap costs one more
        pass over all weights.

        Args:
            tokens: [token]
            positions: [token], each one more than the last of its row.
            rows: [token], the sequence of each.
            wanted: [token], at most one of each row.

        Returns:
            Logits [wanted token, vocabulary], valid until the next call.

        Raises:
            MemoryError: there was not enough.
        """
        self._batch.fill(tokens, positions, rows, wanted)
        code = self._api.llama_decode(self._context, self._batch.native)
        if code in _OUT_OF_MEMORY:
            raise MemoryError(f"llama.cpp: {self._listener.why()}")
        if code:
            raise RuntimeError(f"llama.cpp refused a batch ({code}: {self._listener.why()})")
        logits = self._api.llama_get_logits(self._context)
        shape = (int(wanted.sum()), self.header.vocabulary)
        return np.ctypeslib.as_array(logits, shape)

    def copy(self, source: int, target: int) -> None:
        """Let row ``target`` continue from all that row ``source`` holds."""
        self._api.llama_memory_seq_cp(self._memory, source, target, -1, -1)

    def forget(self, row: int) -> None:
        """Empty a row."""
        self._api.llama_memory_seq_rm(self._memory, row, -1, -1)

    def clear(self) -> None:
        """Empty all rows."""
        self._api.llama_memory_clear(self._memory, False)  # noqa: FBT003 - not a Python function

    # The adapter

    def use_adapter(self, path: Path | None) -> None:
        """Put the adapter at ``path`` on in place of the one before; None takes it off.

        All rows are emptied: what they hold was computed with other weights.

        Raises:
            ModelError: the file is damaged or belongs to another model; the old adapter stays.
        """
        new = None
        if path is not None:
            new = self._api.llama_adapter_lora_init(self._model, os.fsencode(path))
            if not new:
                raise ModelError(
                    translatable(
                        "The adapter {} cannot be used by llama.cpp ({}). Let it be written again.",
                        path,
                        self._listener.why(),
                    )
                )
        old, self._adapter = self._adapter, new
        self._wear()
        if old:
            self._api.llama_adapter_lora_free(old)

    def _wear(self) -> None:
        """Tell the context which adapter there is."""
        if not self._context:
            return
        worn = [self._adapter] if self._adapter else []
        adapters = (self._api.llama_adapter_lora_p_ctypes * 1)(*worn)
        scales = (ctypes.c_float * 1)(1.0)
        self._api.llama_set_adapters_lora(self._context, adapters, len(worn), scales)
        self.clear()

    def _read_header(self) -> GgufHeader:
        buffer = ctypes.create_string_buffer(64)
        self._api.llama_model_meta_val_str(self._model, b"general.architecture", buffer, 64)
        vocabulary = self._api.llama_model_get_vocab(self._model)
        return GgufHeader(
            architecture=buffer.value.decode(),
            layers=self._api.llama_model_n_layer(self._model),
            hidden=self._api.llama_model_n_embd(self._model),
            vocabulary=self._api.llama_vocab_n_tokens(vocabulary),
        )
