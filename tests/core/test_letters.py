"""No letter hides another, or turns a line around."""

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.letters import escaped, is_trick


@pytest.mark.parametrize(
    "trick",
    [
        *("\x1b", "\0", "\x7f", "\x9b", "\r", "\u200b", "\u200f", "\u202e", "\u2066", "\u2069"),
        *("\u2028", "\u2029", "\ufeff", "\u00ad", "\u061c", "\u180e", "\u2060", "\U000e0041"),
        *("\u3164", "\u034f", "\ufff9", "\ue000"),
    ],
    ids=lambda letter: f"U+{ord(letter):04X}",
)
def test_tricks_are_shown(trick: str) -> None:
    """As what they are, and all around them stays."""
    assert is_trick(trick)
    shown = escaped(f"a{trick}b")
    assert shown.startswith("a\\u")
    assert shown.endswith("b")
    assert trick not in shown


@given(st.text())
def test_nothing_invisible_is_left(text: str) -> None:
    """But the ends of lines and tabs, and what is plain is not touched."""
    shown = escaped(text)
    assert not any(is_trick(letter) for letter in shown if letter not in "\n\t")
    if not any(map(is_trick, text)):
        assert shown == text


@given(st.text().filter(lambda text: not any(0xD800 <= ord(c) < 0xE000 for c in text)))
def test_json_stays_the_same_json(text: str) -> None:
    """Escapes are those of JSON, in which no trick stands outside of a string."""
    written = json.dumps({"name": text}, ensure_ascii=False)
    assert json.loads(escaped(written)) == {"name": text}


def test_letters_of_all_languages_are_plain() -> None:
    """Also those that accents are added to, or that are written from right to left."""
    for text in (
        "Größe",
        "naïve",
        "日本語",
        "שלום",
        "مرحبا",
        "हिन्दी",
        "e\N{COMBINING ACUTE ACCENT}",
    ):
        assert escaped(text) == text, unicodedata.name(text[0])
