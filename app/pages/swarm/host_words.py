"""What hosting a meeting point means, in words; pure, draws nothing."""

from PySide6.QtCore import QCoreApplication

from app.text.figures import figure
from app.text.plain_text import breakable
from core.api.swarm import HubOpen

translate = QCoreApplication.translate


def meaning() -> str:
    """What it is, before anybody opens one."""
    return translate(
        "Swarm",
        "Here others meet who cannot reach each other: it hands on what they share, trains nothing "
        "and keeps nothing for longer than ten minutes. It is open as long as this window.",
    )


def reach(hub: HubOpen) -> str:
    """Where it is found."""
    return translate("Swarm", "Open. Others find it at {}.").format(
        translate("Swarm", " or ").join(breakable(address) for address in hub.addresses)
    )


def beyond(port: str) -> str:
    """Who does not find it there, and what to do about it."""
    return translate(
        "Swarm",
        "Those on your own network reach it, once your firewall allows it. From the internet, it "
        "can be reached if your router passes port {} on to this computer. For a meeting point "
        "that is always open, see docs/hosting.md, which comes with Waggle's source.",
    ).format(port)


def company(visitors: int) -> str:
    """Who has been there lately."""
    if visitors == 0:
        return translate("Swarm", "Nobody has left anything there yet.")
    if visitors == 1:
        return translate("Swarm", "1 computer left something there in the last ten minutes.")
    some = translate("Swarm", "{} computers left something there in the last ten minutes.")
    return some.format(figure(visitors))
