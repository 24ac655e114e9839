"""``waggle bench``: how fast this computer is."""

import argparse
import asyncio
from typing import TYPE_CHECKING

from core.bootstrap import NodeChoice
from core.cli.output import print_json, print_table, say
from core.cli.parsing import Commands, count
from core.models.catalog.library import find_model
from core.paths import Home
from core.rollouts.types import ModelId
from core.settings import load_settings

if TYPE_CHECKING:  # loads torch
    from core.bench.report import Report

EXAMPLE = "Example: waggle bench sampler --model spark --threads 1"
SUBJECTS = {
    "sampler": "drawing completions, against transformers' generate and llama.cpp alone",
    "update": "one step of the learner, against the machine's arithmetic",
    "round": "whole rounds as this node plays them, and where their time goes",
}


def add_to(commands: Commands) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "bench",
        help="measure how fast this computer is",
        epilog=EXAMPLE,
        description="; ".join(f"{name}: {words}" for name, words in SUBJECTS.items()),
    )
    parser.add_argument("what", choices=tuple(SUBJECTS), help="what to measure")
    parser.add_argument("--model", help="default: the one chosen in the window, at first spark")
    parser.add_argument(
        "--threads", type=count, metavar="N", help="cores to use (default: as in a run)"
    )
    parser.add_argument(
        "--laps", type=count, default=5, metavar="N", help="repetitions (default: %(default)s)"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Measure; what this node has learnt stays as it is."""
    home = Home(arguments.home)
    settings = load_settings(home.settings)
    choice = NodeChoice(
        home=home,
        settings=settings,
        model=ModelId(arguments.model or settings.window.model),
        swarm=settings.swarm.name,
        solo=True,
        threads=arguments.threads or settings.compute.threads,
    )
    report = measure(arguments.what, choice, arguments.laps)
    if arguments.json:
        print_json(report)
        return 0
    from core.bench.report import HEADINGS, describe, parts, rows

    say(describe(report))
    print_table(HEADINGS, rows(report))
    for line in parts(report.figures):
        say(line)
    return 0


def measure(what: str, choice: NodeChoice, laps: int) -> "Report":
    """Run one benchmark on the model of ``choice``."""
    from core.bench.material import usual_work
    from core.bench.runs import BenchConditions, bench_round, bench_sampler, bench_update
    from core.models.memory.compute import choose_compute

    if what == "round":
        return asyncio.run(bench_round(choice, laps))
    spec = find_model(choice.model, choice.home)
    conditions = BenchConditions(choose_compute(spec.parameters), choice.threads_for(spec), laps)
    bench = bench_sampler if what == "sampler" else bench_update
    return bench(spec, usual_work(spec), conditions)
