import sys
from itertools import pairwise

import psutil
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from core.models.memory.budget import (
    LEAST_ROWS,
    LEAST_SLOTS,
    Budget,
    SharedBudget,
    is_out_of_memory,
    require_memory,
    return_freed_memory,
    unless_short,
)


def _ladder(start: Budget) -> list[Budget]:
    steps = [start]
    while (smaller := steps[-1].smaller()) is not None:
        steps.append(smaller)
    return steps


def test_the_ladder_gives_up_the_cheapest_first() -> None:
    """The micro-batch shrinks, then the sampler's rows, then activations are computed twice."""
    assert _ladder(Budget(1000, 20, checkpointing=False)) == [
        Budget(1000, 20, checkpointing=False),
        Budget(500, 20, checkpointing=False),
        Budget(256, 20, checkpointing=False),
        Budget(256, 10, checkpointing=False),
        Budget(256, 8, checkpointing=False),
        Budget(256, 8, checkpointing=True),
    ]


@given(slots=st.integers(1, 10**6), rows=st.integers(1, 10**4), checkpointing=st.booleans())
def test_every_step_asks_for_less_and_the_ladder_ends(
    slots: int, rows: int, *, checkpointing: bool
) -> None:
    """From any start one lever moves at a time, none ever grows, and the last step is the least."""
    ladder = _ladder(Budget(slots, rows, checkpointing))
    for one, next_one in pairwise(ladder):
        moved = [
            next_one.training_slots < one.training_slots,
            next_one.sampler_rows < one.sampler_rows,
            next_one.checkpointing and not one.checkpointing,
        ]
        assert sum(moved) == 1
    last = ladder[-1]
    assert last.checkpointing
    assert last.training_slots <= LEAST_SLOTS
    assert last.sampler_rows <= LEAST_ROWS


def test_a_step_down_is_seen_by_everyone_who_shares_the_budget() -> None:
    """It is the same object for sampler and learner, and it says when it is exhausted."""
    shared = SharedBudget(Budget(LEAST_SLOTS, LEAST_ROWS))
    held_by_another = shared
    assert shared.shrink_update()
    assert held_by_another.current.checkpointing
    assert not shared.shrink_update()
    assert not shared.shrink_sampling()
    assert held_by_another.current == Budget(LEAST_SLOTS, LEAST_ROWS, checkpointing=True)


def test_whoever_runs_out_gives_up_what_helps_it() -> None:
    """An update keeps the sampler's rows, and sampling the update's slots."""
    shared = SharedBudget()
    assert shared.shrink_update()
    assert shared.current == Budget(training_slots=Budget().training_slots // 2)
    assert shared.shrink_sampling()
    assert shared.current.sampler_rows == Budget().sampler_rows // 2
    assert shared.current.training_slots == Budget().training_slots // 2


def test_whoever_asked_for_it_hears_of_each_step_down() -> None:
    """And of nothing else: where there is nothing left to give up, nothing was."""
    told: list[Budget] = []
    shared = SharedBudget(Budget(LEAST_SLOTS, 2 * LEAST_ROWS), lambda: told.append(shared.current))
    assert shared.shrink_sampling()
    assert not shared.shrink_sampling()
    assert told == [Budget(LEAST_SLOTS, LEAST_ROWS)]


def test_memory_is_asked_for_before_it_is_used() -> None:
    """Of the processor's; a card refuses by itself."""
    everything = psutil.virtual_memory().total
    require_memory(torch.device("cpu"), 1)
    require_memory(torch.device("cuda"), 2 * everything)
    with pytest.raises(MemoryError, match="are needed"):
        require_memory(torch.device("cpu"), 2 * everything)


def test_a_real_failure_of_the_allocator_is_recognised() -> None:
    """Asking torch for an exabyte fails in the way that running out of memory does."""
    with pytest.raises(RuntimeError) as caught:
        torch.empty(1 << 60, dtype=torch.uint8)
    assert is_out_of_memory(caught.value)


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 20.00 MiB."), True),
        (RuntimeError("MPS backend out of memory (MPS allocated: 9.0 GB)"), True),
        (MemoryError(), True),
        (RuntimeError("The size of tensor a (3) must match the size of tensor b (4)"), False),
        (ValueError("not enough memory of the past"), False),
    ],
)
def test_only_a_lack_of_memory_is_taken_for_one(error: Exception, *, expected: bool) -> None:
    """A mistake in the code must not shrink the budget until nothing is left."""
    assert is_out_of_memory(error) == expected


@pytest.mark.skipif(sys.platform != "linux", reason="other allocators give back by themselves")
def test_freed_memory_goes_back_to_the_system() -> None:
    """Pieces too small to be given back one by one are, together."""
    process = psutil.Process()
    pieces = [torch.ones(25_000) for _ in range(2_000)]  # 200 MB
    last = torch.ones(25_000)  # at the end of the heap, which would not shrink by itself
    del pieces
    before = process.memory_info().rss
    return_freed_memory()
    assert last.sum() == 25_000
    assert before - process.memory_info().rss > 100_000_000


def test_only_a_lack_of_memory_is_caught() -> None:
    """Whatever else goes wrong is not to be tried again with less."""

    def fail(error: Exception) -> int:
        raise error

    assert unless_short(lambda: 3) == 3
    assert unless_short(lambda: fail(MemoryError())) is None
    with pytest.raises(RuntimeError, match="shapes"):
        unless_short(lambda: fail(RuntimeError("shapes do not fit")))


def test_a_step_down_is_told_in_words(caplog: pytest.LogCaptureFixture) -> None:
    """For the log: what is done at once from now on."""
    budget = SharedBudget(Budget(training_slots=256, sampler_rows=16))
    assert budget.shrink_sampling()
    assert budget.shrink_update()
    assert "256 tokens are learnt from and 8 answers drawn at a time." in caplog.messages[0]
    assert caplog.messages[1].endswith("at a time, activations computed twice.")
