"""What is said of decks before anybody agrees to them."""

from msgspec.structs import replace

from app.pages.swarm.offer_view_model import offer_view_model
from core.api.decks import DeckOffered, KeptDeck, PreviewFinding
from core.api.swarm import InviteShown
from tests.app.pages.practice.deck_samples import NEVER, SMALL, SUMS, WORDS
from tests.app.pages.swarm.samples import CLASS

INVITE = InviteShown(link="waggle://join/abc", swarm=CLASS, missing=2)


def offered(deck: KeptDeck, *findings: PreviewFinding) -> DeckOffered:
    return DeckOffered(deck=deck, questions=(), findings=findings)


def test_each_deck_says_whose_it_is_and_what_is_in_it() -> None:
    """And where it does not say, that."""
    looks = offer_view_model(INVITE, [offered(WORDS), offered(SUMS)])
    assert looks.headline == "What “our-class” practises"
    words, sums = looks.decks
    assert words.about == "Author: Ada\nLicence: CC0-1.0\nLanguage: de-AT"
    assert words.facts == "Questions: 1,057 · Levels: 1"
    assert sums.about == "Author: not said\nLicence: not said\nLanguage: not said"
    assert looks.trouble == ""


def test_a_note_is_told_and_does_not_stand_in_the_way() -> None:
    """It is up to the person."""
    looks = offer_view_model(INVITE, [offered(WORDS, SMALL)])
    ((words, is_error),) = looks.decks[0].findings
    assert "too few to tell learning" in words
    assert not is_error
    assert looks.trouble == ""


def test_an_error_says_which_deck_nobody_can_practise() -> None:
    """And why."""
    looks = offer_view_model(INVITE, [offered(WORDS), offered(SUMS, NEVER)])
    ((words, is_error),) = looks.decks[1].findings
    assert "can never be right" in words
    assert is_error
    assert "first: Sums." in looks.trouble
    assert "German" not in looks.trouble


def test_no_text_plays_tricks() -> None:
    """A deck may come from anybody."""
    deck = replace(WORDS, name="a\u202eb", author="c\nAuthor: Ada", licence="d\u2066e")
    finding = PreviewFinding(words="f\u202eg", is_error=True)
    looks = offer_view_model(INVITE, [offered(deck, finding)])
    (line,) = looks.decks
    said = line.title + line.about + line.findings[0][0] + looks.trouble
    assert not set(said) & set("\u202e\u2066")
    assert len(line.about.splitlines()) == 3
