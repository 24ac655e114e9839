"""Texts of a deck."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.decks.limits import check_text, tidy
from core.errors import DeckError


@given(st.text())
def test_tidy_text_stays_as_it_is(text: str) -> None:
    """Once is enough, and what is tidy and hides nothing is let through."""
    assert tidy(tidy(text)) == tidy(text)


@pytest.mark.parametrize(
    "text", ["a\u202eb", "a\u200bb", "a\x1b[0m", "\ue000", "a\r\nb", " a", "a\u00a0b", "e\u0301"]
)
def test_what_hides_or_is_not_tidy_is_refused(text: str) -> None:
    """Two texts that look alike are the same letters."""
    with pytest.raises(DeckError):
        check_text(text)


def test_letters_newer_than_this_python_are_let_through() -> None:
    """Or nodes with different Pythons would not agree on what is a deck."""
    check_text("\U0001fbff\u0378")
