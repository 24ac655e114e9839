"""What to ask of the helper for an invite; pure."""

import re
import unicodedata
from typing import Final
from urllib.parse import urlsplit

from core.api.swarm import MOST_HUBS, HubOpen, MakeInvite, SwarmShown
from core.settings import SwarmSettings

MOST_NAME: Final = 40
"""Letters of a swarm's name."""

MOST_OWN: Final = 2
"""Addresses of the meeting point on this computer: from outside, and on the own network."""

_HERE: Final = ("localhost", "127.0.0.1", "::1")
_OTHERS: Final = re.compile(r"[^a-z0-9]+")


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


def name_for(deck: str) -> str:
    """A swarm's name that is like that of a ``deck``; empty where no letter of it can be kept."""
    plain = unicodedata.normalize("NFKD", deck.replace("ß", "ss")).casefold()
    letters = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return _OTHERS.sub("-", letters).strip("-")[:MOST_NAME].strip("-")


def _is_here(url: str) -> bool:
    try:
        return (urlsplit(url).hostname or "") in _HERE
    except ValueError:
        return False
