"""Everything that can draw, side by side."""

from pathlib import Path

from core.bench.material import LapWork
from core.bench.samplers import samplers, scene
from core.models.memory.compute import ON_CPU
from core.sampling.choice import NAMES
from core.sampling.llama_library import llama_available
from tests.tiny_models import build_tiny_model, tiny_spec

WORK = LapWork(groups=2, members=3, prompt_tokens=12, completion_tokens=4)


def test_all_draw_the_same_number_of_tokens(tmp_path: Path) -> None:
    """Nobody is quicker because a completion of his ended early."""
    spec = tiny_spec(build_tiny_model(tmp_path))
    with scene(spec, WORK, ON_CPU, threads=1) as given, samplers(given) as tasks:
        drawn = {name: task() for name, task in tasks.items()}
    swaps = {name for name in drawn if "swapped" in name}
    assert {drawn[name] for name in drawn.keys() - swaps} == {WORK.tokens}
    assert {"torch", "generate"} <= drawn.keys()
    assert not llama_available() or drawn.keys() >= set(NAMES)
