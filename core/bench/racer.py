"""The child of ``racing``: takes a contestant's name and its job."""

import sys
from collections.abc import Callable, Sequence
from typing import IO

import torch

from core.bench.job import BenchJob, decode_job
from core.bench.racing import keep_stdout

Race = Callable[[BenchJob, IO[bytes]], None]
"""Gets ready, then does a lap for every line on stdin and answers on the pipe."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Race until stdin ends."""
    return run(arguments, race_of)


def run(arguments: Sequence[str] | None, find: Callable[[str], Race]) -> int:
    """Race with the contestant that ``find`` has by the name."""
    name, encoded = sys.argv[1:] if arguments is None else arguments
    pipe = keep_stdout()
    job = decode_job(encoded)
    torch.set_num_threads(job.threads)
    find(name)(job, pipe)
    return 0


def race_of(name: str) -> Race:
    """Find a race by its name; imported late, since each needs other libraries."""
    if name in ("trl", "trl-update"):
        from core.bench import trl_race

        return trl_race.race if name == "trl" else trl_race.race_update
    if name in ("build", "check"):
        from core.bench import card_checks, random_models

        return random_models.race if name == "build" else card_checks.race
    from core.bench import races

    return races.RACES[name]
