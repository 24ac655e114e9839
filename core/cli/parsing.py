"""Common options and argument types of the commands."""

import argparse
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TypeAlias

from core.decks.library import DeckLibrary
from core.decks.limits import MAX_CARDS
from core.errors import UsageError
from core.paths import Home, default_home

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"  # noqa: SLF001 - it has no public name
"""Where a command adds its parser."""


RunCommand = Callable[[argparse.Namespace], int]
"""Does what was typed, and returns the exit code."""


def without_json(run: RunCommand) -> RunCommand:
    """``run`` of an action that prints none, below a command that takes ``--json``."""

    @wraps(run)
    def refuse_or_run(arguments: argparse.Namespace) -> int:
        if arguments.json:
            raise UsageError("This action prints no JSON. Leave out --json.")
        return run(arguments)

    return refuse_or_run


def add_common(parser: argparse.ArgumentParser, *, again: bool = False) -> None:
    """Declare what every command takes; ``again`` where it was declared further left already.

    argparse lets the default of a sub-command overwrite what was given before it, so there it has
    none.
    """
    parser.add_argument(
        "--home",
        type=Path,
        default=argparse.SUPPRESS if again else default_home().root,
        metavar="DIR",
        help="folder that keeps everything of this node"
        + ("" if again else " (default: %(default)s)"),
    )
    parser.add_argument(
        "--debug",
        action="store_true",
        default=argparse.SUPPRESS if again else False,
        help="show where an error came from",
    )


def add_decks(parser: argparse.ArgumentParser) -> None:
    """Declare the option that names decks; see ``kinds_of``."""
    parser.add_argument(
        "--deck",
        action="append",
        default=[],
        metavar="NAME",
        help="this deck and nothing else; may be repeated",
    )


def kinds_of(arguments: argparse.Namespace) -> tuple[str, ...]:
    """The kinds of puzzles that ``--deck`` names; none where it was left out.

    Raises:
        DeckError: there is no such deck.
    """
    library = DeckLibrary(Home(arguments.home).decks)
    return tuple(library.find(name).task for name in arguments.deck)


def count(text: str) -> int:
    """A whole number of at least 1, as an argparse type."""
    return _whole(text, 1, 10**9)


def rows(text: str) -> int:
    """How many rows of a table become a deck, as an argparse type."""
    return _whole(text, 1, MAX_CARDS)


def whole(text: str) -> int:
    """A whole number of at least 0, as an argparse type."""
    return _whole(text, 0, 10**9)


def seed(text: str) -> int:
    """A whole number in [0, 2**32), as an argparse type."""
    return _whole(text, 0, 2**32 - 1)


def rate(text: str) -> float:
    """A number in (0, 1], as an argparse type."""
    try:
        number = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no number") from None
    if not 0 < number <= 1:
        raise argparse.ArgumentTypeError(f"{number} is not above 0 and at most 1")
    return number


def _whole(text: str, least: int, most: int) -> int:
    try:
        number = int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number") from None
    if not least <= number <= most:
        raise argparse.ArgumentTypeError(f"{number} is not between {least} and {most}")
    return number
