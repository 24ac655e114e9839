"""What is said of a table that is to become a deck."""

from msgspec.structs import replace

from app.pages.practice.deck_preview_model import (
    PARTS,
    is_sound,
    part_title,
    problem_words,
    shown_rows,
    summary,
    tried_words,
    trouble_words,
)
from core.api.decks import DeckTried
from core.i18n import translatable
from tests.app.pages.practice.deck_samples import NEVER, SMALL, previewed


def test_every_part_has_a_title_of_its_own() -> None:
    """In plain words."""
    assert len({part_title(part) for part in PARTS}) == len(PARTS)


def test_it_says_how_many_rows_become_questions() -> None:
    """And how many do not, for what is wrong with them; those the person left out are known."""
    shown = previewed()
    assert summary(shown, 0) == (
        "Rows that become questions: 2 of 3. Left out for what is wrong with them: 1."
    )
    assert summary(replace(shown, bad=0), 1) == "Rows that become questions: 2 of 3."


def test_where_there_is_no_deck_it_says_why() -> None:
    """And nothing of how many rows it has."""
    shown = previewed(trouble=translatable("No row is left. Take at least one."))
    assert summary(shown, 0) == ""
    assert trouble_words(shown) == "No row is left. Take at least one."
    assert not is_sound(shown)
    assert trouble_words(previewed()) == ""


def test_it_says_where_not_all_rows_are_shown() -> None:
    """Of a long table."""
    assert shown_rows(previewed()) == ""
    assert "3 in all" in shown_rows(replace(previewed(), total=9_000))


def test_a_bad_row_says_what_is_wrong() -> None:
    """And a good one nothing."""
    good, _, bad = previewed().rows
    assert problem_words(good) == ""
    assert problem_words(bad).startswith("“11” is no level.")


def test_a_deck_with_an_error_is_not_sound() -> None:
    """With a note it is."""
    assert is_sound(previewed(SMALL))
    assert not is_sound(previewed(SMALL, NEVER))


def test_a_trial_is_told_level_by_level() -> None:
    """Where there is more than one."""
    tried = DeckTried(words="It learns.", levels={2: 0.25, 1: 0.5})
    assert tried_words(tried) == "It learns. (level 1: 50\u00a0%, level 2: 25\u00a0%)"
    assert tried_words(DeckTried(words="It learns.", levels={1: 0.5})) == "It learns."
