"""``waggle exam``: held-out puzzles, tried by the base model and by today's."""

import argparse
import asyncio
from collections import defaultdict
from collections.abc import Sequence

import msgspec

from core.bootstrap import NodeChoice, open_exam
from core.cli.output import print_json, print_table, say
from core.cli.parsing import Commands, count
from core.engine.exam import Estimate, Grade, estimate, gain, set_exam, take_exam
from core.paths import Home
from core.rollouts.types import ModelId
from core.settings import load_settings

EXAMPLE = "Example: waggle exam --model spark --puzzles 500"


class Report(msgspec.Struct, frozen=True):
    """An exam as ``--json`` prints it."""

    model: str
    round: int  # rounds practised
    puzzles: int
    base: Estimate
    today: Estimate
    gain: Estimate  # puzzle by puzzle
    tasks: dict[str, tuple[float, float]]  # mean of base and today


def add_to(commands: Commands) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "exam", help="puzzles that were never practised, before and after", epilog=EXAMPLE
    )
    parser.add_argument(
        "--model", help="model to examine (default: the one chosen in the window, at first spark)"
    )
    parser.add_argument(
        "--puzzles", type=count, default=500, metavar="N", help="how many (default: %(default)s)"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Examine the model as it was last saved; nothing is changed."""
    home = Home(arguments.home)
    settings = load_settings(home.settings)
    model = ModelId(arguments.model or settings.window.model)
    choice = NodeChoice(home, settings, model, settings.swarm.name, solo=True)
    report = asyncio.run(_examine(choice, arguments.puzzles))
    if arguments.json:
        print_json(report)
    else:
        _tell(report)
    return 0


async def _examine(choice: NodeChoice, puzzles: int) -> Report:
    async with open_exam(choice) as bench:
        parts = bench.parts
        questions = await set_exam(parts.curriculum, parts.scorer, puzzles)
        progress = await parts.on_model_thread(bench.model.learner.resume)
        today = await take_exam(questions, parts)
        with bench.model.policy.base():
            base = await take_exam(questions, parts)
    return Report(
        model=choice.model,
        round=progress.round if progress else 0,
        puzzles=len(questions),
        base=_mean(base),
        today=_mean(today),
        gain=gain(base, today),
        tasks=_by_task(base, today),
    )


def _mean(grades: Sequence[Grade]) -> Estimate:
    return estimate([grade.score for grade in grades])


def _by_task(base: Sequence[Grade], today: Sequence[Grade]) -> dict[str, tuple[float, float]]:
    pairs: defaultdict[str, list[tuple[float, float]]] = defaultdict(list)
    for before, after in zip(base, today, strict=True):
        pairs[before.task].append((before.score, after.score))
    return {
        task: (sum(b for b, _ in found) / len(found), sum(a for _, a in found) / len(found))
        for task, found in sorted(pairs.items())
    }


def _tell(report: Report) -> None:
    rows = [(task, f"{b:.0%}", f"{a:.0%}") for task, (b, a) in report.tasks.items()]
    print_table(["puzzles", "before", "today"], rows)
    say(
        f"{report.model} after {report.round} rounds: {report.today.mean:.1%} of "
        f"{report.puzzles} puzzles that it never practised; before any practice "
        f"{report.base.mean:.1%}."
    )
    say(f"Gain: {report.gain.mean:+.1%}, give or take {2 * report.gain.standard_error:.1%}.")
