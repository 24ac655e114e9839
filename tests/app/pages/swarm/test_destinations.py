"""Swarms and invites in words."""

from typing import get_args

import pytest
from msgspec.structs import replace

from app.pages.swarm.destinations import (
    caution_of,
    decks_of,
    described,
    doubts_of,
    kind_of,
    meeting_of,
    title_of,
    troubles_of,
)
from core.api.swarm import Concern, DoubtfulHub, HubTrouble
from tests.app.pages.swarm.samples import CLASS, HUB, LONG_HUB, MEADOW, OFFERED

MAX_URL = 300  # letters of an address in an invite


def test_a_listed_swarm_goes_by_its_title() -> None:
    """Any other by its name, also a private one that took the name of a listed one."""
    assert title_of(MEADOW, OFFERED) == "The meadow"
    assert title_of(CLASS, OFFERED) == "our-class"
    assert title_of(replace(CLASS, name="meadow"), OFFERED) == "meadow"


def test_who_can_take_part_is_said() -> None:
    """Before anybody joins."""
    assert kind_of(MEADOW).startswith("Open")
    assert kind_of(CLASS).startswith("Private")


def test_where_its_members_meet_is_said_without_the_id() -> None:
    """Nobody can read 64 letters."""
    assert meeting_of(CLASS).replace("\u200b", "") == "Its members meet at https://hub.example.org."
    assert "no meeting point" in meeting_of(MEADOW)


def test_long_addresses_are_named_whole() -> None:
    """Lines may end within them, and nothing stands in for any of their letters."""
    words = meeting_of(replace(CLASS, hubs=(LONG_HUB, f"{HUB}#{'d' * 64}")))
    assert "\u200b" in words
    assert words.replace("\u200b", "") == f"Its members meet at {LONG_HUB}, {HUB}."


def test_an_address_fakes_no_line_and_no_direction() -> None:
    """A stranger wrote it."""
    words = meeting_of(replace(CLASS, hubs=("https://a.example\nPrivate: trust me", "b\u202ea")))
    assert "\n" not in words
    assert "trust me" not in words
    assert "\u202e" not in words


@pytest.mark.parametrize("concern", get_args(Concern))
def test_a_doubtful_address_is_named_whole_and_without_tricks(concern: Concern) -> None:
    """Its end may be what matters; and then it is asked."""
    long = "http://h.example/" + "a" * (MAX_URL - 17)
    words = doubts_of([DoubtfulHub(long, concern), DoubtfulHub("http://h\u202e\n/x", concern)])
    first, second, asks = words.replace("\u200b", "").split("\n")
    assert long in first
    assert "\u202e" not in second
    assert asks.endswith("Connect?")


def test_the_link_of_a_private_swarm_comes_with_a_caution() -> None:
    """That of an open one is no secret."""
    assert "people whom you trust" in caution_of(CLASS)
    assert "anybody" in caution_of(MEADOW)


def test_what_is_practised_is_said_where_it_is_not_what_is_built_in() -> None:
    """Between who can take part and where."""
    assert decks_of(CLASS) == ""
    on_decks = replace(CLASS, decks=3)
    assert described(on_decks).splitlines() == [
        kind_of(on_decks),
        "Its members practise puzzles of their own and nothing else. Decks: 3.",
        meeting_of(on_decks),
    ]
    assert described(CLASS).splitlines() == [kind_of(CLASS), meeting_of(CLASS)]


def test_no_troubles_are_no_words() -> None:
    """What went well is not mentioned."""
    assert troubles_of(()) == ""
    assert troubles_of((HubTrouble(words="It is busy."),)).startswith("It is busy.\n")
