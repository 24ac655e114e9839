"""What several pages change in the settings of the swarm; pure."""

from collections.abc import Callable

import msgspec

from app.state.intents import Change
from core.api.swarm import Destination
from core.settings import HostingSettings, SwarmSettings, plain_address


def blocking(peer: str, *, on: bool) -> Change:
    """See nothing of ``peer`` any more, or see it again."""

    def change(swarm: SwarmSettings) -> SwarmSettings:
        others = tuple(one for one in swarm.blocked if one != peer)
        return msgspec.structs.replace(swarm, blocked=(*others, peer) if on else others)

    return _of_swarm(change)


def meeting_at(url: str) -> Change:
    """Meet others there as well."""

    def change(swarm: SwarmSettings) -> SwarmSettings:
        return msgspec.structs.replace(swarm, hubs=(*_others(swarm, url), url))

    return _of_swarm(change)


def leaving_out(url: str) -> Change:
    """Meet nobody there any more."""

    def change(swarm: SwarmSettings) -> SwarmSettings:
        return msgspec.structs.replace(swarm, hubs=_others(swarm, url))

    return _of_swarm(change)


def moving_to(swarm: Destination, link: str) -> Change:
    """Practise in ``swarm`` from the next run on; ``link`` leads there."""
    return going_to(name_of(swarm, link))


def name_of(swarm: Destination, link: str) -> str:
    """What the settings, or a wish to join, call ``swarm``, to which ``link`` leads."""
    return link if swarm.is_private or swarm.hubs or swarm.decks else swarm.name


def going_to(name: str) -> Change:
    """Practise in the open swarm ``name``, or in that of an invite, from the next run on."""
    return _of_swarm(lambda swarm: msgspec.structs.replace(swarm, name=name))


def hosting(chosen: HostingSettings) -> Change:
    """Offer the same port and address the next time."""
    return lambda settings: msgspec.structs.replace(settings, hosting=chosen)


def _others(swarm: SwarmSettings, url: str) -> tuple[str, ...]:
    return tuple(one for one in swarm.hubs if plain_address(one) != plain_address(url))


def _of_swarm(change: Callable[[SwarmSettings], SwarmSettings]) -> Change:
    return lambda settings: msgspec.structs.replace(settings, swarm=change(settings.swarm))
