"""Making a starter model, from corpus to model card.

On as many threads of a processor the same seed makes the same model again, and on a card its like.
"""

import math
import multiprocessing
import platform
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import torch
from safetensors.torch import load_file
from transformers import PreTrainedModel, PreTrainedTokenizerFast

from core.errors import UsageError
from core.lab.batches import DocumentBatch, batches, tokenise
from core.lab.corpus import TEXTBOOK, Document, documents
from core.lab.pretrain import STEADY, ReadingPlan, Training
from core.lab.starters import Starter, build_model, train_tokenizer
from core.tasks.catalog import load_catalog

PART = 20_000
"""Documents that are written, read and done with together: some minutes of training."""

STEADY_STATE = "steady.safetensors"


@dataclass(frozen=True, slots=True)
class TrainingResources:
    """What a training may use of the computer."""

    device: str = "cpu"  # as torch calls it
    writers: int = 0  # processes that write the corpus ahead; 0: the one that trains
    compiles: bool = False  # half as fast again on a processor, where a C++ compiler is installed

    def machine(self) -> str:
        """What it is trained on, in words."""
        name = self.device
        if self.device == "cpu":
            name = f"{torch.get_num_threads()} thread(s) of {platform.machine()}"
        elif self.device.startswith("cuda"):
            name = torch.cuda.get_device_name(self.device)
        return f"{name}{', compiled' * self.compiles}"

    def options(self) -> str:
        """Those of the command that say the same."""
        if self.device == "cpu":
            return f"--threads {torch.get_num_threads()}{' --compile' * self.compiles}"
        return f"--device {self.device} --writers {self.writers}{' --compile' * self.compiles}"


@dataclass(frozen=True, slots=True)
class Making:
    """How a starter was made."""

    seed: int
    documents: int
    tokens: int  # seen in training, without padding
    loss: float  # of answers at the end, nats per token
    seconds: float  # of the training
    machine: str  # what it was trained on, in words
    options: str  # of the command that makes it again, for such a machine


def make_starter(
    recipe: Starter,
    folder: Path,
    seed: int,
    report: Callable[[str], None],
    resources: TrainingResources | None = None,
) -> Making:
    """Write a corpus, train tokenizer and model on it, and save both to ``folder``.

    What was reached is kept beside ``folder`` after each part of the corpus, and gone on from: also
    by a recipe with more documents, which goes on where the rates began to fall.

    Raises:
        UsageError: more was read already than is asked for, or nothing is there to go on from.
    """
    resources = resources or TrainingResources()
    parts = math.ceil(recipe.documents / PART)
    plan = ReadingPlan(parts, STEADY * recipe.documents / PART)
    kept = folder.with_suffix(".training")
    model, tokenizer = _beginning(recipe, kept, seed)
    training = Training(model, recipe, plan, resources.device)
    if resources.compiles:
        model.base_model.compile(dynamic=True)
    _restore(training, plan, kept)
    order = _Order(recipe, kept, seed)
    for part in _written(order, range(training.progress.part, parts), resources.writers):
        training.read(part)
        now = training.progress
        training.save(kept / (STEADY_STATE if now.part <= plan.steady else _falling(plan)))
        left = now.elapsed_s / now.part * (parts - now.part)
        report(f"part {now.part}/{parts}  loss {now.loss:.3f}  {left / 60:.0f} min left")
    now = training.progress
    _save(model.cpu(), tokenizer, folder)
    return Making(
        seed=seed,
        documents=recipe.documents,
        tokens=now.tokens,
        loss=now.loss,
        seconds=now.elapsed_s,
        machine=resources.machine(),
        options=resources.options(),
    )


def _restore(training: Training, plan: ReadingPlan, kept: Path) -> None:
    """Go on from what was kept of this reading, or from before the rates fell."""
    if (kept / _falling(plan)).is_file():
        training.restore(kept / _falling(plan))
    elif (kept / STEADY_STATE).is_file():
        training.restore(kept / STEADY_STATE)
        if training.progress.part > plan.steady:
            raise UsageError(
                f"{kept} has read more at full rates than this recipe wants. "
                "Ask for more documents, or remove that folder."
            )


def _falling(plan: ReadingPlan) -> str:
    """The file of what was kept since the rates began to fall."""
    return f"falling-of-{plan.parts}.safetensors"


