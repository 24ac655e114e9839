"""``waggle bench``: how fast this computer is."""

import argparse
import asyncio
import sys
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from core.bootstrap import NodeChoice
from core.cli.output import complain, print_json, print_table, say
from core.cli.parsing import Commands, count
from core.models.catalog.library import find_model
from core.paths import Home
from core.rollouts.types import ModelId
from core.settings import DeviceChoice, load_settings

if TYPE_CHECKING:  # loads torch
    from core.bench.contest import Lap
    from core.bench.report import Report

EXAMPLE = "Example: waggle bench sampler --model spark --threads 1"
SUBJECTS = {
    "sampler": "drawing completions, against transformers' generate and llama.cpp alone",
    "update": "one step of the learner, against the machine's arithmetic",
    "round": "whole rounds as this node plays them, and where their time goes",
    "gpu": "whether a graphics card is right, and how fast; ten minutes at most",
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
    parser.add_argument(
        "--device",
        type=device,
        metavar="NAME",
        help="auto, cpu, mps or cuda:0, cuda:1 and so on (default: as in the settings)",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Measure; what this node has learnt stays as it is."""
    home = Home(arguments.home)
    settings = load_settings(home.settings)
    if arguments.device:
        compute = replace(settings.compute, device=arguments.device)
        settings = replace(settings, compute=compute)
    if arguments.what == "gpu":
        return measure_card(home, settings.compute.device, as_json=arguments.json)
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
    compute = choose_compute(spec.parameters, choice.settings.compute.device)
    conditions = BenchConditions(compute, choice.threads_for(spec), laps)
    bench = bench_sampler if what == "sampler" else bench_update
    return bench(spec, usual_work(spec), conditions)


def device(text: str) -> str:
    """The name of a device, as the settings have it."""
    try:
        return msgspec.convert(text, DeviceChoice)
    except msgspec.ValidationError:
        raise argparse.ArgumentTypeError(f"{text!r} is not auto, cpu, mps or cuda:N") from None


def measure_card(home: Home, wish: DeviceChoice, *, as_json: bool) -> int:
    """Check and measure a graphics card; exit code 1 where it fails, or there is none."""
    from core.bench.card_bench import bench_card
    from core.bench.card_report import in_markdown, keep
    from core.models.memory.compute import find_device

    found = find_device(wish)
    if found.type == "cpu" and wish != "cpu":
        complain(
            "There is no graphics card here that PyTorch can use. "
            "To go through the same steps without one, add --device cpu."
        )
        return 1
    home.prepare()
    report = bench_card(found, home.cache, on_lap=_tell_lap)
    # Stand-in sizes prove nothing of a card.
    kept = None if report.is_small else keep(report, home.gpu_bench)
    if as_json:
        print_json(report)
    else:
        say(in_markdown(report))
        say(f"Kept in {kept}." if kept else "Nothing of this is kept.")
    return 0 if report.passed else 1


def _tell_lap(name: str, lap: "Lap") -> None:
    """Show a person who waits that something happens."""
    sys.stderr.write(f"{name}: {lap.seconds:.3g} s\n")
