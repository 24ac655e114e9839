"""What the tab says of all that can be practised."""

import pytest
from msgspec.structs import replace

from app.pages.practice.puzzles_view_model import puzzles_view_model
from core.settings import PracticeSettings, Settings
from tests.app.pages.practice.deck_samples import SUMS, WORDS, decks

SHOWN = decks(SUMS, WORDS)


def of(*kinds: str) -> Settings:
    return Settings(practice=PracticeSettings(kinds=kinds))


def test_while_nothing_is_known_it_says_that_it_looks() -> None:
    """No kind is shown, and nothing is offered."""
    looks = puzzles_view_model(None, of())
    assert looks.detail == "Looking it up…"
    assert (looks.decks, looks.built_in, looks.offers_all) == ((), (), False)


@pytest.mark.parametrize(
    ("kinds", "said"),
    [
        ((), "All 3 built-in kinds are practised"),
        (("gcd", "lcm"), "Built-in kinds that are practised: 2 of 3"),
        ((WORDS.task,), "Only “German words” is practised"),
        ((WORDS.task, "gcd"), "Practised: decks of your own: 1, built-in kinds: 1"),
        ((WORDS.task, SUMS.task), "Practised: decks of your own: 2, built-in kinds: 0"),
    ],
)
def test_the_headline_says_what_is_practised(kinds: tuple[str, ...], said: str) -> None:
    """In one line; and when it counts."""
    looks = puzzles_view_model(SHOWN, of(*kinds))
    assert looks.headline == said
    assert "next start" in looks.detail
    assert looks.offers_all == bool(kinds)


def test_decks_keep_their_order_and_kinds_stand_by_title() -> None:
    """Each with what is known of it, and whether it is practised."""
    looks = puzzles_view_model(SHOWN, of(WORDS.task, "gcd"))
    assert [deck.title for deck in looks.decks] == ["Sums", "German words"]
    sums, words = looks.decks
    assert words.about == "Ada · de-AT · CC0-1.0"
    assert words.facts == "Questions: 1,057 · Levels: 1 · 25\u00a0% solved"
    assert (sums.about, sums.is_on, words.is_on) == ("", False, True)
    assert sums.facts == "Templates, each of which makes many: 6 · Levels: 3"
    assert [kind.task for kind in looks.built_in] == ["odd", "gcd", "lcm"]
    assert [kind.is_on for kind in looks.built_in] == [False, True, False]
    assert looks.built_in[2].facts == "Levels: 5 · 50\u00a0% solved"


def test_a_deck_that_alone_is_practised_is_told() -> None:
    """There is no use in a button that asks for it."""
    looks = puzzles_view_model(SHOWN, of(SUMS.task))
    assert [deck.is_only for deck in looks.decks] == [True, False]


def test_a_deck_that_is_gone_is_a_trouble() -> None:
    """Practice would not begin."""
    assert "not on this computer" in puzzles_view_model(SHOWN, of("deck_gone")).trouble
    assert puzzles_view_model(SHOWN, of(SUMS.task)).trouble == ""


def test_a_name_plays_no_tricks() -> None:
    """A deck may come from anybody."""
    deck = replace(WORDS, name="a\u202eb", author="c\u202ed")
    (line,) = puzzles_view_model(decks(deck), of()).decks
    assert "\u202e" not in line.title + line.about
