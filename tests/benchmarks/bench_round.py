"""Whole rounds against other trainers: ``python3 dev.py bench round --rival trl``.

The same puzzles, group size and number of tokens for all, each in a process of its own, in turns.
Ours makes the questions anew and judges in isolation; rivals get a reward that costs nothing.
"""

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import msgspec

from core.bench.contest import hold_contest
from core.bench.material import real_questions
from core.bench.runs import BenchConditions
from core.models.memory.compute import choose_compute
from tests.benchmarks.racer import command_of, racers
from tests.benchmarks.rivals import find_model, job_of, parser, work_of
from tests.benchmarks.telling import tell, tell_lap
from tests.benchmarks.trl_environment import trl_python


def main(arguments: Sequence[str] | None = None) -> None:
    """Print what was found."""
    options = parser(str(__doc__))
    options.add_argument("--rival", action="append", choices=("trl", "retokenising"), default=[])
    options.add_argument(
        "--sampler", default="torch", choices=("torch", "llama-f16", "llama-q8_0"), help="ours"
    )
    options.add_argument("--rows", type=int, help="sequences that TRL learns from at once")
    chosen = options.parse_args(arguments)
    spec = find_model(chosen.model, chosen.folder)
    work = work_of(chosen, spec)
    job = job_of(chosen, spec, real_questions(work.groups))
    job = msgspec.structs.replace(job, sampler=chosen.sampler)
    commands = {"round": command_of(Path(sys.executable))}
    if "retokenising" in chosen.rival:
        commands["retokenising"] = command_of(Path(sys.executable))
    if "trl" in chosen.rival:
        commands["trl"] = command_of(trl_python(chosen.folder))
    with tempfile.TemporaryDirectory() as folder, racers(job, commands, Path(folder)) as started:
        figures = hold_contest(started, chosen.laps, tell_lap)
    conditions = BenchConditions(choose_compute(spec.parameters), chosen.threads, chosen.laps)
    tell(conditions.report("round", spec, work, figures), "round")


if __name__ == "__main__":
    main()
