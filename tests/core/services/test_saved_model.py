"""The model as it was last saved, beside a node that runs."""

import asyncio

import pytest

from core.errors import CheckpointError, MemoryShortError, UnknownModelError
from core.models.catalog.catalog import load_models
from core.models.memory.budget import LEAST_ROWS, Budget
from core.models.memory.fit import Machine
from core.paths import Home
from core.rollouts.types import PuzzleKey, Question, TaskId
from core.services.saved_model import (
    ROOMY,
    SavedModel,
    memory_to_answer,
    open_saved_model,
    room_to_answer,
)
from core.storage.home_lock import hold
from tests.saved_models import MODEL, save_progress

ASKED = [Question(PuzzleKey(TaskId(""), 1, 0, 0), "Calculate 3 + 4.")]


def answers(saved: SavedModel) -> tuple[object, object]:
    now = saved.sampler.complete(ASKED, 4, 1)
    with saved.policy.base():
        return saved.sampler.complete(ASKED, 4, 1), now


async def ask(home: Home) -> tuple[int, object, object]:
    async with open_saved_model(home, MODEL) as (saved, thread):
        loop = asyncio.get_running_loop()
        return saved.round, *await loop.run_in_executor(thread, answers, saved)


async def test_it_is_read_while_a_node_holds_the_home(home: Home) -> None:
    """What was learnt shows in its answers; the base answers as ever."""
    _, base, untrained = await ask(home)
    assert base == untrained
    save_progress(home, 12)
    with hold(home):
        rounds, before, now = await ask(home)
    assert (rounds, before) == (12, base)
    assert now != base


async def test_what_is_not_there_is_refused_in_words(home: Home) -> None:
    """An unknown model, and progress that cannot be read."""
    with pytest.raises(UnknownModelError, match="spark"):
        async with open_saved_model(home, "sparc"):
            pass
    folder = home.checkpoints / MODEL
    folder.mkdir()
    (folder / "00000001.safetensors").write_bytes(b"damaged")
    with pytest.raises(CheckpointError, match="damaged"):
        await ask(home)


def test_little_memory_is_used_sparingly_and_too_little_is_refused() -> None:
    """Fewer answers at once before none at all; the refusal says what to do."""
    spec = load_models().get("qwen2.5-0.5b")
    plenty = Machine("cpu", 1 << 36, 2)
    assert room_to_answer(spec, plenty) == ROOMY
    least = memory_to_answer(spec, plenty, Budget(sampler_rows=LEAST_ROWS))
    assert room_to_answer(spec, Machine("cpu", least, 2)).sampler_rows == LEAST_ROWS
    with pytest.raises(MemoryShortError, match=r"Qwen.* Close other programs"):
        room_to_answer(spec, Machine("cpu", least - 1, 2))
