"""One meeting point in words; pure, draws nothing."""

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from app.text.figures import figure
from app.text.moments import lately
from core.api.swarm_view import SeenHub

translate = QCoreApplication.translate


@dataclass(frozen=True, slots=True)
class HubViewModel:
    """One meeting point, as a row."""

    address: str
    words: str
    is_named: bool  # in the settings, so that it can be left out
    is_invited: bool = False  # by the invite of the swarm: it is asked, whoever leaves it out


def hub_view_model(seen: SeenHub, *, is_named: bool) -> HubViewModel:
    """One meeting point in words."""
    return HubViewModel(seen.address, _condition(seen), is_named)


def _condition(seen: SeenHub) -> str:
    if seen.state == "away":
        return _silence(seen)
    said = {
        "answers": _brought(seen.received),
        "new": translate("Swarm", "Not asked yet."),
        "impostor": translate("Swarm", "Somebody else answers there; nothing is sent to them."),
        "stranger": translate("Swarm", "What answers there is no meeting point."),
        "left_out": translate("Swarm", "Left out for a while, since it broke the rules."),
    }
    return said[seen.state]


def _brought(tries: int) -> str:
    if tries == 1:
        return translate("Swarm", "Answers; 1 try of another came from there.")
    return translate("Swarm", "Answers; {} tries of others came from there.").format(figure(tries))


def _silence(seen: SeenHub) -> str:
    if not seen.heard:
        return translate("Swarm", "Does not answer; it is tried again.")
    since = translate("Swarm", "Has not answered since {}; it is tried again.")
    return since.format(lately(seen.heard))
