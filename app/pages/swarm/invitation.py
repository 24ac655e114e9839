"""What to ask of the helper for an invite; pure."""

from typing import Final
from urllib.parse import urlsplit

from core.api.swarm import MOST_HUBS, HubOpen, MakeInvite, SwarmShown
from core.settings import SwarmSettings

MOST_OWN: Final = 2
"""Addresses of the meeting point on this computer: from outside, and on the own network."""

_HERE: Final = ("localhost", "127.0.0.1", "::1")


def invitation(settings: SwarmSettings, shown: SwarmShown, hub: HubOpen | None) -> MakeInvite:
    """What to ask for others to join; ``hub`` is the meeting point on this computer, if open."""
    room = max(0, MOST_HUBS - len(shown.swarm.hubs))
    return MakeInvite(swarm=settings.name, hubs=meeting_points(settings, hub)[:room])


def meeting_points(settings: SwarmSettings, hub: HubOpen | None) -> tuple[str, ...]:
    """Where others can come: to ``hub`` on this computer, and to those of the settings.

    Those that only this computer can reach are left out.
    """
    own = () if hub is None else hub.addresses[:MOST_OWN]
    hosted = tuple(f"{address}#{hub.peer}" for address in own) if hub is not None else ()
    named = tuple(url for url in settings.hubs if url not in own and not _is_here(url))
    return (*hosted, *named)[:MOST_HUBS]


def _is_here(url: str) -> bool:
    try:
        return (urlsplit(url).hostname or "") in _HERE
    except ValueError:
        return False