@dataclass(frozen=True, slots=True)
class _Order:
    """What the parts of a corpus are written for."""

    recipe: Starter
    kept: Path  # where the tokenizer is
    seed: int

    def write(self, number: int) -> list[DocumentBatch]:
        """Part ``number`` of the corpus, in the batches in which it is read."""
        tokenizer = PreTrainedTokenizerFast.from_pretrained(self.kept, local_files_only=True)
        rng = Random(f"{self.seed}/{number}")  # noqa: S311 - repeatable on purpose
        texts = _read_part(self.recipe, self.seed, number)
        return list(batches(tokenise(tokenizer, texts), tokenizer.pad_token_id, rng))


def _written(order: _Order, numbers: range, writers: int) -> Iterator[list[DocumentBatch]]:
    """The parts ``numbers``, in order; with ``writers``, some are written ahead."""
    if not writers:
        yield from map(order.write, numbers)
        return
    ahead = deque[Future[list[DocumentBatch]]]()
    fresh = multiprocessing.get_context("spawn")  # a fork would copy torch's threads half
    with ProcessPoolExecutor(writers, fresh) as pool:
        for number in numbers:
            ahead.append(pool.submit(order.write, number))
            if len(ahead) > 2 * writers:
                yield ahead.popleft().result()
        while ahead:
            yield ahead.popleft().result()


def _read_part(recipe: Starter, seed: int, part: int) -> list[Document]:
    """One part of the corpus, whichever others were written before."""
    first = part * PART
    count = min(PART, recipe.documents - first)
    textbook = TEXTBOOK * recipe.documents - first
    return list(documents(load_catalog(), count, f"{seed}/{part}", textbook))


def _beginning(
    recipe: Starter, kept: Path, seed: int
) -> tuple[PreTrainedModel, PreTrainedTokenizerFast]:
    """The model to train: random weights and a vocabulary of its own, or those of another."""
    origin = recipe.origin
    if origin is not None and not (origin / "model.safetensors").is_file():
        raise UsageError(f"There is no starter in {origin}.")
    _refuse_another(recipe, kept, seed)
    if origin is not None:
        of_origin = PreTrainedTokenizerFast.from_pretrained(origin, local_files_only=True)
        of_origin.save_pretrained(kept)
    elif not (kept / "tokenizer.json").is_file():
        head = _read_part(recipe, seed, 0)
        train_tokenizer(recipe, [f"{d.prompt}\n{d.answer}" for d in head]).save_pretrained(kept)
    tokenizer = PreTrainedTokenizerFast.from_pretrained(kept, local_files_only=True)
    torch.manual_seed(seed)
    model = build_model(recipe, tokenizer.eos_token_id)
    if origin is not None:
        _load(model, origin / "model.safetensors")
    return model, tokenizer


def _refuse_another(recipe: Starter, kept: Path, seed: int) -> None:
    """Go on only with what was begun by the same order, but for the size of its corpus."""
    note, order = kept / "order.txt", f"{seed} {replace(recipe, documents=0)}"
    if note.is_file() and note.read_text("utf-8") != order:
        raise UsageError(
            f"{kept} holds a training with another seed or recipe. Remove that folder, or name "
            "another place for the model."
        )
    kept.mkdir(parents=True, exist_ok=True)
    note.write_text(order, "utf-8")


def _load(model: PreTrainedModel, path: Path) -> None:
    weights = load_file(path)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if name not in weights or weights[name].shape != parameter.shape:
                raise UsageError(f"{path} holds a model of another shape. Begin with its sibling.")
            parameter.copy_(weights[name])


def _save(model: PreTrainedModel, tokenizer: PreTrainedTokenizerFast, folder: Path) -> None:
    """Weights as float16 safetensors, the tokenizer and the configuration beside them."""
    folder.mkdir(parents=True, exist_ok=True)
    for parameter in model.parameters():
        parameter.data = parameter.data.half()
    model.config.dtype = torch.float16
    model.save_pretrained(folder)
    for how_it_was_read in ("is_local", "local_files_only"):
        tokenizer.init_kwargs.pop(how_it_was_read, None)
    tokenizer.save_pretrained(folder)
    for path in folder.iterdir():
        path.chmod(0o644)  # transformers keeps weights to their owner; these are for everyone
