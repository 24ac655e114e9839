"""``waggle deck``: puzzles of one's own, from a table; what is wrong with them; where they are."""

import argparse
import asyncio
from pathlib import Path

import msgspec

from core.cli.deck_from_hub import add_from_hub
from core.cli.deck_wishes import add_wishes, keep, tell, wish_of
from core.cli.output import print_json, print_table, say
from core.cli.parsing import Commands, add_common, without_json
from core.cli.progress import counted
from core.decks.library import DeckLibrary, InstalledDeck
from core.errors import DeckError, UsageError
from core.paths import Home
from core.services.deck_service import remove
from core.services.deck_trial import trial_words, try_deck
from core.services.deck_words import samples_of
from core.services.decks import draft_of_deck, draft_of_file, is_deck_file
from core.services.service import ServiceContext
from core.storage.files import deliver

EXAMPLE = "Example: waggle deck new vocabulary.csv --name 'German words'"


class DeckRow(msgspec.Struct, frozen=True):
    """A deck as ``--json`` prints it."""

    name: str
    digest: str
    kind: str  # what ``settings.toml`` calls it
    matcher: str
    levels: int
    cards: int
    templates: int
    author: str
    language: str
    licence: str


def add_to(commands: Commands) -> None:
    """Declare the command and its actions."""
    parser = commands.add_parser("deck", help="practise puzzles of your own", epilog=EXAMPLE)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=_list)
    actions = parser.add_subparsers(title="actions", metavar="ACTION")
    _add_new(actions)
    add_from_hub(actions)
    check = actions.add_parser(
        "check",
        help="say what is wrong with a table or a deck, and how the model does at it",
        epilog="Example: waggle deck check vocabulary.csv",
    )
    check.add_argument("what", help="a file, or the name of a deck")
    check.add_argument(
        "--model", help="that tries it (default: the one chosen in the window, at first spark)"
    )
    add_wishes(check)
    check.set_defaults(run=without_json(_check))
    words = "'German words'"
    for name, action, help_, example in (
        ("list", _list, "all decks on this computer", ""),
        ("show", _show, "some of a deck's questions", words),
        ("remove", _remove, "forget a deck; what was learnt from it stays", words),
        (
            "export",
            _export,
            "write a deck to a file, to be handed on",
            f"{words} --out words.deck",
        ),
    ):
        epilog = f"Example: waggle deck {name} {example}".rstrip()
        sub = actions.add_parser(name, help=help_, epilog=epilog)
        if action is _list:  # without a default, which would overwrite what stands before it
            sub.add_argument(
                "--json", action="store_true", default=argparse.SUPPRESS, help="print JSON"
            )
        else:
            sub.add_argument("deck", help="its name, or the beginning of its digest")
        if action is _export:
            sub.add_argument("--out", type=Path, required=True, metavar="FILE", help="ending .deck")
        add_common(sub, again=True)
        sub.set_defaults(run=action if action is _list else without_json(action))


def _add_new(actions: Commands) -> None:
    new = actions.add_parser(
        "new", help="make a deck of a table (CSV, XLSX, JSON Lines), or add a .deck", epilog=EXAMPLE
    )
    new.add_argument("what", type=Path, metavar="FILE", help="the table")
    add_wishes(new)
    new.set_defaults(run=without_json(_new))


def _new(arguments: argparse.Namespace) -> int:
    draft = draft_of_file(arguments.what, wish_of(arguments, Path(arguments.what).stem))
    return keep(draft, Home(arguments.home))


def _check(arguments: argparse.Namespace) -> int:
    context = ServiceContext(Home(arguments.home))
    path = Path(arguments.what)
    if path.is_file():
        draft = draft_of_file(path, wish_of(arguments, Path(arguments.what).stem))
    else:
        draft = draft_of_deck(DeckLibrary(context.home.decks).find(arguments.what))
    tell(draft)
    if not draft.is_sound:
        return DeckError.exit_code
    model = arguments.model or context.settings().window.model
    with counted(f"Trying {model}") as show:
        trial = asyncio.run(try_deck(context, model, draft, show))
    for level, share in trial.levels.items():
        say(f"level {level}: {share:.0%} of tries right")
    say(trial_words(trial))
    return 0


def _list(arguments: argparse.Namespace) -> int:
    rows = [_row(one) for one in DeckLibrary(Home(arguments.home).decks).decks()]
    if arguments.json:
        print_json(rows)
    elif not rows:
        say("There are no decks here yet. Make one of a table: waggle deck new FILE")
    else:
        cells = [
            (r.name, r.digest[:12], r.matcher, str(r.levels), str(r.cards), str(r.templates))
            for r in rows
        ]
        print_table(["deck", "digest", "compared as", "levels", "cards", "templates"], cells)
    return 0


def _row(installed: InstalledDeck) -> DeckRow:
    deck = installed.deck
    return DeckRow(
        name=deck.name,
        digest=installed.digest,
        kind=installed.task,
        matcher=deck.matcher,
        levels=len(deck.levels),
        cards=len(deck.cards),
        templates=len(deck.templates),
        author=deck.author,
        language=deck.language,
        licence=deck.licence,
    )


def _show(arguments: argparse.Namespace) -> int:
    installed = DeckLibrary(Home(arguments.home).decks).find(arguments.deck)
    deck = installed.deck
    about = [part for part in (deck.author, deck.language, deck.licence) if part]
    say(f"{deck.name}{' (' + ', '.join(about) + ')' if about else ''}")
    for sample in samples_of(installed):
        say(f"\n[level {sample.level}] {sample.question}")
        say(f"    {sample.answers}")
    return 0


def _remove(arguments: argparse.Namespace) -> int:
    context = ServiceContext(Home(arguments.home))
    removed = remove(context, arguments.deck)
    say(f"“{removed.name}” is not here any more. What was learnt from it stays.")
    if removed.is_chosen:
        say(
            f"practice.kinds in {context.home.settings} still names it, so that practice cannot "
            "begin. Take it out there."
        )
    return 0


def _export(arguments: argparse.Namespace) -> int:
    installed = DeckLibrary(Home(arguments.home).decks).find(arguments.deck)
    if not is_deck_file(arguments.out):  # it would be taken for a table later
        raise UsageError(f"{arguments.out.name} does not end in .deck. Give it another name.")
    deliver(arguments.out, installed.data)
    say(f"Written to {arguments.out}. Others add it with: waggle deck new {arguments.out.name}")
    return 0
