"""What a model learns alone: ``python3 dev.py bench learning``.

For each seed: 150 rounds of ``waggle join --solo``, the mean score of the last 30 against that of
the first 30 (of all, where fewer are played), and the exam of 500 held-out puzzles before and
after. Real programs, fresh homes.
"""
# ruff: noqa: T201 - a script talks to the person who runs it

import argparse
import json
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.waggle_process import rounds, waggle

WINDOW = 30


@dataclass(frozen=True, slots=True)
class Run:
    """One seed's outcome."""

    seed: int
    first: float  # mean score of the first rounds
    last: float
    base: float  # exam before any practice
    today: float
    gain: float
    gain_error: float  # standard error of the gain, pairs of puzzles
    both_errors: float  # that of a difference of two independent exams
    seconds: float  # of the practice

    @property
    def ratio(self) -> float:
        """Last over first."""
        return self.last / self.first


def learn(model: str, seed: int, count: int) -> Run:
    """Practise and examine one seed."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        choice = ("--solo", "--model", model, "--seed", str(seed), "--rounds", str(count))
        began = time.monotonic()
        with waggle(home, "join", *choice, "--json") as process:
            scores = [played.score for played in rounds(process)]
        seconds = time.monotonic() - began
        with waggle(home, "exam", "--model", model, "--json") as process:
            report = json.loads(process.out.read())
    window = min(WINDOW, len(scores))
    base, today, gain = (report[name]["solved"] for name in ("base", "today", "gain"))
    return Run(
        seed=seed,
        first=sum(scores[:window]) / window,
        last=sum(scores[-window:]) / window,
        base=base["mean"],
        today=today["mean"],
        gain=gain["mean"],
        gain_error=gain["standard_error"],
        both_errors=(base["standard_error"] ** 2 + today["standard_error"] ** 2) ** 0.5,
        seconds=seconds,
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a row per seed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default="spark")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=150)
    chosen = parser.parse_args(arguments)
    window = min(WINDOW, chosen.rounds)
    scores = f"first {window} | last {window} | ratio | exam before | after | gain ± SE"
    print(f"| seed | {scores} | seconds |")
    print("|---|---|---|---|---|---|---|---|")
    for seed in range(1, chosen.seeds + 1):
        run = learn(chosen.model, seed, chosen.rounds)
        print(
            f"| {seed} | {run.first:.3f} | {run.last:.3f} | {run.ratio:.2f} | {run.base:.3f} "
            f"| {run.today:.3f} | {run.gain:+.3f} ± {run.gain_error:.3f} | {run.seconds:.0f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
