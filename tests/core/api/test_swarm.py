"""Words about swarms and invites cross the pipe, and only in bounds."""

import pytest

from core.api.pipe import encode
from core.api.protocol import decode_answer, decode_request
from core.api.requests import Reply, Request
from core.api.swarm import (
    BlockedPeer,
    CheckHub,
    Destination,
    HostHub,
    HubChecked,
    HubOpen,
    InviteMade,
    InviteShown,
    MakeInvite,
    OfferedSwarm,
    ShowInvite,
    ShowSwarm,
    SwarmShown,
)
from core.errors import WireError

HUB = "https://hub.example.org#" + "a" * 64
CLASS = Destination(name="our-class", wire="p-1", is_private=True, hubs=(HUB,))


@pytest.mark.parametrize(
    "request_",
    [
        ShowSwarm(id=1),
        ShowInvite(id=2, link="waggle://join/abc"),
        MakeInvite(id=3, swarm="our-class", hubs=(HUB,), is_private=True),
        HostHub(id=4, port=8_765, url="https://hub.example.org"),
        CheckHub(id=5, url="hub.example.org"),
    ],
)
def test_a_request_comes_back_equal(request_: Request) -> None:
    """What the window asks is what the helper hears."""
    assert decode_request(encode(request_)) == request_


@pytest.mark.parametrize(
    "answer",
    [
        SwarmShown(
            swarm=CLASS,
            offered=(OfferedSwarm("meadow", "The meadow", "For everybody."),),
            blocked=(BlockedPeer("b" * 64, "amber-finch-27"),),
        ),
        InviteShown(link="waggle://join/abc", swarm=CLASS),
        InviteMade(link="waggle://join/abc", swarm=CLASS, code=("101", "010", "111")),
        HubChecked(url="https://hub.example.org"),
        HubOpen(addresses=("http://192.168.1.5:8765",), peer="c" * 64, visitors=3),
    ],
)
def test_an_answer_comes_back_equal(answer: Reply) -> None:
    """What the helper says is what the pages hear."""
    assert decode_answer(encode(answer)) == answer


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
