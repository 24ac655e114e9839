"""What is said where memory is short."""

from core.models.catalog.catalog import load_models
from core.models.memory.shortage import memory_short

CATALOGUE = load_models()


def test_in_the_midst_of_work_the_next_smaller_model_is_named() -> None:
    """What was learnt is safe, and there is something to do; the smallest has none below it."""
    assert "smaller model: smollm2-360m." in str(memory_short(CATALOGUE.get("qwen2.5-0.5b")))
    assert str(memory_short(CATALOGUE.models[0])).endswith("Close other programs and try again.")
