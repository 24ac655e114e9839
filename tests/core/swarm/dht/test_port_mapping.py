"""Port mapping with routers that answer in every way; no real one was ever asked here."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.swarm.dht.alerts import Event, PortOpened, PortRefused, SeenFrom, SessionFailed
from core.swarm.dht.finds import Endpoint
from core.swarm.dht.port_mapping import Answers, PortMapping, apply, outside
from tests.fake_dht_session import FakeSession

ways = st.sampled_from(["upnp", "natpmp"])
events = st.one_of(
    st.builds(PortOpened, st.integers(0, 3), ways, st.integers(-1, 70_000)),
    st.builds(PortRefused, st.integers(0, 3), ways),
    st.builds(SeenFrom, st.one_of(st.ip_addresses().map(str), st.text(max_size=20))),
    st.builds(SessionFailed, st.text(max_size=20)),
)


def after(*said: Event) -> Answers:
    answers = Answers(frozenset({2}))
    for event in said:
        answers = apply(answers, event)
    return answers


def test_a_port_is_open_once_the_router_says_so_and_the_address_is_known() -> None:
    """In whichever order the two are said."""
    opened, seen = PortOpened(2, "upnp", 8765), SeenFrom("8.8.8.8")
    assert outside(after(opened)) is None
    assert outside(after(seen)) is None
    for said in ((opened, seen), (seen, opened)):
        assert outside(after(*said)) == Endpoint("8.8.8.8", 8765)


def test_mappings_of_other_ports_are_not_ours() -> None:
    """The DHT has ports too, and libtorrent maps those of its DHT too."""
    answers = after(SeenFrom("8.8.8.8"), PortOpened(0, "upnp", 6881), PortRefused(1, "upnp"))
    assert outside(answers) is None
    ours = after(SeenFrom("8.8.8.8"), PortOpened(2, "upnp", 8765), PortRefused(1, "upnp"))
    assert outside(ours) == Endpoint("8.8.8.8", 8765)


def test_a_port_that_is_taken_away_is_gone() -> None:
    """A lease that the router does not renew is no open port; the other way may still be one."""
    both = (PortOpened(2, "upnp", 8765), PortOpened(2, "natpmp", 8766), SeenFrom("8.8.8.8"))
    left = after(*both, PortRefused(2, "upnp"))
    assert outside(left) == Endpoint("8.8.8.8", 8766)
    assert outside(apply(left, PortRefused(2, "natpmp"))) is None


def test_an_address_of_ipv6_does_not_replace_that_of_the_router() -> None:
    """A computer has both, and ports are mapped for IPv4."""
    said = (PortOpened(2, "upnp", 8765), SeenFrom("8.8.8.8"), SeenFrom("2001:4860:4860::8888"))
    assert outside(after(*said)) == Endpoint("8.8.8.8", 8765)


@pytest.mark.parametrize("host", ["192.168.1.2", "100.64.0.7", "10.0.0.1"])
def test_a_router_behind_another_one_lets_nobody_in(host: str) -> None:
    """A mapped port is worth nothing there."""
    assert outside(after(PortOpened(2, "upnp", 8765), SeenFrom(host))) is None


@given(st.lists(events, max_size=20))
def test_whatever_is_said_the_outside_is_a_checked_address(said: list[Event]) -> None:
    """Or there is none."""
    answers = after(*said)
    address = outside(answers)
    assert len(answers.opened) <= 2
    if address is not None:
        assert 0 < address.port < 65_536


def test_no_router_is_asked_until_a_port_is_wanted() -> None:
    """And so none lets anybody in."""
    session, ports = FakeSession(), PortMapping()
    ports.attach(session)
    assert session.done == []
    assert ports.external is None


def test_a_port_may_be_wanted_before_the_session_is_open() -> None:
    """It is asked for as soon as that is."""
    session, ports = FakeSession(), PortMapping()
    ports.map(8765)
    ports.attach(session)
    assert session.done == [("map", 8765)]
    ports.on_event(PortOpened(2, "upnp", 8765))
    ports.on_event(SeenFrom("8.8.8.8"))
    assert ports.external == Endpoint("8.8.8.8", 8765)


def test_another_port_replaces_the_first_and_zero_ends_it() -> None:
    """No port stays open that nobody listens on."""
    session, ports = FakeSession(), PortMapping()
    ports.attach(session)
    ports.on_event(SeenFrom("8.8.8.8"))
    for port in (8765, 8765, 9000, 0):
        ports.map(port)
    ports.on_event(PortOpened(2, "upnp", 9000))
    assert session.done == [("map", 8765), ("unmap", (2,)), ("map", 9000), ("unmap", (2,))]
    assert ports.external is None


def test_the_port_is_given_back_at_the_end_and_asked_for_again_later() -> None:
    """A session that is opened anew starts with what was wanted."""
    session, ports = FakeSession(), PortMapping()
    ports.attach(session)
    ports.map(8765)
    ports.detach()
    again = FakeSession()
    ports.attach(again)
    assert session.done == [("map", 8765), ("unmap", (2,))]
    assert again.done == [("map", 8765)]
