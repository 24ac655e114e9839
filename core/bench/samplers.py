"""How fast completions are drawn: every sampler of ours, transformers' own, and the ceilings.

All complete the same prompts by the same number of tokens, from the base model.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import torch
from transformers import AutoModelForCausalLM, GenerationConfig

from core.bench.material import LapWork, never_ending, questions, with_length
from core.bench.memory import finish
from core.errors import HomeError, MemoryShortError, ModelError
from core.models.catalog.catalog import ModelSpec
from core.models.export.gguf_export import write_adapter
from core.models.memory.budget import Budget, SharedBudget
from core.models.memory.compute import Compute
from core.models.policy.loading import configuration_of, load_policy
from core.models.policy.policy import Policy
from core.paths import Home
from core.rollouts.types import Question
from core.sampling.choice import (
    NAMES,
    QUANTS,
    SamplerContext,
    SamplerName,
    choose,
    open_runtime,
    open_sampler,
)
from core.sampling.gguf_copies import copy_of
from core.sampling.llama_library import llama_available
from core.sampling.llama_runtime import LlamaRuntime
from core.sampling.llama_trial import SamplerTrial
from core.sampling.rival_sampler import AnySampler
from core.sampling.situation import situation

_PAD = 0  # any token: a mask says that it is none

Task = Callable[[], float]
"""Something to be timed; returns the completion tokens that it made."""


@dataclass(frozen=True, slots=True)
class SamplerSetup:
    """What all samplers are given."""

    policy: Policy
    asked: list[Question]
    work: LapWork
    place: SamplerContext

    @property
    def prompts(self) -> list[list[int]]:
        """The questions in the policy's tokens."""
        return [self.policy.encode_prompt(question.prompt) for question in self.asked]


@contextmanager
def scene(
    spec: ModelSpec, work: LapWork, compute: Compute, threads: int, together: int = 128
) -> Iterator[SamplerSetup]:
    """Load the model of ``spec`` and make the questions; files lie in a folder that goes again.

    ``together`` sequences are decoded at once, at most.
    """
    policy = never_ending(load_policy(with_length(spec, work), seed=0, compute=compute))
    asked = questions(lambda text: len(policy.encode_prompt(text)), work)
    with temporary_place(threads, Budget(sampler_rows=together)) as place:
        yield SamplerSetup(policy, asked, work, place)


@contextmanager
def temporary_place(threads: int, budget: Budget | None = None) -> Iterator[SamplerContext]:
    """Where samplers can be opened without leaving anything behind."""
    with TemporaryDirectory(prefix="waggle-bench-") as folder:
        home = Home(Path(folder))
        home.prepare()
        yield SamplerContext(home, threads, SharedBudget(budget), lambda _: None)


def calibrated(scene: SamplerSetup) -> SamplerName:
    """Name the sampler that a node would choose here."""
    return choose(scene.policy, scene.place)


@contextmanager
def samplers(scene: SamplerSetup) -> Iterator[dict[str, Task]]:
    """Offer everything that can be compared, by name, while the context lasts."""
    with ExitStack() as stack:
        tasks: dict[str, Task] = {}
        for name in NAMES if llama_available() else NAMES[:1]:
            # What a node would do without: a build that fails its trial, a copy without room.
            with suppress(ModelError, HomeError, MemoryShortError):
                tasks |= _own(scene, name, stack)
        policy = scene.policy
        tasks["generate"] = generating(policy.spec, policy.compute, scene.prompts, scene.work)
        yield tasks


def _own(scene: SamplerSetup, name: SamplerName, stack: ExitStack) -> dict[str, Task]:
    """Offer a sampler of ours and, of llama.cpp, its decoding alone and the swap of its adapter."""
    sampler = open_sampler(scene.policy, name, scene.place)
    stack.callback(sampler.close)
    if name == "torch":
        return {name: completing(scene, sampler)}
    runtime = another_runtime(scene.policy, name, scene.place)
    stack.callback(runtime.close)
    return {
        name: completing(scene, sampler),
        f"{name}, decoding alone": _decoding(scene, runtime),
        f"{name}, adapter written and swapped": swapping(scene.policy, runtime, scene.place),
    }


