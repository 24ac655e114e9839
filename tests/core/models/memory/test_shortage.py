"""What is said where memory is short."""

import pytest

from core.errors import MemoryShortError
from core.models.catalog.catalog import load_models
from core.models.memory.budget import Budget
from core.models.memory.fit import Machine
from core.models.memory.shortage import memory_short, roomiest_budget

CATALOGUE = load_models()
GIB = 1 << 30


def test_with_room_nothing_is_given_up() -> None:
    """The whole budget, on a machine with plenty."""
    assert roomiest_budget(CATALOGUE.get("qwen2.5-0.5b"), Machine("cpu", 64 * GIB, 2)) == Budget()


def test_a_narrow_place_gets_a_smaller_budget() -> None:
    """Less is done at once before a model is refused."""
    budget = roomiest_budget(CATALOGUE.get("qwen2.5-0.5b"), Machine("cpu", 5 * GIB // 2, 2))
    assert budget.training_slots < Budget().training_slots


def test_a_model_that_is_too_large_is_refused_with_one_that_is_not() -> None:
    """The message has both figures and names the largest model that fits."""
    with pytest.raises(MemoryShortError, match=r"needs about .* GB .* 3\.2 GB are free") as caught:
        roomiest_budget(CATALOGUE.get("qwen3-4b"), Machine("cpu", 3 * GIB, 2))
    named = str(caught.value).rpartition("smaller model: ")[2].rstrip(".")
    roomiest_budget(CATALOGUE.get(named), Machine("cpu", 3 * GIB, 2))


def test_in_the_midst_of_work_the_next_smaller_model_is_named() -> None:
    """What was learnt is safe, and there is something to do; the smallest has none below it."""
    assert "smaller model: smollm2-360m." in str(memory_short(CATALOGUE.get("qwen2.5-0.5b")))
    assert str(memory_short(CATALOGUE.models[0])).endswith("Close other programs and try again.")
