"""Texts of a deck."""

import time
import unicodedata

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


MARKS = "\u0301\u0323\u0327\u0345\u0308\u0338\u0344\u0f73\u0f71\u20d2"
"""Of many classes, and some that are short for two."""


@given(st.text("ae\u00e1\u0f40\u2260\u00a0 " + MARKS, max_size=9), st.text(MARKS, min_size=31))
def test_heaps_of_marks_are_composed_like_any_text(before: str, heap: str) -> None:
    """Whatever they stand on; the order in which they are read makes no difference."""
    text = f"{before}{heap}b{heap}"
    assert tidy(text) == unicodedata.normalize("NFC", text.replace("\u00a0", " ")).strip()


@pytest.mark.parametrize("marks", ["\u0301" * 150_000 + "\u0323" * 150_000, "\u0f73" * 150_000])
def test_a_heap_of_marks_is_little_work(marks: str) -> None:
    """Python alone takes minutes, and holds everything up meanwhile."""
    before = time.process_time()
    assert len(tidy(f"a{marks}")) >= 300_000
    assert time.process_time() - before < 20
