"""One other node in words; pure, draws nothing."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, assert_never

from PySide6.QtCore import QCoreApplication

from app.state.model_choices import ModelChoice
from app.text.figures import figure
from app.text.model_words import parameters
from app.text.moments import lately
from app.text.phrases import dotted, series
from app.text.plain_text import breakable, legible
from core.api.swarm_view import SeenPeer, Where

_LONGEST_MODEL: Final = 80  # letters

translate = QCoreApplication.translate


@dataclass(frozen=True, slots=True)
class PersonViewModel:
    """One other, as a row."""

    peer: str
    name: str
    about: str  # model, how its tries come, and when they did so last
    state: str
    is_here: bool
    use: str  # what it was good for; empty where that is not known
    is_blocked: bool


def person_view_model(peer: SeenPeer, models: Mapping[str, ModelChoice]) -> PersonViewModel:
    """One other in words; ``models`` are those that are known, by their ids."""
    about = (_model(peer.model, models.get(peer.model)), _way(peer.where), _last_heard(peer))
    return PersonViewModel(
        peer=peer.peer,
        name=peer.name,
        about=dotted(about),
        state=_presence(peer),
        is_here=peer.state == "here",
        use=_use(peer),
        is_blocked=peer.state == "blocked",
    )


def _model(name: str, known: ModelChoice | None) -> str:
    """With its size where Waggle knows it; any other goes by what its owner calls it."""
    if known is None:
        return legible(name, _LONGEST_MODEL)
    count = parameters(known.parameters) if known.parameters else ""
    return series((breakable(known.title), count))


def _presence(peer: SeenPeer) -> str:
    match peer.state:
        case "here":
            return translate("Swarm", "here")
        case "blocked":
            return translate("Swarm", "blocked")
        case "silent":
            return translate("Swarm", "silent")
        case _:
            assert_never(peer.state)


def _last_heard(peer: SeenPeer) -> str:
    if peer.state == "here" or not peer.heard:
        return ""
    return translate("Swarm", "last heard {}").format(lately(peer.heard))


def _way(where: Where) -> str:
    match where:
        case "near":
            return translate("Swarm", "on this network")
        case "internet":
            return translate("Swarm", "over the internet")
        case "hub":
            return translate("Swarm", "by a meeting point")
        case "":
            return ""
        case _:
            assert_never(where)


def _use(peer: SeenPeer) -> str:
    """How useful its tries were to the own model."""
    if peer.state == "blocked" and not peer.received:
        return translate("Swarm", "Nothing of it is looked at.")
    if peer.received == 0:
        return translate("Swarm", "None of its tries has come here yet.")
    if peer.received == 1:
        return _use_of_one(taught=bool(peer.taught))
    if peer.taught == 0:
        none = translate("Swarm", "None of its {} tries has taught your model something yet.")
        return none.format(figure(peer.received))
    if peer.taught == 1:
        one = translate("Swarm", "1 of its {} tries taught your model something.")
        return one.format(figure(peer.received))
    some = translate("Swarm", "{taught} of its {tries} tries taught your model something.")
    return some.format(taught=figure(peer.taught), tries=figure(peer.received))


def _use_of_one(*, taught: bool) -> str:
    if taught:
        return translate("Swarm", "Its one try taught your model something.")
    return translate("Swarm", "Its one try has taught your model nothing yet.")
