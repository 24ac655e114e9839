"""``waggle deck from-hub``: a deck of a table of a public data set."""

import argparse
import asyncio

from core.cli.deck_wishes import add_wishes, keep, wish_of
from core.cli.output import say
from core.cli.parsing import Commands, rows, without_json
from core.cli.progress import watched
from core.net.proxy import use_proxy
from core.paths import Home
from core.services.dataset_decks import DatasetWish, draft_of_dataset
from core.services.service import ServiceContext


def add_from_hub(actions: Commands) -> None:
    """Declare the action."""
    parser = actions.add_parser(
        "from-hub",
        help="make a deck of a public data set on Hugging Face",
        epilog="Example: waggle deck from-hub someone/sums --split train --rows 500",
    )
    parser.add_argument("dataset", metavar="OWNER/DATASET", help="its name on Hugging Face")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--split", metavar="NAME", help="of its files the one named so, as train")
    which.add_argument("--file", metavar="PATH", help="this file of it")
    parser.add_argument("--rows", type=rows, metavar="N", help="the first N rows (default: all)")
    add_wishes(parser)
    parser.set_defaults(run=without_json(_from_hub))


def _from_hub(arguments: argparse.Namespace) -> int:
    context = ServiceContext(Home(arguments.home))
    use_proxy(context.settings().network.proxy)
    repo = arguments.dataset
    wanted = DatasetWish(repo, arguments.file, arguments.split, arguments.rows)
    wish = wish_of(arguments, "")

    def consider(path: str, commit: str) -> None:
        say(f"{path} of {repo}, as of commit {commit[:12]}.")

    with watched(f"Fetching {repo}") as tell:
        draft = asyncio.run(draft_of_dataset(wanted, wish, context, tell, consider))
    licence = draft.installed.deck.licence
    say(f"Licence: {licence}." if licence else "Its card names no licence. Ask whose it is.")
    return keep(draft, context.home)
