"""Who is in the swarm, in words; pure, draws nothing.

The page shows two things at once: what the running node sees (``SwarmSeen``), and what the
settings name for the next run (``SwarmShown``).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QCoreApplication

from app.pages.swarm.hub_view_model import HubViewModel, hub_view_model
from app.pages.swarm.person_view_model import PersonViewModel, person_view_model
from app.state.app_state import AppState
from app.state.model_choices import ModelChoice
from app.text.core_words import spoken, without
from app.text.error_words import explain
from app.text.figures import figure
from core.api.sentences import NOBODY_YET
from core.api.swarm import SwarmShown
from core.api.swarm_view import SeenPeer, SwarmSeen
from core.i18n import retold
from core.settings import plain_address

translate = QCoreApplication.translate


@dataclass(frozen=True, slots=True)
class SwarmViewModel:
    """All of the page that the running node and the settings decide."""

    headline: str
    detail: str
    people: tuple[PersonViewModel, ...]
    people_hint: str  # beside or in place of rows; may be empty
    hubs: tuple[HubViewModel, ...]
    hubs_hint: str  # in place of rows


def swarm_view_model(
    state: AppState, shown: SwarmShown | None, models: Sequence[ModelChoice] = ()
) -> SwarmViewModel:
    """Put in words what is known; ``shown`` is None before the helper has answered.

    ``models`` are those that Waggle knows, on this computer or not.
    """
    seen = _seen(state)
    people = _people(state, seen, shown, {one.id: one for one in (*models, *state.choices)})
    hubs = _hubs(state, seen, shown)
    return SwarmViewModel(
        headline=_headline(state),
        detail=_detail(state),
        people=people,
        people_hint=_people_hint(state, seen, has_rows=bool(people)),
        hubs=hubs,
        hubs_hint="" if hubs else _no_hubs(),
    )


def _seen(state: AppState) -> SwarmSeen | None:
    return state.node.seen if state.is_running else None


def _headline(state: AppState) -> str:
    node = state.node
    if not state.is_running:
        return translate("Swarm", "Nothing practises right now.")
    if node.swarm is None:
        return translate("Swarm", "Looking for others…")
    if not node.swarm.reachable:
        return translate("Swarm", "The others cannot be reached right now.")
    return _company(node.swarm.peers)


def _company(peers: int) -> str:
    if peers == 0:
        return spoken(NOBODY_YET)
    if peers == 1:
        return translate("Swarm", "1 other practises with you.")
    return translate("Swarm", "{} others practise with you.").format(figure(peers))


def _detail(state: AppState) -> str:
    node = state.node
    if node.activity == "failed":
        return explain(node.words, node.failure)
    if not state.is_running:
        return translate("Swarm", "Who is here shows as soon as your model practises.")
    if node.swarm is not None and not (node.swarm.reachable and node.swarm.peers):
        words = retold(node.swarm.words, node.swarm.remarks)
        return without(words, NOBODY_YET) or _invitation()
    if node.name:
        return translate("Swarm", "They see you as {}, a made-up name.").format(node.name)
    return ""


def _invitation() -> str:
    return translate("Swarm", "Your model practises alone until somebody comes. Invite others!")


def _people(
    state: AppState,
    seen: SwarmSeen | None,
    shown: SwarmShown | None,
    models: Mapping[str, ModelChoice],
) -> tuple[PersonViewModel, ...]:
    if seen is not None:
        return tuple(person_view_model(one, models) for one in seen.peers)
    blocked = state.settings.swarm.blocked
    known = () if shown is None else shown.blocked
    return tuple(
        person_view_model(SeenPeer(peer=one.peer, name=one.name, state="blocked"), models)
        for one in known
        if one.peer in blocked
    )


def _people_hint(state: AppState, seen: SwarmSeen | None, *, has_rows: bool) -> str:
    if seen is not None and seen.more:
        return translate("Swarm", "And {} more.").format(figure(seen.more))
    if has_rows:
        return ""
    if state.is_running:
        return translate(
            "Swarm", "Nobody has been met yet. Others appear with the first tries that they share."
        )
    return translate(
        "Swarm", "Others appear here once practice runs: press Join swarm on the page Home."
    )


def _hubs(
    state: AppState, seen: SwarmSeen | None, shown: SwarmShown | None
) -> tuple[HubViewModel, ...]:
    named = tuple(plain_address(url) for url in state.settings.swarm.hubs)
    places = () if shown is None else shown.swarm.hubs
    invited = tuple(plain_address(place.partition("#")[0]) for place in places)
    if seen is not None and seen.swarm:
        asked = [hub_view_model(one, is_named=one.address in named) for one in seen.hubs]
        later = [one for one in dict.fromkeys(named) if one not in {hub.address for hub in asked}]
        rows = [*asked, *(HubViewModel(one, _later(), is_named=True) for one in later)]
    else:
        addresses = dict.fromkeys((*named, *invited))
        rows = [HubViewModel(one, _later(), is_named=one in named) for one in addresses]
    return tuple(replace(one, is_invited=one.address in invited) for one in rows)


def _later() -> str:
    return translate("Swarm", "Asked from the next start of practice on.")


def _no_hubs() -> str:
    return translate(
        "Swarm",
        "None is named. Others on your own network are met without one; for those elsewhere, add "
        "one, paste an invite, or open a meeting point yourself.",
    )
