"""The page *Swarm*: which swarm, invites, and a meeting point on this computer."""

from typing import Annotated, ClassVar, Literal

import msgspec
from msgspec import Meta

from core.api.requests import Reply, Request
from core.api.swarm_view import PeerKey
from core.i18n import Remarks
from core.settings import LEAST_PORT, MOST_PORT, MOST_URL

MOST_HUBS = 8  # in one invite
MOST_INVITED_DECKS = 8  # likewise
MOST_LISTED = 64
MOST_BLOCKED = 256

Link = Annotated[str, Meta(max_length=2_000)]
MOST_PLACE = 400
HubPlace = Annotated[str, Meta(max_length=MOST_PLACE)]
"""A meeting point as ``URL`` or ``URL#ID``."""

DeckDigest = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]
"""The SHA-256 of a deck's bytes."""

Concern = Literal["own_computer", "own_network", "path"]
"""Why a person is to agree to an address that a stranger named: where it leads, or that it is some
page of a server and not its front page."""

QrRow = Annotated[str, Meta(max_length=177, pattern=r"^[01]+\Z")]
"""One row of a QR code's modules, ``1`` for a dark one."""


class ShowSwarm(Request, frozen=True, tag="show_swarm"):
    """Look up the swarm of the settings, and the open ones on offer."""


class OfferedSwarm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An open swarm that Waggle comes with."""

    name: str
    title: str
    words: str


class BlockedPeer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A node of which the person wants to see nothing."""

    peer: PeerKey
    name: str  # friendly


class Destination(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A swarm, as its name or an invite says it."""

    name: str  # as its members call it
    wire: str  # its name on the wire
    is_private: bool
    hubs: tuple[HubPlace, ...] = ()  # that the invite names
    decks: Annotated[int, Meta(ge=0, le=MOST_INVITED_DECKS)] = 0
    """How many it names, which its members practise alone; 0: what is built in."""


class SwarmShown(Reply, frozen=True, tag="swarm_shown"):
    """The swarm that the next run joins."""

    swarm: Destination
    missing: Annotated[int, Meta(ge=0)] = 0  # of its decks, not on this computer
    offered: Annotated[tuple[OfferedSwarm, ...], Meta(max_length=MOST_LISTED)] = ()
    blocked: Annotated[tuple[BlockedPeer, ...], Meta(max_length=MOST_BLOCKED)] = ()


class ShowInvite(Request, frozen=True, tag="show_invite"):
    """Look up the swarm that a link, or the name of an open swarm, leads to."""

    link: Link


class DoubtfulHub(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A meeting point that is not asked before the person agreed to it."""

    url: HubPlace
    concern: Concern


class InviteShown(Reply, frozen=True, tag="invite_shown"):
    """The swarm that a link leads to."""

    link: Link
    swarm: Destination
    missing: Annotated[int, Meta(ge=0)] = 0  # of its decks, not on this computer
    doubtful: Annotated[tuple[DoubtfulHub, ...], Meta(max_length=MOST_HUBS)] = ()


class MakeInvite(Request, frozen=True, tag="make_invite"):
    """Make a link by which others join, naming ``hubs`` as well.

    ``swarm`` is an invite, of which the new one is a copy, or a name. A name with ``is_private``
    makes a swarm of its own, whose secret nobody has yet. Decks, of ``decks`` or of the invite, are
    left at the meeting points; ``LeavingDecks`` tells how that goes.
    """

    swarm: Link
    hubs: Annotated[tuple[HubPlace, ...], Meta(max_length=MOST_HUBS)] = ()
    is_private: bool = False
    decks: Annotated[tuple[DeckDigest, ...], Meta(max_length=MOST_INVITED_DECKS)] = ()
    """That the swarm practises alone; none: those of the invite, if it names any."""


class LeavingDecks(Reply, frozen=True, kw_only=True, tag="leaving_decks"):
    """How far it is to leave the decks of an invite at its meeting points."""

    is_last: ClassVar[bool] = False

    done: Annotated[int, Meta(ge=0)]
    total: Annotated[int, Meta(ge=1)]


class HubTrouble(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Why a meeting point of an invite does not have its decks."""

    words: str
    remarks: Remarks = ()  # that they were made from


class InviteMade(Reply, frozen=True, tag="invite_made"):
    """The link, and the same as a QR code."""

    link: Link
    swarm: Destination
    code: Annotated[tuple[QrRow, ...], Meta(max_length=177)] = ()  # rows, from the top
    troubles: Annotated[tuple[HubTrouble, ...], Meta(max_length=MOST_HUBS)] = ()


class CheckHub(Request, frozen=True, tag="check_hub"):
    """Check the form of a hub's address; nobody is asked there."""

    url: HubPlace


class HubChecked(Reply, frozen=True, tag="hub_checked"):
    """The address of a hub, found well-formed."""

    url: HubPlace  # as the settings keep it


class HostHub(Request, frozen=True, tag="host_hub"):
    """Open a meeting point on this computer, until this is cancelled or the window closes."""

    port: Annotated[int, Meta(ge=LEAST_PORT, le=MOST_PORT)]
    url: Annotated[str, Meta(max_length=MOST_URL)] = ""  # where it is found from outside


class HubOpen(Reply, frozen=True, tag="hub_open"):
    """The hub is open; told anew when the number of visitors changes."""

    is_last: ClassVar[bool] = False

    addresses: Annotated[tuple[HubPlace, ...], Meta(max_length=MOST_HUBS)]  # the best one first
    peer: PeerKey  # its id, by which no other is taken for it
    visitors: Annotated[int, Meta(ge=0)] = 0  # nodes that left something lately
