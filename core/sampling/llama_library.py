"""llama.cpp's library: loading it once, hearing what it would print, handing tokens to it.

What llama_cpp calls types are comments, so its functions are ``Any`` here and in ``llama_runtime``,
and nowhere else.
"""

import ctypes
import logging
import os
import sys
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from core.errors import ModelError
from core.i18n import translatable

_ERROR: Final = 4  # the level of llama.cpp's log from which on a line says why something failed

_log = logging.getLogger(__name__)

Ids = NDArray[np.int32]


@cache
def llama_available() -> bool:
    """Whether llama.cpp is installed and its library can be loaded here."""
    try:
        import llama_cpp

        return callable(llama_cpp.llama_decode)
    except ImportError:
        return False
    except Exception as error:  # noqa: BLE001 - a library built for another machine fails in many ways
        _log.warning("llama.cpp is installed but cannot be loaded: %s", error)
        return False


@cache
def llama_offloads() -> bool:
    """Whether the library that is installed can compute on a graphics card: Apple's build does."""
    if not llama_available():
        return False
    api, _ = start()
    return bool(api.llama_supports_gpu_offload())


class LlamaBatch:
    """Tokens on their way to llama.cpp: one set of arrays, filled anew for every call."""

    def __init__(self, api: Any, size: int) -> None:  # noqa: ANN401 - llama_cpp has no types of its own
        self.size = size
        self._tokens = np.zeros(size, np.int32)
        self._positions = np.zeros(size, np.int32)
        self._rows = np.zeros(size, np.int32)
        self._row_counts = np.ones(size, np.int32)  # each token is in one row
        self._wanted = np.zeros(size, np.int8)
        addresses = self._rows.ctypes.data + self._rows.itemsize * np.arange(size)
        self._row_lists = addresses.astype(np.uintp)
        native = api.llama_batch()
        native.token = _pointer(self._tokens, ctypes.c_int32)
        native.pos = _pointer(self._positions, ctypes.c_int32)
        native.n_seq_id = _pointer(self._row_counts, ctypes.c_int32)
        native.seq_id = _pointer(self._row_lists, ctypes.POINTER(ctypes.c_int32))
        native.logits = _pointer(self._wanted, ctypes.c_int8)
        self.native = native

    def fill(self, tokens: Ids, positions: Ids, rows: Ids, wanted: NDArray[np.bool_]) -> None:
        """Take the tokens of the next call."""
        count = len(tokens)
        self._tokens[:count] = tokens
        self._positions[:count] = positions
        self._rows[:count] = rows
        self._wanted[:count] = wanted
        self.native.n_tokens = count


def _pointer(array: NDArray[Any], kind: Any) -> Any:  # noqa: ANN401 - ctypes builds its pointer types at run time
    return ctypes.cast(array.ctypes.data, ctypes.POINTER(kind))


class Listener:
    """Hears what llama.cpp would print, and remembers why something failed."""

    def __init__(self, api: Any) -> None:  # noqa: ANN401 - see above
        self._complaint = ""
        self._callback = api.llama_log_callback(
            self._note
        )  # kept: llama.cpp holds only its address
        api.llama_log_set(self._callback, ctypes.c_void_p(0))

    def why(self) -> str:
        """The first complaint since the last question, shortened; others only follow from it."""
        complaint, self._complaint = self._complaint, ""
        return complaint.rpartition(": ")[2][:120] or "it does not say why"

    def _note(self, level: int, text: bytes, _: object) -> None:
        line = text.decode("utf-8", "replace").strip()
        _log.debug("llama.cpp: %s", line)
        if level == _ERROR and not self._complaint:
            self._complaint = line


@cache
def start() -> tuple[Any, Listener]:
    """Load the library, once in a process.

    Raises:
        ModelError: there is no llama.cpp here.
    """
    if not llama_available():
        raise ModelError(
            translatable(
                "llama.cpp is not installed here. Choose another sampler, or install "
                "llama-cpp-python."
            )
        )
    import llama_cpp
    from llama_cpp._ggml import libggml, libggml_base_path

    listener = Listener(llama_cpp)
    # Elsewhere than on Windows the folder may hold ggml twice; llama knows which one it uses.
    ggml = libggml if sys.platform == "win32" else llama_cpp.llama_cpp._lib  # noqa: SLF001 - it has no other name
    load_for_this_processor(ggml, libggml_base_path)
    llama_cpp.llama_backend_init()
    return llama_cpp, listener


def load_for_this_processor(ggml: Any, folder: Path) -> None:  # noqa: ANN401 - see above
    """Load what computes, where it was compiled once for each kind of processor.

    Only from the library's own ``folder``: left alone, ggml looks into the working directory, too.
    A library that was compiled for one machine has it built in.
    """
    if not ggml.ggml_backend_reg_count():
        ggml.ggml_backend_load_all_from_path(os.fsencode(folder))
