"""What a person says of a deck on the command line, and is told of it before it is kept."""

import argparse
from typing import get_args

from core.cli.output import say
from core.cli.parsing import add_common
from core.decks.columns import Part
from core.decks.deck import Matcher
from core.decks.library import DeckLibrary
from core.decks.limits import MAX_NAME, tidy
from core.errors import UsageError
from core.paths import Home
from core.services.decks import DeckDraft, DeckWish, install

MOST_PROBLEMS = 20
"""Rows that are named one by one; with more, something is wrong with the table as a whole."""


def add_wishes(parser: argparse.ArgumentParser) -> None:
    """Declare what a person can say of a deck beyond its table; see ``wish_of``."""
    parser.add_argument("--name", help="of the deck (default: that of the file or data set)")
    parser.add_argument("--author", default="", help="who made it")
    parser.add_argument("--language", default="", metavar="TAG", help="such as en or de-AT")
    parser.add_argument("--licence", default="", help="such as CC0-1.0")
    parser.add_argument(
        "--matcher",
        choices=get_args(Matcher),
        help="how answers are compared (default: as suits the answers)",
    )
    parser.add_argument(
        "--tolerance", default="0", metavar="X", help="how far off a decimal may be (default: 0)"
    )
    parser.add_argument(
        "--column",
        action="append",
        default=[],
        metavar="PART=NAME",
        help=f"which column holds what, of {', '.join(get_args(Part))} (default: by its name)",
    )
    add_common(parser, again=True)


def wish_of(arguments: argparse.Namespace, name: str) -> DeckWish:
    """What the person said, of a deck that is called ``name`` unless they said otherwise.

    Raises:
        UsageError: an option names no column.
    """
    columns: dict[Part, str] = {}
    for pair in arguments.column:
        part, equals, column = pair.partition("=")
        if part not in get_args(Part) or not equals:
            raise UsageError(
                f"{pair} names no column. Write, for example, --column question=Frage."
            )
        columns[part] = column
    return DeckWish(
        name=arguments.name or tidy(name)[:MAX_NAME],
        author=arguments.author,
        language=arguments.language,
        licence=arguments.licence,
        matcher=arguments.matcher,
        tolerance=arguments.tolerance,
        columns=columns,
    )


def tell(draft: DeckDraft) -> None:
    """Say what became of the table, row by row where one is left out, and what the doctor found."""
    deck = draft.installed.deck
    levels = f"{len(deck.levels)} level{'' if len(deck.levels) == 1 else 's'}"
    say(
        f"“{deck.name}”: {len(deck.cards)} cards and {len(deck.templates)} templates at "
        f"{levels}; answers are compared as {deck.matcher}."
    )
    for problem in draft.problems[:MOST_PROBLEMS]:
        say(f"row {problem.number} is left out: {problem.words}")
    if len(draft.problems) > MOST_PROBLEMS:
        say(f"… and {len(draft.problems) - MOST_PROBLEMS} more rows.")
    for finding in draft.findings:
        cards = f" (cards {', '.join(map(str, finding.rows))}, …)" if finding.rows else ""
        say(f"{'error' if finding.is_error else 'note'}: {finding.words}{cards}")


def keep(draft: DeckDraft, home: Home) -> int:
    """Tell about ``draft`` and keep it; an exit code.

    Raises:
        DeckError: it has an error; nothing was kept.
        HomeError: it cannot be written.
    """
    tell(draft)
    home.prepare()
    made = install(draft, DeckLibrary(home.decks))
    say(f"Kept as “{made.deck.name}”. Practise it: waggle join --deck {made.digest[:12]}")
    return 0
