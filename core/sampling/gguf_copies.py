"""Copies of a model's base in llama.cpp's format: made on this machine, and removed again.

Each is named after the model, its weights, the precision and the format, so that one of other
weights is never taken for it.
"""

import logging
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Final

from core.i18n import translatable
from core.models.catalog.library import copies_of
from core.models.export.gguf_export import FORMAT, GgufForm, gguf_bytes, write_gguf
from core.models.export.gguf_tensors import Quant
from core.models.export.weight_files import WeightFiles
from core.models.policy.policy import Policy
from core.paths import Home, explain_os_error
from core.storage.room import require_room

_SPARE: Final = 256 << 20
"""Bytes that a copy leaves free on the disk."""

_log = logging.getLogger(__name__)


def copy_of(policy: Policy, quant: Quant, folder: Path, tell: Callable[[str], None]) -> Path:
    """Find the copy in ``folder``, or make it and ``tell`` why that takes a while.

    Raises:
        ModelError: the model cannot be written in that format.
        DiskFullError: there is no room for it.
        HomeError: it cannot be written.
    """
    path = folder / _file_name(policy, quant)
    if path.exists():
        return path
    tell(translatable("Preparing a copy of the model for fast sampling"))
    weights = WeightFiles(policy.spec)
    try:
        what = translatable("a copy of {} for llama.cpp", policy.spec.title)
        require_room(what, gguf_bytes(weights, quant) + _SPARE, folder)
        write_gguf(weights, path, GgufForm(quant, speaks=False))
    except OSError as error:
        raise explain_os_error(error, path) from error
    return path


def prune_copies(policy: Policy, home: Home, keep: Collection[Quant]) -> None:
    """Drop the copies of this model but some, and drafts that a crash left behind."""
    kept = {_file_name(policy, quant) for quant in keep}
    for path in copies_of(home, policy.spec.id):
        if path.name not in kept:
            try:
                path.unlink(missing_ok=True)
            except OSError as error:
                _log.warning("Leaving %s where it is: %s", path, error)


def _file_name(policy: Policy, quant: Quant) -> str:
    return f"{policy.spec.id}@{policy.fingerprint}-{quant}-{FORMAT}.gguf"
