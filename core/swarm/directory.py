"""The open swarms that come with the program: ``resources/swarms.toml``."""

from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

import msgspec

from core.errors import SwarmError
from core.i18n import translatable
from core.net.addresses import needs_consent
from core.paths import RESOURCES
from core.rollouts.types import PeerId
from core.settings import plain_address
from core.wire.codec import SwarmName
from core.wire.invite import Invite, peer_of


class NamedHub(NamedTuple):
    """A hub that a person or an invite named."""

    url: str
    peer: PeerId | None = None  # who has to be there
    stays_outside: bool = False  # nobody agreed that its name may lead into their own network


class ListedSwarm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A swarm that is offered to everybody."""

    name: SwarmName
    title: str
    words: str
    hubs: tuple[str, ...] = ()  # URLs of those who host it for everybody


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    swarms: tuple[ListedSwarm, ...]


@cache
def load_swarms() -> tuple[ListedSwarm, ...]:
    """All of them, the one to begin with first.

    Raises:
        SwarmError: this copy of the program is damaged.
    """
    path = RESOURCES / "swarms.toml"
    try:
        return msgspec.toml.decode(path.read_bytes(), type=_File).swarms
    except (OSError, ValueError) as error:  # msgspec's errors, and text that is no UTF-8
        raise SwarmError(
            translatable("{} cannot be read ({}). Install Waggle again.", path, error)
        ) from error


def hubs_for(invite: Invite, typed: Iterable[str]) -> list[NamedHub]:
    """Where the swarm of ``invite`` meets, each with who has to be there.

    The hubs that it names and those that a person ``typed``; without any, those that are listed.
    The person was asked about what the invite names inside, but not where a public name leads.
    """
    own = [NamedHub(url) for url in typed]
    known = {plain_address(hub.url) for hub in own}
    named = [
        NamedHub(
            hub.url,
            peer_of(hub),
            stays_outside=plain_address(hub.url) not in known
            and needs_consent(hub.url) in (None, "path"),
        )
        for hub in invite.hubs
    ]
    return [*named, *own] or [NamedHub(url) for url in hubs_of(invite.swarm)]


def hubs_of(name: str) -> tuple[str, ...]:
    """The hubs listed for the swarm of that name; none for one that is not listed."""
    return next((swarm.hubs for swarm in load_swarms() if swarm.name == name), ())
