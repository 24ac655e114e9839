"""``waggle invite``: make, read and renew the link by which others join a swarm."""

import argparse
import asyncio
from collections.abc import Sequence
from pathlib import Path

import msgspec

from core.cli.output import complain, print_json, say
from core.cli.parsing import Commands, add_common
from core.decks.library import DeckLibrary, InstalledDeck
from core.errors import SwarmError, UsageError
from core.paths import Home
from core.services.invites import draw_qr, invite_to, read_hub, spell_hub
from core.services.service import ServiceContext
from core.services.swarm_decks import deliver_decks, digests_of
from core.settings import plain_address
from core.tasks.deck_tasks import decks_in
from core.wire.invite import Invite, read_invite, read_swarm, write_invite

EXAMPLE = (
    "Example: waggle invite new --name our-class --hub https://hub.example.org --qr invite.png"
)


class Shown(msgspec.Struct, frozen=True):
    """An invite as ``--json`` prints it, without its secret."""

    name: str
    private: bool
    swarm: str  # on the wire
    hubs: tuple[str, ...]
    link: str
    decks: tuple[str, ...] = ()  # digests


def add_to(commands: Commands) -> None:
    """Declare the command."""
    parser = commands.add_parser("invite", help="ask others to join a swarm", epilog=EXAMPLE)
    actions = parser.add_subparsers(metavar="ACTION", required=True)

    new = actions.add_parser("new", help="make an invite", epilog=EXAMPLE)
    new.add_argument("--name", required=True, help="what its members call the swarm")
    new.add_argument(
        "--hub",
        action="append",
        default=[],
        metavar="URL[#ID]",
        help="meeting point; behind # the id that it shows, so that no other is taken for it",
    )
    new.add_argument(
        "--deck",
        action="append",
        default=[],
        metavar="NAME",
        help="what this swarm practises, instead of what is built in: a deck of yours, which is "
        "left at the meeting points; may be repeated",
    )
    new.add_argument(
        "--open", action="store_true", help="no secret: anybody who knows the name may join"
    )

    show = actions.add_parser("show", help="what an invite says", epilog=_of_link("show"))
    show.add_argument("invite", metavar="INVITE")

    renew = actions.add_parser(
        "renew",
        help="the same swarm under a new secret",
        description="Make a new secret for a private swarm. Hand the new link to all who stay; "
        "whoever has only the old one reads and says nothing there any more.",
        epilog=_of_link("renew"),
    )
    renew.add_argument("invite", metavar="INVITE")

    for action, run in ((new, _new), (show, _show), (renew, _renew)):
        action.add_argument(
            "--qr", type=Path, metavar="FILE", help="also as a .png or .svg picture"
        )
        action.add_argument("--json", action="store_true", help="print JSON")
        add_common(action, again=True)
        action.set_defaults(run=run)


def _of_link(action: str) -> str:
    return f"Example: waggle invite {action} 'waggle://join/…'"


def _new(arguments: argparse.Namespace) -> int:
    name = read_swarm(arguments.name).name
    library = DeckLibrary(Home(arguments.home).decks)
    decks = [library.find(deck) for deck in arguments.deck]
    digests = digests_of(decks)
    invite = invite_to(name, arguments.hub, private=not arguments.open, decks=digests)
    if decks:
        if not invite.hubs:
            raise UsageError("Decks are handed on by meeting points. Name one with --hub.")
        write_invite(invite)  # before anything is sent, it has to be one
        _deliver(invite, decks, arguments, [read_hub(text).url for text in arguments.hub])
    return _print(invite, arguments)


def _deliver(
    invite: Invite,
    decks: Sequence[InstalledDeck],
    arguments: argparse.Namespace,
    typed: Sequence[str] = (),
) -> None:
    """Leave the decks at the meeting points, and say so."""
    tell = complain if arguments.json else say
    proxy = ServiceContext(Home(arguments.home)).settings().network.proxy
    for one in asyncio.run(deliver_decks(invite, decks, proxy, typed=typed)):
        if one.error is None:
            names = ", ".join(f"“{deck.deck.name}”" for deck in decks)
            tell(f"left at {one.url}: {names}{', sealed' if invite.secret else ''}")
        else:
            tell(f"{one.error} It gets the decks once it does, when you practise with this link.")


def _show(arguments: argparse.Namespace) -> int:
    return _print(read_invite(arguments.invite), arguments)


def _renew(arguments: argparse.Namespace) -> int:
    invite = read_invite(arguments.invite)
    if not invite.secret:
        raise UsageError("This swarm is open: there is no secret to renew.")
    renewed = invite.renewed()
    home = Home(arguments.home)
    here, _ = decks_in(renewed, DeckLibrary(home.decks))
    if here and renewed.hubs:  # sealed anew: under the new secret nobody finds the old ones
        # Those that the person named elsewhere, too, may be met inside the own network.
        chosen = set(map(plain_address, ServiceContext(home).settings().swarm.hubs))
        known = [hub.url for hub in renewed.hubs if plain_address(hub.url) in chosen]
        try:
            _deliver(renewed, here, arguments, known)
        except SwarmError as error:  # whoever was left out is to be so all the same
            complain(str(error))
    code = _print(renewed, arguments)
    if not arguments.json:
        say("This is a new secret: whoever has only the old link stays behind.")
    return code


def _print(invite: Invite, arguments: argparse.Namespace) -> int:
    link = write_invite(invite)
    if arguments.qr is not None:
        draw_qr(link, arguments.qr)
    shown = Shown(
        invite.name,
        private=bool(invite.secret),
        swarm=invite.swarm,
        hubs=tuple(map(spell_hub, invite.hubs)),
        link=link,
        decks=tuple(digest.hex() for digest in invite.decks),
    )
    if arguments.json:
        print_json(shown)
        return 0
    kind = "private: whoever has the link is a member" if shown.private else "open to everybody"
    say(f"{shown.name}, {kind}")
    say(f"meeting points: {', '.join(shown.hubs) or 'none named; members find each other'}")
    if shown.decks:
        say(f"decks: {', '.join(digest[:12] for digest in shown.decks)}")
    if arguments.qr is not None:
        say(f"picture of the link: {arguments.qr}")
    say("others join with waggle join --swarm and this link:")
    say(link)
    return 0
