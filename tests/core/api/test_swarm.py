"""Words about swarms and invites cross the pipe, and only in bounds."""

import pytest

from core.api.pipe import encode
from core.api.protocol import decode_answer, decode_request
from core.api.requests import Request
from core.api.swarm import Destination, HostHub, HubOpen, InviteMade, MakeInvite, ShowInvite
from core.errors import WireError

HUB = "https://hub.example.org#" + "a" * 64
CLASS = Destination(name="our-class", wire="p-1", is_private=True, hubs=(HUB,))


@pytest.mark.parametrize(
    "request_",
    [
        HostHub(port=80),
        HostHub(port=70_000),
        MakeInvite(swarm="a", hubs=(HUB,) * 9),
        ShowInvite(link="x" * 2_001),
    ],
)
def test_what_breaks_a_bound_is_no_request(request_: Request) -> None:
    """It never reaches a service."""
    with pytest.raises(WireError):
        decode_request(encode(request_))


def test_a_code_is_made_of_modules_only() -> None:
    """Anything else in it is no answer."""
    with pytest.raises(WireError):
        decode_answer(encode(InviteMade(link="x", swarm=CLASS, code=("012",))))


def test_an_open_hub_is_not_the_last_word() -> None:
    """Visitors come and go, until it is closed."""
    assert not HubOpen.is_last
