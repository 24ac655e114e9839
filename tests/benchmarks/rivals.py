"""What the benchmarks share: a model, a batch like that of a round, and a fair comparison."""
# ruff: noqa: T201 - a script talks to the person who runs it

import statistics
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import torch
from msgspec import structs

from core.models.catalog import load_models
from core.models.loading import load_policy
from core.models.policy import Policy
from core.training.batch import TrainingGroup
from tests.tiny_models import build_tiny_model, tiny_spec

RUNS = 5
GROUPS = 8
GROUP_SIZE = 8
PROMPT_TOKENS = 60
COMPLETION_TOKENS = 20


def starter_policy() -> Policy:
    """Load the starter model, or a tiny random one where the program comes without it."""
    spec = load_models().get("spark")
    with TemporaryDirectory() as folder:
        if not spec.folder.exists():
            tiny = tiny_spec(build_tiny_model(Path(folder)))
            spec = structs.replace(tiny, completion_tokens=48, context=1024)
        policy = load_policy(spec, seed=0)
    print(f"{spec.id}, {torch.get_num_threads()} threads, median of {RUNS} alternating runs")
    return policy


def round_of_groups(seed: int = 0) -> list[TrainingGroup]:
    """Groups as one round brings them: uneven prompts and completions of random tokens."""
    rng = Random(seed)

    def ids(mean: int) -> tuple[int, ...]:
        return tuple(rng.randrange(1, 256) for _ in range(rng.randint(mean // 2, mean * 3 // 2)))

    return [
        TrainingGroup(
            prompt=ids(PROMPT_TOKENS),
            completions=tuple(ids(COMPLETION_TOKENS) for _ in range(GROUP_SIZE)),
            advantages=tuple(rng.gauss(0, 1) for _ in range(GROUP_SIZE)),
        )
        for _ in range(GROUPS)
    ]


def compare(ours: Callable[[], object], theirs: Callable[[], object]) -> tuple[float, float]:
    """Median seconds of each, run in turns, so that a busy neighbour disturbs both alike."""
    seconds: tuple[list[float], list[float]] = ([], [])
    for _ in range(RUNS + 1):
        for run, kept in zip((ours, theirs), seconds, strict=True):
            start = time.perf_counter()
            run()
            kept.append(time.perf_counter() - start)
    return statistics.median(seconds[0][1:]), statistics.median(seconds[1][1:])
