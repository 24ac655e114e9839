"""TRL as a contestant, where it is installed."""

import io
from pathlib import Path

import pytest

from core.bench.card_bench import has_trl
from core.bench.job import BenchJob
from core.bench.material import LapWork
from core.bench.trl_race import race
from tests.tiny_models import tiny_spec


@pytest.mark.skipif(has_trl(), reason="TRL is installed")
def test_without_trl_it_says_so() -> None:
    """By the name of what is missing."""
    job = BenchJob(tiny_spec(Path("nowhere")), LapWork(1, 2, 8, 3), (), 1)
    with pytest.raises(ModuleNotFoundError, match="trl"):
        race(job, io.BytesIO())
