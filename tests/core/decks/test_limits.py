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


SPELT = {
    "Persian": "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
    "Malayalam": "\u0d05\u0d35\u0d28\u0d4d\u200d",
    "Sinhala": "\u0dc1\u0dca\u200d\u0dbb\u0dd3 x",
    "a family": "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "a rainbow": "\U0001f3f3\ufe0f\u200d\U0001f308",
}


@pytest.mark.parametrize("text", SPELT.values(), ids=list(SPELT))
def test_joiners_are_let_through_where_they_are_spelling(text: str) -> None:
    """Without them nothing can be asked in some languages."""
    assert tidy(text) == text
    check_text(text)


@pytest.mark.parametrize(
    "text",
    ["a\u200db", "\u0645\u200c", "\u200c\u0645", "\u0645\u200c\u200c\u0645", "\u0645\u200c a"],
)
def test_joiners_that_spell_nothing_are_refused(text: str) -> None:
    """They only make two texts differ that look alike."""
    with pytest.raises(DeckError, match="hidden letter"):
        check_text(text)


def test_what_programs_put_between_letters_is_left_out() -> None:
    """Soft hyphens, marks of order and places to break a line; what turns letters around stays."""
    assert tidy("\ufeffSchiff\u00adfahrt\u200b \u200f\u05d0\u200e") == "Schifffahrt \u05d0"
    assert tidy("a\u202eb") == "a\u202eb"


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
