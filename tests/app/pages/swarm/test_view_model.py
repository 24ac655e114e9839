"""Who is in the swarm, in words."""

from dataclasses import replace

import msgspec
import pytest

from app.pages.swarm.view_model import swarm_view_model
from app.state.model_choices import load_known
from core.api.events import SwarmChanged
from core.api.swarm import BlockedPeer, SwarmShown
from core.api.swarm_view import SwarmSeen
from core.settings import SwarmSettings
from tests.app.pages.swarm.samples import (
    ANNE,
    BOB,
    CLASS_SHOWN,
    HUB,
    LONG_HUB,
    MEADOW,
    SEEN,
    SHOWN,
    idle,
    practising,
)


@pytest.mark.parametrize(
    ("peers", "words"),
    [
        (0, "Nobody else is here yet."),
        (1, "1 other practises with you."),
        (1_200, "1,200 others practise with you."),
    ],
)
def test_the_headline_says_how_many_are_here(peers: int, words: str) -> None:
    """As the swarm counts them, met or not."""
    assert swarm_view_model(practising(peers=peers), SHOWN).headline == words


def test_the_own_name_is_told_while_there_is_company() -> None:
    """Alone, it is said what can be done about it instead."""
    assert "kind-heron-30" in swarm_view_model(practising(), SHOWN).detail
    alone = practising(SwarmSeen(), 0, "Nobody else is here yet. Join a Wi-Fi.")
    assert swarm_view_model(alone, SHOWN).detail == "Join a Wi-Fi."
    alone = practising(SwarmSeen(), 0, "Nobody else is here yet.")
    assert "practises alone until somebody comes" in swarm_view_model(alone, SHOWN).detail


def test_a_swarm_out_of_reach_is_said_with_the_reason() -> None:
    """Which the engine knows."""
    state = practising()
    away = SwarmChanged(reachable=False, peers=0, words="The meeting point cannot be reached.")
    looks = swarm_view_model(replace(state, node=replace(state.node, swarm=away)), SHOWN)
    assert looks.headline == "The others cannot be reached right now."
    assert looks.detail == "The meeting point cannot be reached."


def test_before_the_first_exchange_it_looks_for_others() -> None:
    """Rather than to say that nobody is there."""
    state = practising(None)
    looks = swarm_view_model(replace(state, node=replace(state.node, swarm=None)), SHOWN)
    assert looks.headline == "Looking for others…"
    assert "first tries" in looks.people_hint


def test_everybody_seen_is_a_row() -> None:
    """In the engine's order; those without a place are counted."""
    looks = swarm_view_model(practising(msgspec.structs.replace(SEEN, more=1_000)), SHOWN)
    assert [one.name for one in looks.people] == [one.name for one in SEEN.peers]
    assert looks.people_hint == "And 1,000 more."


def test_hubs_of_the_settings_can_be_left_out_again() -> None:
    """Those of an invite, or found by others, cannot: they come again."""
    looks = swarm_view_model(practising(swarm=SwarmSettings(hubs=(f"{HUB}/",))), SHOWN)
    assert [(one.address, one.is_named) for one in looks.hubs] == [(HUB, True), (LONG_HUB, False)]


def test_a_hub_that_was_added_during_a_run_waits_for_the_next() -> None:
    """It is shown all the same, once, and can be removed."""
    hubs = ("http://10.0.0.5:1", "http://10.0.0.5:1/")
    added = swarm_view_model(practising(swarm=SwarmSettings(hubs=hubs)), SHOWN).hubs[2:]
    assert [(one.address, one.is_named) for one in added] == [("http://10.0.0.5:1", True)]
    assert added[0].words == "Asked from the next start of practice on."


def test_while_nothing_practises_the_settings_are_shown() -> None:
    """Meeting points of settings and invite; the blocked, as long as they are; and what to do."""
    settings = SwarmSettings(hubs=("http://10.0.0.5:1",), blocked=(ANNE,))
    blocked = (BlockedPeer(ANNE, "amber-finch-27"), BlockedPeer(BOB, "just-unblocked-10"))
    shown = msgspec.structs.replace(CLASS_SHOWN, blocked=blocked)
    looks = swarm_view_model(idle(settings), shown)
    assert looks.headline == "Nothing practises right now."
    assert [one.name for one in looks.people] == ["amber-finch-27"]
    assert [(one.address, one.is_named, one.is_invited) for one in looks.hubs] == [
        ("http://10.0.0.5:1", True, False),
        (HUB, False, True),
    ]


@pytest.mark.parametrize("shown", [None, SHOWN, SwarmShown(swarm=MEADOW)])
def test_nothing_is_left_white_without_a_word(shown: SwarmShown | None) -> None:
    """Where there is no row there is a sentence."""
    for state in (idle(), practising(SwarmSeen(), 0)):
        looks = swarm_view_model(state, shown)
        assert looks.people or looks.people_hint
        assert looks.hubs or looks.hubs_hint


def test_who_was_seen_in_a_run_that_ended_is_not_said_to_be_here() -> None:
    """Only while it runs."""
    state = practising()
    ended = replace(state, node=replace(state.node, activity="stopped"))
    assert swarm_view_model(ended, SHOWN).people == ()


def test_why_a_run_failed_is_said_here_too() -> None:
    """Joining may begin one from this page."""
    state = practising()
    failed = replace(state.node, activity="failed", words="There is too little memory.")
    assert (
        swarm_view_model(replace(state, node=failed), SHOWN).detail == "There is too little memory."
    )


def test_models_that_are_not_on_this_computer_are_known() -> None:
    """With their sizes; they say how strong somebody is."""
    peers = (msgspec.structs.replace(SEEN.peers[0], model="qwen2.5-0.5b"),)
    state = practising(msgspec.structs.replace(SEEN, peers=peers))
    (person,) = swarm_view_model(state, SHOWN, load_known()).people
    assert person.about.startswith("Qwen2.5 0.5B, 494 million parameters")
