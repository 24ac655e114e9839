"""The child of ``core.bench.racing``, with rivals that Waggle does not come with."""

import sys
from pathlib import Path

from core.bench.racer import Race, race_of, run


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


if __name__ == "__main__":
    sys.exit(run(None, rival))
