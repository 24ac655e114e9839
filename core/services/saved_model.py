"""A model as it was last saved, ready to answer; a node may be practising meanwhile.

Nothing is written and the home's lock is not taken: checkpoints get their names in one step, so
whoever reads finds a whole one.
"""

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from core.api.preview import MOST_ANSWERS
from core.children import make_way_with_this_thread
from core.errors import MemoryShortError
from core.i18n import translatable
from core.models.catalog.catalog import ModelSpec
from core.models.catalog.library import find_model
from core.models.memory.budget import Budget, SharedBudget
from core.models.memory.fit import Machine, Rounds, estimate
from core.models.memory.machine import wished_device
from core.models.threads import worthwhile_threads
from core.paths import Home
from core.storage.room import size_in_words

if TYPE_CHECKING:  # loads torch
    from core.models.memory.compute import Compute
    from core.models.policy.policy import Policy
    from core.sampling.torch_sampler import TorchSampler

ROOMY: Final = Budget(sampler_rows=64)
"""What is done at once: little, so that practice beside it keeps its memory."""

_ROUNDS: Final = Rounds(ROOMY.sampler_rows // MOST_ANSWERS, MOST_ANSWERS)


@dataclass(frozen=True, slots=True)
class SavedModel:
    """A policy with what it had learnt by ``round``; all but these two is for its thread only."""

    spec: ModelSpec
    round: int  # rounds practised; 0: none
    policy: "Policy"
    sampler: "TorchSampler"


@asynccontextmanager
async def open_saved_model(
    home: Home, model: str, threads: int = 0, *, makes_way: bool = False
) -> AsyncIterator[tuple[SavedModel, ThreadPoolExecutor]]:
    """Load ``model`` as it was last saved, with the one thread that may touch it.

    ``threads`` are the cores that it uses; 0: as many as it is worth. Where it ``makes_way``, other
    programs have them first, as far as the system has that for threads.

    Raises:
        UnknownModelError: there is no such model.
        ModelError: it is not on this computer, or its files are damaged.
        CheckpointError: there are checkpoints, but none that can be used.
        MemoryShortError: there is too little memory for it beside what runs.
    """
    spec = await asyncio.to_thread(find_model, model, home)
    loop = asyncio.get_running_loop()
    cores = threads or worthwhile_threads(spec)
    with ThreadPoolExecutor(1, "saved-model", _prepare_thread, (cores, makes_way)) as thread:
        try:
            yield await loop.run_in_executor(thread, _load, home, spec), thread
        finally:
            # What is still at work there is waited for here, while the event loop goes on.
            await loop.run_in_executor(thread, _nothing)


def load_saved(
    home: Home, spec: ModelSpec, compute: "Compute | None" = None
) -> tuple["Policy", int]:
    """Load the policy as it was last saved (None: on the processor), and how many rounds it had.

    Raises:
        ModelError: files are missing or damaged.
        CheckpointError: there are checkpoints, but none that can be used.
    """
    from core.bootstrap import ADAPTER_SEED
    from core.models.memory.compute import ON_CPU
    from core.models.policy.loading import load_policy
    from core.training.checkpoints import CheckpointStore
    from core.training.learner import GrpoLearner

    policy = load_policy(spec, ADAPTER_SEED, compute or ON_CPU)
    progress = GrpoLearner(policy, CheckpointStore(home.checkpoints / spec.id)).resume()
    return policy, progress.round if progress else 0


def room_to_answer(spec: ModelSpec, machine: Machine) -> Budget:
    """The largest budget with which ``spec`` can answer on ``machine``.

    Raises:
        MemoryShortError: the least of it needs more memory than ``machine`` has free.
    """
    budget: Budget | None = ROOMY
    while budget is not None:
        need = memory_to_answer(spec, machine, budget)
        if need <= machine.memory:
            return budget
        budget = budget.fewer_rows()
    raise MemoryShortError(
        translatable(
            "{} needs about {} of memory to answer, and "
            "{} are free. Close other programs, or stop practising for "
            "as long as it takes.",
            spec.title,
            size_in_words(need),
            size_in_words(machine.memory),
        )
    )


def memory_to_answer(spec: ModelSpec, machine: Machine, budget: Budget) -> int:
    """Bytes that it takes at its peak: what training takes, but for the update."""
    return replace(estimate(spec, machine, budget, _ROUNDS), update=0).total


def _nothing() -> None:
    """Do nothing: when it returns, the thread is done with all before it."""


def _prepare_thread(threads: int, makes_way: bool) -> None:  # noqa: FBT001 - handed on by position
    import torch

    if makes_way:
        make_way_with_this_thread()
    torch.set_num_threads(threads)


def _load(home: Home, spec: ModelSpec) -> SavedModel:
    from core.models.memory.compute import machine_of
    from core.sampling.precision import compute_for
    from core.sampling.torch_sampler import TorchSampler

    compute = compute_for(spec, wished_device(home), home)
    budget = SharedBudget(room_to_answer(spec, machine_of(compute)))
    policy, done = load_saved(home, spec, compute)
    return SavedModel(spec, done, policy, TorchSampler(policy, budget=budget))
