"""``waggle exam``: held-out puzzles, tried by the base model and by today's."""

import argparse
import asyncio

import msgspec

from core.api.practice import ExamResult, MeasuredScore
from core.cli.output import print_json, print_table, say
from core.cli.parsing import Commands, count
from core.paths import Home
from core.services.exam import examine
from core.services.service import ServiceContext

EXAMPLE = "Example: waggle exam --model spark --puzzles 500"


class ExamReport(msgspec.Struct, frozen=True):
    """An exam as ``--json`` prints it."""

    model: str
    round: int  # rounds practised
    puzzles: int
    base: MeasuredScore
    today: MeasuredScore
    gain: MeasuredScore  # puzzle by puzzle
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
    """Examine the model as it was last saved; nothing is changed, and it may be practising."""
    context = ServiceContext(Home(arguments.home))
    model = arguments.model or context.settings().window.model
    report = _report(asyncio.run(examine(context, model, arguments.puzzles, _stay_silent)))
    if arguments.json:
        print_json(report)
    else:
        _tell(report)
    return 0


def _report(result: ExamResult) -> ExamReport:
    return ExamReport(
        model=result.model,
        round=result.round,
        puzzles=result.puzzles,
        base=result.before,
        today=result.now,
        gain=result.gain,
        tasks={kind.task: (kind.before, kind.now) for kind in result.kinds},
    )


def _tell(report: ExamReport) -> None:
    rows = [(task, f"{b:.0%}", f"{a:.0%}") for task, (b, a) in report.tasks.items()]
    print_table(["puzzles", "before", "today"], rows)
    say(
        f"{report.model} after {report.round} rounds: {report.today.mean:.1%} of "
        f"{report.puzzles} puzzles that it never practised; before any practice "
        f"{report.base.mean:.1%}."
    )
    say(f"Gain: {report.gain.mean:+.1%}, give or take {2 * report.gain.standard_error:.1%}.")


def _stay_silent(done: int, total: int) -> None:
    """A log is no place for a number that counts up."""
