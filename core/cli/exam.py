"""``waggle exam``: held-out puzzles, tried by the base model and by today's."""

import argparse
import asyncio

import msgspec

from core.api.exam_words import exam_words, margin
from core.api.practice import ExamResult, ExamScores, MeasuredScore
from core.cli.output import print_json, print_table, say
from core.cli.parsing import Commands, add_decks, count, kinds_of
from core.cli.progress import counted
from core.decks.deck import named
from core.paths import Home
from core.services.exam import examine
from core.services.service import ServiceContext

EXAMPLE = "Example: waggle exam --model spark --puzzles 600"

USUAL = 600
"""Puzzles: two of every kind at every level."""


class ExamReport(msgspec.Struct, frozen=True):
    """An exam as ``--json`` prints it."""

    model: str
    round: int  # rounds practised
    puzzles: int
    cells: int  # pairs of kind and level that they are of
    base: ExamScores
    today: ExamScores
    gain: ExamScores  # puzzle by puzzle
    form: MeasuredScore  # the part of the gain that is form, and not skill
    ahead: MeasuredScore  # today at the first try, less the base within eight
    tasks: dict[str, tuple[float, float]]  # share solved by base and today


def add_to(commands: Commands) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "exam", help="puzzles that were never practised, before and after", epilog=EXAMPLE
    )
    parser.add_argument(
        "--model", help="model to examine (default: the one chosen in the window, at first spark)"
    )
    parser.add_argument(
        "--puzzles", type=count, default=USUAL, metavar="N", help="how many (default: %(default)s)"
    )
    add_decks(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Examine the model as it was last saved; nothing is changed, and it may be practising."""
    context = ServiceContext(Home(arguments.home), kinds_of(arguments))
    model = arguments.model or context.settings().window.model
    with counted(f"Examining {model}") as show:
        result = asyncio.run(examine(context, model, arguments.puzzles, show))
    if arguments.json:
        print_json(_report(result))
    else:
        _tell(result)
    return 0


def _report(result: ExamResult) -> ExamReport:
    return ExamReport(
        model=result.model,
        round=result.round,
        puzzles=result.puzzles,
        cells=result.cells,
        base=result.before,
        today=result.now,
        gain=result.gain,
        form=result.form,
        ahead=result.ahead,
        tasks={kind.task: (kind.before, kind.now) for kind in result.kinds},
    )


def _tell(result: ExamResult) -> None:
    rows = [(named(k.task, k.title), f"{k.before:.0%}", f"{k.now:.0%}") for k in result.kinds]
    print_table(["puzzles", "before", "today"], rows)
    say(
        f"{result.model} after {result.round} rounds, on {result.puzzles} puzzles that it never "
        f"practised, of {result.cells} pairs of kind and level:"
    )
    print_table(["", "before", "today", "gain"], _score_rows(result))
    say(exam_words(result, lambda share: f"{100 * share:.1f}", lambda share: f"{share:.1%}"))


def _score_rows(result: ExamResult) -> list[tuple[str, ...]]:
    passes = result.before, result.now, result.gain
    return [
        ("solved", *(_interval(one.solved) for one in passes)),
        ("solved if the form is forgiven", *(_interval(one.forgiven) for one in passes)),
        ("solved within eight tries", *(_interval(one.pass_8) for one in passes)),
    ]


def _interval(measured: MeasuredScore) -> str:
    return f"{100 * measured.mean:.1f} ± {100 * margin(measured):.1f} %"
