"""Invites: made, read, and drawn as QR codes; the command line does it by the same functions."""

import asyncio
from collections.abc import Iterable
from io import BytesIO
from pathlib import Path

import segno

from core.api.swarm import (
    MOST_BLOCKED,
    BlockedPeer,
    CheckHub,
    Destination,
    DoubtfulHub,
    HubChecked,
    InviteMade,
    InviteShown,
    MakeInvite,
    OfferedSwarm,
    ShowInvite,
    ShowSwarm,
    SwarmShown,
)
from core.errors import UsageError
from core.i18n import translatable
from core.net.addresses import needs_consent, parse_hub_url
from core.rollouts.types import PeerId
from core.services.invited_decks import count_missing, leave_invited
from core.services.service import SendReply, ServiceContext
from core.storage.files import deliver
from core.swarm.directory import load_swarms
from core.wire.invite import VERSION, Invite, InvitedHub, read_swarm, write_invite
from core.wire.names import friendly_name
from core.wire.secrecy import new_secret

_ID_CHARS = 64


async def show_swarm(request: ShowSwarm, context: ServiceContext, tell: SendReply) -> None:
    """Answer with the swarm of the settings, those on offer, and who is blocked."""
    del request
    settings = context.settings().swarm
    invite = read_swarm(settings.name)
    missing = await asyncio.to_thread(count_missing, invite, context.home)
    tell(
        SwarmShown(
            swarm=destination(invite),
            missing=missing,
            offered=tuple(OfferedSwarm(one.name, one.title, one.words) for one in load_swarms()),
            blocked=tuple(
                BlockedPeer(peer, friendly_name(PeerId(peer)))
                for peer in settings.blocked[:MOST_BLOCKED]
            ),
        )
    )


async def show_invite(request: ShowInvite, context: ServiceContext, tell: SendReply) -> None:
    """Answer with what a link leads to.

    Raises:
        UsageError: it leads nowhere, or names a meeting point that no run could take.
    """
    invite = read_swarm(request.link.strip())
    for hub in invite.hubs:
        _check_address(hub.url)
    missing = await asyncio.to_thread(count_missing, invite, context.home)
    tell(
        InviteShown(
            link=write_invite(invite),
            swarm=destination(invite),
            missing=missing,
            doubtful=doubtful_hubs(invite),
        )
    )


async def check_hub(request: CheckHub, context: ServiceContext, tell: SendReply) -> None:
    """Answer with the address of a meeting point as the settings keep it.

    Raises:
        UsageError: it is no address.
    """
    del context
    tell(HubChecked(url=parse_hub_url(request.url.strip()).url))


async def make_invite(request: MakeInvite, context: ServiceContext, tell: SendReply) -> None:
    """Leave the decks of the invite where its members meet, and answer with a link and its picture.

    Raises:
        UsageError: it makes no invite.
        DeckError: a deck is not here.
        SwarmError: no meeting point takes the decks.
    """
    named = tuple(map(bytes.fromhex, request.decks))
    invite = invite_to(request.swarm, request.hubs, private=request.is_private, decks=named)
    link = write_invite(invite)  # before anything is sent, it has to be one
    typed = [read_hub(text).url for text in request.hubs]
    troubles = await leave_invited(invite, context, tell, typed=typed, is_new=bool(named))
    made = InviteMade(
        link=link, swarm=destination(invite), code=qr_rows(link), troubles=tuple(troubles)
    )
    tell(made)


def invite_to(
    swarm: str, hubs: Iterable[str], *, private: bool, decks: tuple[bytes, ...] = ()
) -> Invite:
    """An invite to ``swarm`` that names ``hubs``, each as ``URL`` or ``URL#ID``, and ``decks``.

    An invite in place of a name keeps its secret, its meeting points, and its decks unless there
    are others.

    Raises:
        UsageError: one of them is malformed.
    """
    known = read_swarm(swarm)
    named = [read_hub(text) for text in hubs]
    anew = {hub.url for hub in named}
    met = (*(hub for hub in known.hubs if hub.url not in anew), *named)
    is_new = private and not known.secret
    secret = new_secret() if is_new else known.secret
    return Invite(VERSION, known.name, met, secret, decks or known.decks)


def read_hub(text: str) -> InvitedHub:
    """A meeting point as ``URL`` or ``URL#ID``.

    Raises:
        UsageError: it is neither.
    """
    url, _, peer = text.partition("#")
    try:
        key = bytes.fromhex(peer)
    except ValueError:
        key = b"?"
    if len(peer) not in (0, _ID_CHARS) or len(key) != len(peer) // 2:
        raise UsageError(
            translatable(
                "{} is no id of a meeting point. It shows one when it opens.", f"{peer[:80]!r}"
            )
        )
    return InvitedHub(parse_hub_url(url).url, key)


def spell_hub(hub: InvitedHub) -> str:
    """``URL#ID``, or the URL alone where no id is known."""
    return f"{hub.url}#{hub.peer.hex()}".rstrip("#")


def destination(invite: Invite) -> Destination:
    """The name and hubs of ``invite``, without its secret."""
    return Destination(
        name=invite.name,
        wire=invite.swarm,
        is_private=bool(invite.secret),
        hubs=tuple(spell_hub(hub) for hub in invite.hubs),
        decks=len(invite.decks),
    )


def doubtful_hubs(invite: Invite) -> tuple[DoubtfulHub, ...]:
    """The meeting points of ``invite`` to which the person has to agree, each of them."""
    concerns = ((hub.url, needs_consent(hub.url)) for hub in invite.hubs)
    return tuple(DoubtfulHub(url, why) for url, why in concerns if why is not None)


def qr_rows(link: str) -> tuple[str, ...]:
    """The modules of the QR code of ``link``, a text of 0 and 1 a row; no quiet zone."""
    matrix = segno.make(link, micro=False, error="m").matrix
    return tuple("".join("1" if cell else "0" for cell in row) for row in matrix)


def draw_qr(link: str, path: Path) -> None:
    """Write ``link`` as a picture of its QR code.

    Raises:
        UsageError: it is no picture that can be made here.
        HomeError: the file cannot be written.
    """
    if path.suffix.lower() not in (".png", ".svg"):
        raise UsageError(
            translatable("{} is no picture that can be made. Name it .png or .svg.", path.name)
        )
    picture, kind = BytesIO(), path.suffix.lower().removeprefix(".")
    segno.make(link, micro=False, error="m").save(picture, kind=kind, scale=6, border=4)
    deliver(path, picture.getvalue())


def _check_address(url: str) -> None:
    """Any text may stand in an invite, and once it is in the settings every run would fail on it.

    Raises:
        UsageError: it is no address.
    """
    try:
        parse_hub_url(url)
    except UsageError as error:
        raise UsageError(
            translatable(
                "This invite names a meeting point that has no proper address ({}). "
                "Ask for a new invite.",
                f"{url[:80]!r}",
            )
        ) from error
