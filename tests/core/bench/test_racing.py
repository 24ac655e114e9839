"""Contestants in processes of their own."""

import sys
from contextlib import closing
from pathlib import Path

import pytest

from core.bench.contest import Lap
from core.bench.job import BenchJob
from core.bench.material import LapWork
from core.bench.racing import Racer
from tests.tiny_models import tiny_spec

JOB = BenchJob(tiny_spec(Path("nowhere")), LapWork(1, 2, 8, 3), (), 1)
ANSWERS = """
import sys
for _ in sys.stdin:
    print('{"seconds": 2.0, "work": 6.0}', flush=True)
"""
DIES = "import sys; sys.stdin.readline(); sys.exit('out of everything')"
HANGS = "import threading; threading.Event().wait()"


def command(script: str) -> tuple[str, ...]:
    return (sys.executable, "-c", script)


def test_every_line_is_a_lap(tmp_path: Path) -> None:
    """Turn by turn, as the parent asks."""
    with closing(Racer(command(ANSWERS), "ours", JOB, tmp_path / "errors")) as racer:
        assert [racer.lap() for _ in range(2)] == [Lap(2.0, 6.0)] * 2


def test_one_that_dies_says_why(tmp_path: Path) -> None:
    """With the end of what it wrote."""
    with (
        closing(Racer(command(DIES), "ours", JOB, tmp_path / "errors")) as racer,
        pytest.raises(RuntimeError, match="ours died: out of everything"),
    ):
        racer.lap()


def test_one_that_hangs_is_killed(tmp_path: Path) -> None:
    """Nothing else stops a driver that waits for its card."""
    with (
        closing(Racer(command(HANGS), "ours", JOB, tmp_path / "errors")) as racer,
        pytest.raises(TimeoutError, match="no end after"),
    ):
        racer.ask(Lap, 0.01)
