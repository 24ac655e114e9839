"""What a swarm or an invite says, in words; pure, draws nothing."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QCoreApplication

from app.core_words import listed
from app.phrases import names
from app.plain_text import breakable, harmless
from core.engine.desk.swarm import Destination, OfferedSwarm

_LONGEST_PLACE: Final = 300

translate = QCoreApplication.translate


def title_of(swarm: Destination, offered: Sequence[OfferedSwarm]) -> str:
    """What a person calls it."""
    titles = {one.name: listed(one.title) for one in offered}
    return swarm.name if swarm.is_private else titles.get(swarm.name, swarm.name)


def kind_of(swarm: Destination) -> str:
    """Who can take part."""
    if swarm.is_private:
        return translate("Swarm", "Private: only those who have its invite can take part or read.")
    return translate("Swarm", "Open: anybody can take part.")


def meeting_of(swarm: Destination) -> str:
    """Where the invite says that its members meet."""
    addresses = (place.partition("#")[0] for place in swarm.hubs)
    places = [breakable(harmless(one, _LONGEST_PLACE, lines=1)) for one in addresses]
    if not places:
        return translate(
            "Swarm", "It names no meeting point: its members find each other on one network."
        )
    return translate("Swarm", "Its members meet at {}.").format(names(places))


def caution_of(swarm: Destination) -> str:
    """What to mind when handing out the invite."""
    if swarm.is_private:
        return translate(
            "Swarm", "Whoever has this link is a member. Hand it only to people whom you trust."
        )
    return translate("Swarm", "The swarm is open, so the link may be shown to anybody.")
