"""The learner's step against others': ``python3 dev.py bench update --rival naive --rival trl``.

Each in a process of its own, in turns: ours packs a group into one row, the naive one repeats the
prompt for every completion, TRL's is what of a step of its GRPOTrainer is not sampling.
"""

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import msgspec
import torch

from core.bench.contest import hold_contest
from core.bench.roofline import Size, update_floor
from core.bench.runs import BenchConditions, ceilings, rates
from core.models.memory.compute import choose_compute
from tests.benchmarks.racer import command_of, racers
from tests.benchmarks.rivals import find_model, job_of, made_up_questions, parser, work_of
from tests.benchmarks.telling import tell, tell_lap
from tests.benchmarks.trl_environment import trl_python


def main(arguments: Sequence[str] | None = None) -> None:
    """Print what was found."""
    options = parser(str(__doc__))
    options.add_argument("--rival", action="append", choices=("naive", "trl"), default=[])
    options.add_argument(
        "--rows", type=int, help="sequences that rivals take at once (default: all, 16 of a large)"
    )
    chosen = options.parse_args(arguments)
    spec = find_model(chosen.model, chosen.folder)
    work = work_of(chosen, spec)
    job = job_of(chosen, spec, made_up_questions(spec, work))
    commands = {"update": command_of(Path(sys.executable))}
    if "naive" in chosen.rival:
        commands["naive"] = command_of(Path(sys.executable))
    if "trl" in chosen.rival:
        commands["trl-update"] = command_of(trl_python(chosen.folder))
    compute = choose_compute(spec.parameters)
    torch.set_num_threads(chosen.threads)
    with tempfile.TemporaryDirectory() as folder, racers(job, commands, Path(folder)) as started:
        figures = hold_contest(started | ceilings(compute), chosen.laps, tell_lap)
    conditions = BenchConditions(compute, chosen.threads, chosen.laps)
    floor = update_floor(Size.of(spec.shape, compute.dtype), work, rates(figures))
    report = conditions.report("update", spec, work, figures)
    tell(msgspec.structs.replace(report, floor=floor), "update")


if __name__ == "__main__":
    main()
