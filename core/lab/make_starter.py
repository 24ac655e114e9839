"""Making a starter model, from corpus to model card; the same seed makes the same model again."""

import math
import platform
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import torch
from transformers import AutoModelForCausalLM, PreTrainedModel, PreTrainedTokenizerFast

from core.lab.corpus import Document, documents
from core.lab.pretrain import Training, tokenise
from core.lab.starters import Starter, base_spec, build_model, train_tokenizer
from core.tasks.catalog import TaskCatalog

PART = 50_000
"""Documents that are written, read and done with together: some minutes of training."""

STATE = "state.safetensors"


@dataclass(frozen=True, slots=True)
class Making:
    """How a starter was made."""

    seed: int
    documents: int
    tokens: int  # seen in training, without padding
    loss: float  # of answers at the end, nats per token
    seconds: float  # of the training
    threads: int
    machine: str


def make_starter(
    recipe: Starter,
    catalog: TaskCatalog,
    folder: Path,
    seed: int,
    report: Callable[[str], None],
) -> Making:
    """Write a corpus, train tokenizer and model on it, and save both to ``folder``.

    What was reached is kept beside ``folder`` after each part of the corpus, and gone on from.
    """
    parts = math.ceil(recipe.documents / PART)
    kept = folder.with_suffix(".training")
    model, tokenizer = _beginning(recipe, catalog, kept, seed)
    training = Training(model, recipe, parts)
    if (kept / STATE).is_file():
        training.restore(kept / STATE)
    while (now := training.progress).part < parts:
        texts = _read_part(recipe, catalog, seed, now.part)
        training.read(tokenise(tokenizer, texts), seed)
        training.save(kept / STATE)
        now = training.progress
        left = now.elapsed_s / now.part * (parts - now.part)
        report(f"part {now.part}/{parts}  loss {now.loss:.3f}  {left / 60:.0f} min left")
    _save(model, tokenizer, folder)
    shutil.rmtree(kept)
    return Making(
        seed=seed,
        documents=recipe.documents,
        tokens=now.tokens,
        loss=now.loss,
        seconds=now.elapsed_s,
        threads=torch.get_num_threads(),
        machine=platform.machine(),
    )


def _read_part(recipe: Starter, catalog: TaskCatalog, seed: int, part: int) -> list[Document]:
    """One part of the corpus, whichever others were written before."""
    first = part * PART
    count = min(PART, recipe.documents - first)
    textbook = recipe.library.textbook * recipe.documents - first
    return list(documents(catalog, count, f"{seed}/{part}", recipe.library, textbook))


def _beginning(
    recipe: Starter, catalog: TaskCatalog, kept: Path, seed: int
) -> tuple[PreTrainedModel, PreTrainedTokenizerFast]:
    """The model to train: a parent as it was left, or random weights and a new vocabulary."""
    kept.mkdir(parents=True, exist_ok=True)
    if recipe.parent:
        folder = base_spec(recipe.parent).folder
        parent = AutoModelForCausalLM.from_pretrained(
            folder, dtype=torch.float32, local_files_only=True
        )
        return parent, PreTrainedTokenizerFast.from_pretrained(folder, local_files_only=True)
    if not (kept / "tokenizer.json").is_file():
        head = _read_part(recipe, catalog, seed, 0)
        train_tokenizer(recipe, [f"{d.prompt}\n{d.answer}" for d in head]).save_pretrained(kept)
    tokenizer = PreTrainedTokenizerFast.from_pretrained(kept, local_files_only=True)
    torch.manual_seed(seed)
    return build_model(recipe, tokenizer.eos_token_id), tokenizer


def _save(model: PreTrainedModel, tokenizer: PreTrainedTokenizerFast, folder: Path) -> None:
    """Weights as float16 safetensors, the tokenizer and the configuration beside them."""
    folder.mkdir(parents=True, exist_ok=True)
    for parameter in model.parameters():
        parameter.data = parameter.data.half()
    model.config.dtype = torch.float16
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    for path in folder.iterdir():
        path.chmod(0o644)  # transformers keeps weights to their owner; these are for everyone
