"""The open swarms that come with the program: ``resources/swarms.toml``."""

from collections.abc import Iterable
from functools import cache

import msgspec

from core.errors import SwarmError
from core.i18n import translatable
from core.paths import RESOURCES
from core.rollouts.types import PeerId
from core.wire.codec import SwarmName
from core.wire.invite import Invite, peer_of


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
    except (OSError, msgspec.DecodeError) as error:
        raise SwarmError(
            translatable("{} cannot be read ({}). Install Waggle again.", path, error)
        ) from error


def hubs_for(invite: Invite, typed: Iterable[str]) -> list[tuple[str, PeerId | None]]:
    """Where the swarm of ``invite`` meets, each with who has to be there.

    The hubs that it names and those that a person ``typed``; without any, those that are listed.
    """
    named = [(hub.url, peer_of(hub)) for hub in invite.hubs]
    hubs = [*named, *((url, None) for url in typed)]
    return hubs or [(url, None) for url in hubs_of(invite.swarm)]


def hubs_of(name: str) -> tuple[str, ...]:
    """The hubs listed for the swarm of that name; none for one that is not listed."""
    return next((swarm.hubs for swarm in load_swarms() if swarm.name == name), ())
