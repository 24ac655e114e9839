"""What a swarm or an invite says, in words; pure, draws nothing."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QCoreApplication

from app.text.core_words import listed, spoken
from app.text.figures import figure
from app.text.phrases import names
from app.text.plain_text import breakable, harmless, legible
from core.api.swarm import Destination, DoubtfulHub, HubTrouble, OfferedSwarm
from core.i18n import retold

LONGEST_ADDRESS: Final = 300
"""Letters; no invite names a longer one, so the end of none is left out."""

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
    places = [harmless(place.partition("#")[0], LONGEST_ADDRESS, lines=1) for place in swarm.hubs]
    if not places:
        return translate(
            "Swarm", "It names no meeting point: its members find each other on one network."
        )
    return translate("Swarm", "Its members meet at {}.").format(breakable(names(places)))


def decks_of(swarm: Destination) -> str:
    """What its members practise, where that is not what is built in; else empty."""
    if not swarm.decks:
        return ""
    words = translate(
        "Swarm", "Its members practise puzzles of their own and nothing else. Decks: {}."
    )
    return words.format(figure(swarm.decks))


def described(swarm: Destination) -> str:
    """Who can take part in what, and where, below each other."""
    return "\n".join(filter(None, (kind_of(swarm), decks_of(swarm), meeting_of(swarm))))


def troubles_of(troubles: Sequence[HubTrouble]) -> str:
    """Where the decks of an invite could not be left, and what becomes of that; empty: nowhere."""
    if not troubles:
        return ""
    said = (spoken(retold(one.words, one.remarks)) for one in troubles)
    later = translate(
        "Swarm",
        "Others get the puzzles from the other meeting points; this one gets them while you "
        "practise in this swarm.",
    )
    return "\n".join((*said, later))


def doubts_of(hubs: Sequence[DoubtfulHub]) -> str:
    """What a person is asked before Waggle connects to ``hubs``, each of which is named."""
    trust = translate("Swarm", "Agree only if you trust whoever gave you this invite. Connect?")
    return "\n".join((*map(_doubt_of, hubs), trust))


def _doubt_of(hub: DoubtfulHub) -> str:
    said = {
        "own_computer": translate(
            "Swarm", "This invite wants Waggle to connect to {}, which is this computer itself."
        ),
        "own_network": translate(
            "Swarm",
            "This invite wants Waggle to connect to {}, an address inside your own network.",
        ),
        "path": translate(
            "Swarm",
            "This invite wants Waggle to connect to {}, a single page of a server: opening it may "
            "set something off there.",
        ),
    }
    return said[hub.concern].format(legible(hub.url, LONGEST_ADDRESS))


def caution_of(swarm: Destination) -> str:
    """What to mind when handing out the invite."""
    if swarm.is_private:
        return translate(
            "Swarm", "Whoever has this link is a member. Hand it only to people whom you trust."
        )
    return translate("Swarm", "The swarm is open, so the link may be shown to anybody.")
