"""A meeting point in words."""

from typing import get_args

import pytest
from msgspec.structs import replace

from app.pages.swarm.hub_view_model import hub_view_model
from core.api.swarm_view import HubState, SeenHub
from tests.app.pages.swarm.samples import HUB, HUBS


@pytest.mark.parametrize("state", get_args(HubState))
def test_every_state_has_words_of_its_own(state: HubState) -> None:
    """And none of them is the name of the state."""
    others = [
        hub_view_model(SeenHub(address=HUB, state=s), is_named=False) for s in get_args(HubState)
    ]
    looks = hub_view_model(SeenHub(address=HUB, state=state), is_named=False)
    assert [one.words for one in others].count(looks.words) == 1
    assert "_" not in looks.words


def test_a_hub_that_answers_says_what_it_brought() -> None:
    """And whether it is one of the settings."""
    looks = hub_view_model(HUBS[0], is_named=True)
    assert looks.words == "Answers; 1,203 tries of others came from there."
    one = hub_view_model(replace(HUBS[0], received=1), is_named=True)
    assert one.words == "Answers; 1 try of another came from there."
    assert looks.is_named
    assert not hub_view_model(HUBS[1], is_named=False).is_named


def test_a_hub_that_fell_silent_says_since_when() -> None:
    """One that never answered cannot."""
    assert "answered since" in hub_view_model(replace(HUBS[0], state="away"), is_named=False).words
    never = hub_view_model(SeenHub(address=HUB, state="away"), is_named=False)
    assert never.words.startswith("Does not answer")
