"""Making a starter model, from corpus to model card; the same seed makes the same model again."""

import platform
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

import torch
from transformers import AutoModelForCausalLM, PreTrainedModel, PreTrainedTokenizerFast

from core.lab.corpus import Document, documents
from core.lab.pretrain import Tick, tokenise, train
from core.lab.starters import Starter, base_spec, build_model, train_tokenizer
from core.tasks.catalog import TaskCatalog

TOKENIZER_DOCUMENTS = 60_000


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
    """Write corpus, train tokenizer and model, and save both to ``folder``."""
    texts = _write(recipe, catalog, seed, report)
    model, tokenizer = _beginning(recipe, texts, seed)
    samples = tokenise(tokenizer, texts)
    last: list[Tick] = []

    def tick(now: Tick) -> None:
        last[:] = [now]
        left = now.elapsed_s / now.step * (now.steps - now.step)
        report(f"step {now.step}/{now.steps}  loss {now.loss:.3f}  {left / 60:.0f} min left")

    train(model, recipe, samples, seed, tick)
    _save(model, tokenizer, folder)
    return Making(
        seed=seed,
        documents=len(texts),
        tokens=last[0].tokens,
        loss=last[0].loss,
        seconds=last[0].elapsed_s,
        threads=torch.get_num_threads(),
        machine=platform.machine(),
    )


def _beginning(
    recipe: Starter, texts: Sequence[Document], seed: int
) -> tuple[PreTrainedModel, PreTrainedTokenizerFast]:
    """The model to train: a parent as it was left, or random weights and a new vocabulary."""
    if recipe.parent:
        folder = base_spec(recipe.parent).folder
        parent = AutoModelForCausalLM.from_pretrained(
            folder, dtype=torch.float32, local_files_only=True
        )
        return parent, PreTrainedTokenizerFast.from_pretrained(folder, local_files_only=True)
    head = texts[:TOKENIZER_DOCUMENTS]
    tokenizer = train_tokenizer(recipe, [f"{d.prompt}\n{d.answer}" for d in head])
    torch.manual_seed(seed)
    return build_model(recipe, tokenizer.eos_token_id), tokenizer


def _write(
    recipe: Starter, catalog: TaskCatalog, seed: int, report: Callable[[str], None]
) -> list[Document]:
    started = monotonic()
    texts = []
    for text in documents(catalog, recipe.documents, seed, recipe.library):
        texts.append(text)
        if len(texts) % 20_000 == 0:
            report(f"{len(texts)}/{recipe.documents} documents, {monotonic() - started:.0f} s")
    return texts


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
