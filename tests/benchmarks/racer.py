"""The child of ``racing``: ``python -m tests.benchmarks.racer NAME JOB``."""

import sys
from collections.abc import Callable
from typing import IO

import torch

from tests.benchmarks.job import Job, decode_job
from tests.benchmarks.racing import keep_stdout

Race = Callable[[Job, IO[bytes]], None]
"""Gets ready, then does a lap for every line on stdin and answers on the pipe."""


def main(name: str, encoded: str) -> None:
    """Race until stdin ends."""
    pipe = keep_stdout()
    job = decode_job(encoded)
    torch.set_num_threads(job.threads)
    race_of(name)(job, pipe)


def race_of(name: str) -> Race:
    """Find a race by its name; imported late, since each needs other libraries."""
    if name in ("trl", "trl-update"):
        from tests.benchmarks import trl_race

        return trl_race.race if name == "trl" else trl_race.race_update
    if name == "retokenising":
        from tests.benchmarks import retokenising

        return retokenising.race
    from tests.benchmarks import races

    return races.RACES[name]


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