def another_runtime(policy: Policy, name: SamplerName, place: SamplerContext) -> LlamaRuntime:
    """Load what the llama.cpp sampler of that ``name`` has loaded in ``place``."""
    path = copy_of(policy, QUANTS[name], place.home.cache, place.tell)
    trial = place.calibrations.trial(path.name, situation(policy, place.threads))
    plain = SamplerTrial(usable=True, extra_buffers=False, words="")
    return open_runtime(path, policy, place, trial or plain)


def swapping(policy: Policy, runtime: LlamaRuntime, place: SamplerContext) -> Task:
    """Make a task of what follows every update: the adapter is written and put on."""
    path = place.home.cache / "adapter"

    def swap() -> float:
        write_adapter(policy, path)
        runtime.use_adapter(path)
        return 0.0

    return swap


def completing(scene: SamplerSetup, sampler: AnySampler) -> Task:
    """Make a task of what ``sampler`` does in a lap."""

    def complete() -> float:
        groups = sampler.complete(scene.asked, scene.work.members, seed=1)
        return sum(len(c.tokens.ids) for group in groups for c in group if c.tokens)

    return complete


def _decoding(scene: SamplerSetup, runtime: LlamaRuntime) -> Task:
    """Make llama.cpp do all that its sampler needs of it, and look at none of its scores."""
    work = scene.work
    prompts = scene.prompts
    count = work.groups * work.members

    def read(groups: range) -> None:
        """Read their prompts in one pass; each goes to the row of its group's number."""
        ids = np.concatenate([prompts[group] for group in groups]).astype(np.int32)
        lengths = np.array([len(prompts[group]) for group in groups], np.int32)
        at = np.concatenate([np.arange(length, dtype=np.int32) for length in lengths])
        rows = np.repeat(np.arange(groups.start, groups.stop, dtype=np.int32), lengths)
        runtime.decode(ids, at, rows, np.isin(np.arange(1, len(ids) + 1), lengths.cumsum()))

    def decode() -> float:
        longest = max(map(len, prompts))
        runtime.open_context(count, longest + work.completion_tokens)
        together = max(1, runtime.tokens_at_once // longest)
        for first in range(0, work.groups, together):
            read(range(first, min(first + together, work.groups)))
        for row in range(work.groups, count):
            runtime.copy(row % work.groups, row)
        lengths = [len(prompts[row % work.groups]) for row in range(count)]
        rows, every = np.arange(count, dtype=np.int32), np.ones(count, np.bool_)
        positions = np.array(lengths, np.int32)
        for _ in range(work.completion_tokens - 1):
            runtime.decode(np.ones_like(rows), positions, rows, every)
            positions += 1
        return work.tokens

    return decode


def generating(
    spec: ModelSpec, compute: Compute, prompts: Sequence[Sequence[int]], work: LapWork
) -> Task:
    """Let transformers' ``generate`` draw from the bare model, each prompt repeated."""
    model: Any = AutoModelForCausalLM.from_pretrained(
        spec.folder,
        config=configuration_of(spec),
        generation_config=GenerationConfig(),  # no end, or it would stop early and others would not
        dtype=compute.dtype,
        local_files_only=True,
        trust_remote_code=False,
    )
    model.to(compute.device)
    width = max(map(len, prompts))
    padded = torch.tensor([[_PAD] * (width - len(p)) + list(p) for p in prompts])
    seen = torch.tensor([[0] * (width - len(p)) + [1] * len(p) for p in prompts])

    def generate() -> float:
        with torch.inference_mode():
            rows = model.generate(
                padded.repeat_interleave(work.members, 0).to(compute.device),
                attention_mask=seen.repeat_interleave(work.members, 0).to(compute.device),
                do_sample=True,
                temperature=1.0,
                top_k=0,
                top_p=1.0,
                pad_token_id=_PAD,
                max_new_tokens=work.completion_tokens,
            )
        finish(compute.device)
        return float(rows[:, width:].numel())

    return generate
