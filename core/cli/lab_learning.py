"""``waggle lab table | growth | aha | attack`` and other experiments that compare arms."""

import argparse
import asyncio
import shlex
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from msgspec import structs
from rich.live import Live
from rich.text import Text

from core.cli.output import CommandConsole, print_json, say
from core.cli.parsing import Commands, add_common, count, rate, seed
from core.decks.library import DeckLibrary
from core.decks.limits import MAX_NAME, tidy
from core.lab.learning.campaign import CampaignProgress
from core.lab.learning.offers import OFFERS, Offer
from core.lab.learning.plans import EVERY_LEVEL, Practice, Setting
from core.paths import Home
from core.services.decks import DeckWish, draft_of_file, install

if TYPE_CHECKING:  # loads numpy
    from core.lab.learning.laboratory import LearningFindings, StudyOrder


def add_to(commands: Commands) -> None:
    """Declare the experiments."""
    for offer in OFFERS:
        _add(commands, offer)


def _add(commands: Commands, offer: Offer) -> None:
    example = f"Example: waggle lab {offer.name} --rounds 150 --seeds 1 2 3 --workers 4"
    parser = commands.add_parser(
        offer.name,
        help=offer.words,
        description="Whatever was finished in the folder before is not played again, so an "
        "experiment that was ended goes on where it was.",
        epilog=example,
    )
    parser.add_argument(
        "--rounds", type=count, default=offer.rounds, metavar="N", help="default: %(default)s"
    )
    parser.add_argument(
        "--seeds",
        type=seed,
        nargs="+",
        default=list(offer.seeds),
        metavar="N",
        help=f"each arm is played once with each (default: {' '.join(map(str, offer.seeds))})",
    )
    parser.add_argument(
        "--arms",
        nargs="+",
        default=["*"],
        metavar="NAME",
        help="only these, and what they are compared with; * stands for any text (default: all)",
    )
    parser.add_argument(
        "--against",
        metavar="NAME",
        help="the arm that all others are compared with; it is played, too (default: the "
        "experiment's own)",
    )
    parser.add_argument(
        "--models",
        nargs="+",
        default=list(offer.models),
        metavar="ID",
        help="of the honest nodes, one each (default: "
        + ", ".join(f"{offer.models.count(m)} of {m}" for m in dict.fromkeys(offer.models))
        + ")",
    )
    _add_puzzles(parser, offer)
    parser.add_argument(
        "--rate",
        type=rate,
        default=offer.rate,
        metavar="X",
        help=f"learning rate (default: {offer.rate or 'that of each model'})",
    )
    parser.add_argument(
        "--workers",
        type=count,
        default=2,
        metavar="N",
        help="runs at a time, a core each (default: %(default)s)",
    )
    parser.add_argument(
        "--out",
        type=Path,
        default=offer.folder,
        metavar="DIR",
        help="results are written there (default: %(default)s)",
    )
    parser.add_argument("--json", action="store_true", help="print what came out as JSON")
    add_common(parser, again=True)
    parser.set_defaults(run=lambda arguments: _run(arguments, offer))


def _add_puzzles(parser: argparse.ArgumentParser, offer: Offer) -> None:
    if offer.decks:
        parser.add_argument(
            "--deck",
            type=Path,
            nargs="+",
            default=offer.decks,
            metavar="FILE",
            help="tables or decks, each practised by itself (default: all that come with Waggle)",
        )
        parser.set_defaults(practice=offer.practice, levels=offer.levels)
        return
    parser.add_argument(
        "--practice",
        choices=get_args(Practice),
        default=offer.practice,
        help="the nine tasks of the paper, those of which starters have seen work shown, or "
        "everything that Waggle has (default: %(default)s)",
    )
    parser.add_argument(
        "--levels",
        type=int,
        nargs="+",
        choices=EVERY_LEVEL,
        default=offer.levels,
        metavar="N",
        help="levels of difficulty of the exam, and of practice where no arm says otherwise "
        f"(default: {' '.join(map(str, offer.levels))})",
    )
    parser.set_defaults(deck=())


def _run(arguments: argparse.Namespace, offer: Offer) -> int:
    found = [_investigate(order) for order in _orders(arguments, offer)]
    if arguments.json:
        arms = [findings.arms for findings in found]
        print_json(arms if offer.decks else arms[0])
    else:
        say("\n".join(findings.summary for findings in found))
    return 0


def _orders(arguments: argparse.Namespace, offer: Offer) -> "Iterator[StudyOrder]":
    """One; or one for each deck, in a folder of its own."""
    from core.lab.learning.laboratory import StudyOrder

    setting = Setting(
        models=tuple(arguments.models),
        rounds=arguments.rounds,
        learning_rate=arguments.rate,
        levels=tuple(sorted(set(arguments.levels))),
        practice=arguments.practice,
        exam_every=offer.exam_every,
        exam_puzzles=offer.exam_puzzles,
        head_start=offer.head_start,
    )
    study = offer.make(setting)
    study = study.against(arguments.against or study.baseline)
    order = StudyOrder(
        experiment=study.only(arguments.arms),
        seeds=tuple(dict.fromkeys(arguments.seeds)),
        workers=arguments.workers,
        out=arguments.out,
        command=shlex.join(["waggle", *sys.argv[1:]]),
    )
    if not offer.decks:
        yield order
    for path in arguments.deck:
        yield _of_deck(order, path)


def _of_deck(order: "StudyOrder", path: Path) -> "StudyOrder":
    """``order`` with the deck in the file at ``path`` and nothing else, which is kept beside it.

    Raises:
        DeckError: there is no good deck in the file.
    """
    out = order.out / path.stem
    draft = draft_of_file(path, DeckWish(name=tidy(path.stem)[:MAX_NAME]))
    installed = install(draft, DeckLibrary(Home(out).decks))
    study = order.experiment
    setting = structs.replace(study.setting, kinds=(installed.task,))
    title = f"What is learnt of “{installed.deck.name}”?"
    return replace(order, experiment=replace(study, title=title, setting=setting), out=out)


def _investigate(order: "StudyOrder") -> "LearningFindings":
    from core.lab.learning.laboratory import investigate

    with Live(console=CommandConsole(stderr=True), transient=True) as live:
        return asyncio.run(investigate(order, lambda progress: live.update(_words(progress))))


def _words(progress: CampaignProgress) -> Text:
    left = progress.left_s
    ahead = "" if left is None else f", {left / 60:.0f} min left"
    done = f"{progress.finished:,} of {progress.rounds:,} rounds"
    return Text(f"{done}, {progress.rounds_per_minute:.0f} a minute{ahead}")
