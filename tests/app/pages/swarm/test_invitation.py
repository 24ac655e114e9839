"""What is asked for an invite."""

from app.pages.swarm.invitation import MOST_OWN, invitation, meeting_points
from core.api.swarm import MOST_HUBS
from core.settings import SwarmSettings
from tests.app.pages.swarm.samples import CLASS_SHOWN, HUB, OPEN, SHOWN


def test_it_leads_to_the_swarm_of_the_settings_by_its_meeting_points() -> None:
    """Those that only this computer can reach are of no use to others."""
    hubs = (HUB, "http://127.0.0.1:8765", "http://localhost:1", "http://[::1]:2")
    made = invitation(SwarmSettings(name="pond", hubs=hubs), SHOWN, None)
    assert (made.swarm, made.hubs, made.is_private) == ("pond", (HUB,), False)


def test_the_meeting_point_on_this_computer_is_named_with_its_id() -> None:
    """First, by its first addresses, so that no other is taken for it."""
    made = invitation(SwarmSettings(hubs=(HUB, OPEN.addresses[0])), SHOWN, OPEN)
    assert made.hubs == (*(f"{one}#{OPEN.peer}" for one in OPEN.addresses[:MOST_OWN]), HUB)


def test_no_more_are_named_than_an_invite_holds() -> None:
    """Those of the invite that is copied count as well."""
    hubs = tuple(f"https://{number}.example" for number in range(20))
    assert len(invitation(SwarmSettings(hubs=hubs), SHOWN, OPEN).hubs) == MOST_HUBS
    rest = MOST_HUBS - len(CLASS_SHOWN.swarm.hubs)
    assert len(invitation(SwarmSettings(hubs=hubs), CLASS_SHOWN, OPEN).hubs) == rest


def test_an_address_that_is_none_does_no_harm() -> None:
    """It stands in a file that people write; the helper says what is wrong with it."""
    assert invitation(SwarmSettings(hubs=("http://[",)), SHOWN, None).hubs == ("http://[",)


def test_meeting_points_are_named_as_far_as_an_invite_holds_them() -> None:
    """For a swarm that does not exist yet."""
    hubs = tuple(f"https://{number}.example" for number in range(20))
    assert len(meeting_points(SwarmSettings(hubs=hubs), OPEN)) == MOST_HUBS
    assert meeting_points(SwarmSettings(), None) == ()
