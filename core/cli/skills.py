"""``waggle skills``: what share of each kind of puzzle a model solves, level by level."""

import argparse
from collections.abc import Iterator

from core.api.sentences import taught
from core.api.skills import AHEAD, CellSkill, KindSkill, SkillsShown
from core.cli.output import print_json, print_table, say
from core.cli.parsing import Commands, add_decks, kinds_of
from core.decks.deck import named
from core.paths import Home
from core.services.service import ServiceContext
from core.services.skills import look_up_skills

EXAMPLE = "Example: waggle skills ember"


def add_to(commands: Commands) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "skills", help="what share of each kind of puzzle a model solves", epilog=EXAMPLE
    )
    parser.add_argument(
        "model", nargs="?", help="which (default: the one chosen in the window, at first spark)"
    )
    add_decks(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Tell what the model can do as it was last saved; it may be practising."""
    context = ServiceContext(Home(arguments.home), kinds_of(arguments))
    model = arguments.model or context.settings().window.model
    shown = look_up_skills(context.home, model, context.practice())
    if arguments.json:
        print_json(shown)
    else:
        _tell(shown)
    return 0


def _tell(shown: SkillsShown) -> None:
    most = max(len(kind.cells) for kind in shown.kinds)
    headings = ["puzzles", *(str(level) for level in range(1, most + 1))]
    kinds = sorted(shown.kinds, key=_rank)
    print_table(headings, [(named(kind.task, kind.title), *_columns(kind, most)) for kind in kinds])
    say("Columns are levels; per cent solved now, in parentheses before any practice,")
    say("- never tried, * practised at present, + the swarm solves more.")
    say(f"{shown.model} after {shown.round} rounds: {_words(shown)}")
    if words := taught(shown.taught):
        say(words)


def _rank(kind: KindSkill) -> tuple[float, str]:
    """What is solved best stands first, as in the window."""
    return -sum(cell.now or 0.0 for cell in kind.cells) / len(kind.cells), kind.task


def _columns(kind: KindSkill, most: int) -> Iterator[str]:
    yield from map(_figure, kind.cells)
    yield from [""] * (most - len(kind.cells))


def _figure(cell: CellSkill) -> str:
    now = "-" if cell.now is None else f"{100 * cell.now:.0f}"
    before = "" if cell.base is None or not cell.tries else f" ({100 * cell.base:.0f})"
    is_behind = cell.swarm is not None and cell.swarm >= (cell.now or 0.0) + AHEAD
    return f"{now}{before}{'*' if cell.is_open else ''}{'+' if is_behind else ''}"


def _words(shown: SkillsShown) -> str:
    if shown.skill is None:
        return "it is not known yet how far it gets in every kind of puzzle."
    practised = "all puzzles" if shown.scope is None else "what it practises"
    parts = [f"{shown.skill:.1%} of {practised}"]
    if shown.base_skill is not None:
        parts.append(f"its base {shown.base_skill:.1%}")
    if shown.swarm_skill is not None:
        parts.append(f"the swarm {shown.swarm_skill:.1%}")
    return f"{'; '.join(parts)}."
