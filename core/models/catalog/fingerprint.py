"""Tells models apart by their files: other weights, another tokenizer, another configuration.

Checkpoints and the copies made for llama.cpp hold for one model alone, and two trainings of one
architecture differ in nothing but their numbers. Reading all of them would take as long as loading,
so of every matrix a few rows are taken, always the same: whatever training, merging or rounding
changes, it changes in all rows of some matrix. Read from the files, since the precision in which a
model is loaded differs between machines.
"""

import hashlib
from pathlib import Path
from typing import Any, Final

import torch
from safetensors import safe_open

ROWS: Final = 8
"""Of each matrix, evenly spread, the first and the last among them."""

_DESCRIPTION: Final = (
    "config.json",
    "generation_config.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "chat_template.jinja",
)


def fingerprint_of(folder: Path) -> str:
    """Digest the model in ``folder``: 16 hex characters, the same on every machine.

    Raises:
        Exception: whatever safetensors and the system raise on damaged files.
    """
    digest = hashlib.sha256()
    for name in _DESCRIPTION:
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
