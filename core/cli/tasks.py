"""``waggle tasks``: what is practised, and any single puzzle with its answer."""

import argparse
from random import Random

import msgspec

from core.cli.output import print_json, print_table, say
from core.cli.parsing import Commands, add_common, count, seed, whole, without_json
from core.rollouts.types import PuzzleKey, TaskId
from core.tasks.catalog import SEEDS, Task, load_catalog

EXAMPLE = "Example: waggle tasks show gcd --level 1 --seed 7"


class TaskRow(msgspec.Struct, frozen=True):
    """A task as ``--json`` prints it."""

    id: str
    title: str
    levels: int
    specialty: bool  # one of the nine of the SAPO paper
    starter: bool  # suits a model of a million parameters


def add_to(commands: Commands) -> None:
    """Declare the command."""
    parser = commands.add_parser("tasks", help="list the puzzles, or show one", epilog=EXAMPLE)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=_list)
    actions = parser.add_subparsers(metavar="ACTION")
    show = actions.add_parser("show", help="make one puzzle", epilog=EXAMPLE)
    show.add_argument("task", help="its name, as the list has it")
    show.add_argument("--level", type=count, default=1, metavar="N", help="how hard (default: 1)")
    show.add_argument("--seed", type=seed, metavar="N", help="which series (default: any)")
    show.add_argument("--index", type=whole, default=0, metavar="N", help="its place (default: 0)")
    add_common(show, again=True)
    show.set_defaults(run=without_json(_show))


def _list(arguments: argparse.Namespace) -> int:
    rows = [_row(task) for task in load_catalog().tasks]
    if arguments.json:
        print_json(rows)
    else:
        cells = [(r.id, r.title, str(r.levels), "yes" if r.specialty else "") for r in rows]
        print_table(["task", "what is asked", "levels", "in the paper"], cells)
    return 0


def _row(task: Task) -> TaskRow:
    return TaskRow(task.id, task.title, len(task.levels), task.specialty, task.starter)


def _show(arguments: argparse.Namespace) -> int:
    from core.tasks.reasoning_tasks import check_ruleset, make_puzzle

    check_ruleset()
    number = Random().randrange(SEEDS) if arguments.seed is None else arguments.seed  # noqa: S311
    key = PuzzleKey(TaskId(arguments.task), arguments.level, number, arguments.index)
    puzzle = make_puzzle(load_catalog(), key)
    say(puzzle.question.prompt)
    say()
    say(f"A right answer: {puzzle.answer}")
    say(f"(--level {key.level} --seed {key.seed} --index {key.index})")
    return 0
