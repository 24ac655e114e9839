"""Takes a trained model away: as a PEFT adapter, as merged safetensors, or as GGUF.

Everything is written into a draft beside its destination and renamed when it is whole, so that
nothing half-done ever has the final name.
"""

import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import torch
from safetensors import SafetensorError
from safetensors.torch import save_file
from torch import Tensor

from core.api.models import Form
from core.errors import UsageError
from core.i18n import translatable
from core.models.catalog.weight_headers import DESCRIPTION, INDEX, WEIGHTS
from core.models.export.gguf_export import (
    GgufForm,
    OnShare,
    adapter_of,
    gguf_bytes,
    ignore,
    write_gguf,
)
from core.models.export.gguf_tensors import Quant
from core.models.export.weight_files import WeightFiles
from core.models.policy.adapters import LoraConfig
from core.models.policy.loading import ADAPTED
from core.models.policy.policy import Policy
from core.storage.files import draft_beside, flush_folder, move
from core.storage.room import require_room

_SPARE: Final = 64 * 1024 * 1024
"""Bytes that stay free on the disk: a full one breaks other programs."""

_SHARD: Final = 512 * 1024 * 1024
"""Bytes of weights that are in memory at once while merged ones are written."""

_ADAPTER: Final = "adapter_model.safetensors"
_PEFT: Final = frozenset({"adapter_config.json", _ADAPTER})


@dataclass(frozen=True, slots=True)
class ExportRequest:
    """Form and destination of an export."""

    form: Form
    out: Path  # a file for gguf, a folder for the others
    quant: Quant = "f16"  # of gguf
    force: bool = False  # replace what is there


def export_policy(policy: Policy, request: ExportRequest, on_share: OnShare = ignore) -> None:
    """Write ``policy`` as it is now, adapter and all.

    Raises:
        UsageError: the destination exists or cannot be written.
        DiskFullError: there is no room for it.
        ModelError: the model's files are damaged, or llama.cpp does not know something in them.
    """
    weights = WeightFiles(policy.spec, adapter_of(policy))
    out = request.out
    _refuse(request)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        size = _size(weights, policy, request)
        require_room(translatable("the export"), size + _SPARE, out.parent)
        with draft_beside(out) as draft:
            if request.form == "gguf":
                write_gguf(weights, draft, GgufForm(request.quant), on_share)
            elif request.form == "merged":
                _write_merged(weights, policy, draft, on_share)
            else:
                _write_peft(policy, draft)
            _refuse(request)  # that took minutes, in which something may have come to lie there
            _put_in_place(draft, out)
    except (OSError, SafetensorError) as error:  # safetensors wraps what the disk says
        why = getattr(error, "strerror", None) or error
        raise UsageError(
            translatable("{} cannot be written ({}). Choose another place.", out, why)
        ) from error


def _refuse(request: ExportRequest) -> None:
    """Say no to a destination that holds something else."""
    out = request.out
    if not out.exists():
        return
    if not request.force:
        raise UsageError(
            translatable("{} exists already. Choose another place, or let it be replaced.", out)
        )
    if not (out.is_file() if request.form == "gguf" else _is_export(out)):
        raise UsageError(
            translatable(
                "{} is no earlier export, so it is not replaced. Choose another place.", out
            )
        )


def _is_export(folder: Path) -> bool:
    """Whether ``folder`` may be removed with all that is in it: it is empty or one of ours."""
    entries = list(folder.iterdir()) if folder.is_dir() else [folder / "no folder"]
    names = {entry.name for entry in entries}
    weights = {name for name in names if WEIGHTS.fullmatch(name)}
    rest = names - weights - {INDEX}
    is_merged = bool(weights) and "config.json" in rest and rest.issubset(DESCRIPTION)
    return all(entry.is_file() for entry in entries) and (is_merged or names in (set(), _PEFT))


def _size(weights: WeightFiles, policy: Policy, request: ExportRequest) -> int:
    if request.form == "gguf":
        return gguf_bytes(weights, request.quant)
    if request.form == "merged":
        return sum(path.stat().st_size for path in policy.spec.folder.iterdir() if path.is_file())
    return sum(parameter.nbytes for parameter in policy.adapter().values())


def _put_in_place(draft: Path, out: Path) -> None:
    """Give ``draft`` the name ``out``; an earlier export of that name goes with the drafts."""
    old = draft.with_name("old")
    if draft.is_dir() and out.exists():
        move(out, old)  # no folder can be replaced in one step
    try:
        move(draft, out)
    except BaseException:
        if old.exists():
            move(old, out)
        raise
    flush_folder(out.parent)


def _write_peft(policy: Policy, folder: Path) -> None:
    """The adapter in the layout that ``PeftModel.from_pretrained`` reads."""
    spec = policy.spec
    config = LoraConfig(
        r=spec.lora_rank,
        lora_alpha=spec.lora_alpha,
        target_modules=list(ADAPTED),
        task_type="CAUSAL_LM",
        base_model_name_or_path=spec.repo or spec.id,
        inference_mode=True,
    )
    config.save_pretrained(str(folder))
    tensors = {
        f"base_model.model.{name.replace('.default.', '.')}": parameter.detach().cpu().contiguous()
        for name, parameter in policy.adapter().items()
    }
    save_file(tensors, folder / _ADAPTER, {"format": "pt"})


def _write_merged(weights: WeightFiles, policy: Policy, folder: Path, on_share: OnShare) -> None:
    """The model with the adapter folded in, in the precision and beside the files of its base."""
    folder.mkdir()
    for path in sorted(policy.spec.folder.iterdir()):
        if path.is_file() and path.name in DESCRIPTION:  # others tell of the base's own weights
            shutil.copyfile(path, folder / path.name)
    tied = bool(policy.causal_lm.config.tie_word_embeddings)
    names = weights.names(tied=tied)
    shards: list[list[str]] = []
    pending: dict[str, Tensor] = {}
    for done, name in enumerate(names, start=1):
        pending[name] = weights.read(name).to(weights.dtype(name)).contiguous()
        if done == len(names) or sum(tensor.nbytes for tensor in pending.values()) >= _SHARD:
            save_file(pending, folder / _draft_name(len(shards)), {"format": "pt"})
            shards.append(list(pending))
            pending = {}
        on_share(done / len(names))
    _name_shards(folder, shards, weights)


def _draft_name(shard: int) -> str:
    return f"shard-{shard}.safetensors"


def _name_shards(folder: Path, shards: list[list[str]], weights: WeightFiles) -> None:
    """Give the shards the names by which they are looked for, now that their number is known."""
    if len(shards) == 1:
        move(folder / _draft_name(0), folder / "model.safetensors")
        return
    places: dict[str, str] = {}
    for number, names in enumerate(shards):
        final = f"model-{number + 1:05d}-of-{len(shards):05d}.safetensors"
        move(folder / _draft_name(number), folder / final)
        places |= dict.fromkeys(names, final)
    (folder / INDEX).write_text(json.dumps(_index(places, weights), indent=2), "utf-8")


def _index(places: Mapping[str, str], weights: WeightFiles) -> dict[str, object]:
    total = sum(
        torch.Size(weights.shape(name)).numel() * weights.dtype(name).itemsize for name in places
    )
    return {"metadata": {"total_size": total}, "weight_map": dict(places)}
