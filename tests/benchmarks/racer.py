"""The child of ``core.bench.racing``, with rivals that Waggle does not come with."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from core.bench.contest import Contestant
from core.bench.job import BenchJob
from core.bench.racer import Race, race_of, run
from core.bench.racing import Racer


def rival(name: str) -> Race:
    """Find a race by its name."""
    if name == "retokenising":
        from tests.benchmarks import retokenising

        return retokenising.race
    if name == "naive":
        from tests.benchmarks import naive_race

        return naive_race.race
    return race_of(name)


def command_of(python: Path) -> tuple[str, ...]:
    """The command line of a contestant that runs in ``python``; name and job are appended."""
    return (str(python), "-m", "tests.benchmarks.racer")


@contextmanager
def racers(
    job: BenchJob, commands: Mapping[str, Sequence[str]], folder: Path
) -> Iterator[dict[str, Contestant]]:
    """Start a contestant for each name; the value is the command that it is started by."""
    with ExitStack() as stack:
        started: dict[str, Contestant] = {}
        for name, command in commands.items():
            racer = Racer(command, name, job, folder / f"{name}.stderr")
            stack.callback(racer.close)
            started[name] = racer.lap
        yield started


if __name__ == "__main__":
    sys.exit(run(None, rival))
