"""What is said of decks."""

from msgspec.structs import replace

from app.text.deck_words import (
    MATCHERS,
    deck_about,
    deck_counts,
    deck_title,
    finding_words,
    in_plain,
    matcher_title,
)
from tests.app.pages.practice.deck_samples import NEVER, SMALL, SUMS, WORDS


def test_every_way_to_compare_has_a_title_of_its_own() -> None:
    """In plain words."""
    assert len({matcher_title(one) for one in MATCHERS}) == len(MATCHERS)


def test_what_a_deck_says_of_itself_plays_no_tricks() -> None:
    """It may come from anybody."""
    deck = replace(WORDS, name="a\u202eb", author="c\u202ed", licence="")
    assert "\u202e" not in deck_title(deck.name) + deck_about(deck)
    assert deck_about(deck).endswith(" · de-AT")


def test_questions_and_templates_are_counted() -> None:
    """Those that there are."""
    assert deck_counts(WORDS) == ["Questions: 1,057"]
    assert deck_counts(SUMS) == ["Templates, each of which makes many: 6"]


def test_findings_say_whether_they_stand_in_the_way_and_where() -> None:
    """Ways to compare are called as where they are chosen."""
    assert finding_words(SMALL).startswith("Level 1 has only 2")
    assert finding_words(NEVER) == (
        "To be mended first: 1 of 2 answers can never be right as “Whole numbers”. Choose another "
        "way to compare. (Rows: 2)"
    )


def test_only_ways_to_compare_are_renamed() -> None:
    """What else a remark was made from stays."""
    (remark,) = in_plain(NEVER.remarks)
    assert remark.blanks == ("1", "2", "“Whole numbers”")
    assert in_plain(SMALL.remarks) == SMALL.remarks
