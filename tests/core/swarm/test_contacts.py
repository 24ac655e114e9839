"""Whom a node met itself."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from core.rollouts.types import PeerId
from core.swarm.contacts import (
    DIRECT,
    MOST_AT_PLACE,
    MOST_CONTACTS,
    MOST_ORIGINS,
    ContactPoint,
    Contacts,
)
from core.wire.codec import ITEM_LIFE_S
from tests.envelopes import FakeClock

HUB, OTHER_HUB = "http://a.example", "http://b.example"
MANY = 10**9


def met(origin: str, place: str, *names: object) -> Contacts:
    contacts = Contacts(FakeClock())
    meet(contacts, origin, place, *names)
    return contacts


def meet(contacts: Contacts, origin: str, place: str, *names: object) -> None:
    for name in names:
        contacts.note(PeerId(str(name)), ContactPoint(origin, place))


def test_no_claim_makes_more_of_those_who_were_met() -> None:
    """A million others are the two that came; of several hubs the lower median is heard."""
    contacts = met(HUB, "", "x", "y")
    assert contacts.alive([MANY]) == 2
    assert contacts.alive([1]) == 1
    assert contacts.alive([0, MANY]) == 0
    assert contacts.alive([MANY, 2, MANY]) == 2
    assert contacts.alive([]) == 0
    assert met(HUB, "").alive([MANY]) == 0


def test_who_was_met_twice_counts_once() -> None:
    """At the same hub, at another one, and directly; found where it was met first."""
    contacts = met(HUB, "1", "x", "x")
    meet(contacts, HUB, "2", "x")
    meet(contacts, OTHER_HUB, "3", "x")
    meet(contacts, DIRECT, "4", "x")
    assert contacts.alive([MANY]) == 1
    assert met(HUB, "1", "x", "y").find(PeerId("y")) == ContactPoint(HUB, "1")
    assert contacts.find(PeerId("y")) is None


def test_who_is_silent_is_not_here_but_known() -> None:
    """A learner may be away for an hour between envelopes that came here."""
    clock = FakeClock()
    contacts = Contacts(clock)
    meet(contacts, HUB, "1", "x")
    clock.advance(ITEM_LIFE_S)
    meet(contacts, HUB, "1", "y")
    assert contacts.alive([MANY]) == 1
    assert contacts.find(PeerId("x")) is not None


def test_one_place_does_not_count_without_end() -> None:
    """A thousand keys of one place are some; they push out nobody, and make room when silent."""
    clock = FakeClock()
    contacts = Contacts(clock)
    meet(contacts, HUB, "far", "anne")
    meet(contacts, HUB, "here", *range(1_000))
    assert contacts.alive([MANY]) == 1 + MOST_AT_PLACE
    assert contacts.find(PeerId("anne")) is not None
    assert contacts.find(PeerId("999")) is None
    clock.advance(ITEM_LIFE_S)
    meet(contacts, HUB, "here", 999)
    assert contacts.find(PeerId("999")) is not None
    assert contacts.find(PeerId("0")) is None


def test_a_hub_with_made_up_places_pushes_out_its_own_only() -> None:
    """What it hands out is bounded; who was met elsewhere stays."""
    contacts = met(OTHER_HUB, "1", "anne")
    for number in range(3 * MOST_CONTACTS):
        meet(contacts, HUB, str(number), number)
    assert contacts.alive([MANY]) == 1 + MOST_CONTACTS
    assert contacts.find(PeerId("anne")) is not None


def test_the_memory_is_bounded() -> None:
    """Of hubs, those turned to last stay."""
    contacts = Contacts(FakeClock())
    for hub in range(100):
        meet(contacts, f"http://{hub}.example", "", hub)
    assert contacts.alive([MANY]) == MOST_ORIGINS
    assert contacts.find(PeerId("99")) is not None
    assert contacts.find(PeerId("0")) is None


@given(st.lists(st.integers(0, MANY), max_size=8), st.integers(0, 20), st.integers(0, 99))
def test_what_is_said_is_bounded_by_both(claims: list[int], others: int, seed: int) -> None:
    """By those who were met and by some hub's claim."""
    places = Random(seed).choices("abc", k=others)
    contacts = Contacts(FakeClock())
    for number, place in enumerate(places):
        meet(contacts, HUB, place, number)
    assert contacts.alive(claims) <= min(others, max(claims, default=0))
