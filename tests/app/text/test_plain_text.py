"""No text of a stranger plays tricks on whoever looks at it."""

import re
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from app.text.plain_text import (
    LONGEST_NAME,
    LONGEST_WORD,
    MOST_ACCENTS,
    STAND_IN,
    blocks,
    breakable,
    harmless,
    is_grid,
    legible,
    name_for,
    visible,
)
from core.letters import JOINERS, STRAY_JOINER

TRICKS = {"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"}
ACCENTS = {"Mn", "Me"}
nasty = st.text(
    st.one_of(
        st.characters(),
        st.sampled_from(
            "\u202e\u2066\u200b\u200d\u2028\u0085\x00\x1b\r\n\t\u0301\u0489\ud800\ufeff"
        ),
    ),
    max_size=400,
)


def tricks_in(shown: str) -> set[str]:
    """Categories of letters that hide or turn others; joiners are none where they are spelling."""
    letters = shown if STRAY_JOINER.search(shown) else re.sub(f"[{JOINERS}]", "", shown)
    return TRICKS & {unicodedata.category(letter) for letter in letters if letter != "\n"}


@given(nasty, st.integers(1, 200), st.integers(1, 10))
@example("\u202eabc\u202c", 100, 5)
@example("Z" + "\u0301" * 100, 100, 5)
@example("\n" * 100, 100, 5)
@example("\u0645\u0301\u0301\u200d\u0301\u0301\u200d\u0301z", 100, 5)
def test_what_is_shown_is_harmless(text: str, most: int, lines: int) -> None:
    """No invisible letters, no turned lines, no piles of accents, no endless column."""
    shown = harmless(text, most, lines)
    assert len(shown) <= most
    assert shown.count("\n") < lines
    kinds = [unicodedata.category(letter) for letter in shown if letter != "\n"]
    assert not tricks_in(shown)
    pile = 0
    for kind in kinds:
        pile = pile + 1 if kind in ACCENTS else 0
        assert pile <= MOST_ACCENTS
    assert harmless(shown, most, lines) == shown


@given(nasty)
def test_all_of_a_text_stays_and_none_of_its_tricks(text: str) -> None:
    """Also the spaces at which no line ends, which our own words have."""
    shown = visible(text)
    assert not tricks_in(shown)
    assert len(shown) >= len(text) - text.count("\r\n")
    assert visible(shown) == shown
    assert visible("49\u00a0%") == "49\u00a0%"


def test_joiners_are_shown_where_they_are_spelling() -> None:
    """Elsewhere a stand-in says that something is there."""
    persian, family = "\u0645\u06cc\u200c\u062e", "\U0001f468\u200d\U0001f469"
    for text in (persian, family):
        assert visible(text) == harmless(text, 100) == text
    assert visible("a\u200db \u200c") == f"a{STAND_IN}b {STAND_IN}"


@given(nasty)
def test_an_address_is_one_line_that_may_be_broken(text: str) -> None:
    """Its letters are those of the harmless text."""
    line = legible(text, 100)
    assert "\n" not in line
    assert line.replace("\u200b", "") == harmless(text, 100, lines=1)


@pytest.mark.parametrize(
    "text", ["42", "Q ∧ R", "naïve café", "1 0\n0 1", "Wie spät?", "שלום", "你好", "=>" * 20]
)
def test_honest_text_stays_as_it_is(text: str) -> None:
    """Words of any language, signs and grids are left alone."""
    assert harmless(text, 400) == text


def test_tricks_are_seen() -> None:
    """Something stands where the trick was; what is too long says so."""
    assert harmless("a\u202eb", 9) == f"a{STAND_IN}b"
    assert harmless("1\t2\r\n3", 99) == "1    2\n3"
    assert harmless("12345", 4) == "123…"
    assert harmless("1\n2\n3", 99, lines=2) == "1\n2…"


@given(st.text(max_size=300))
def test_every_word_can_be_broken(text: str) -> None:
    """No run of letters is longer than a line holds, and nothing is lost."""
    broken = breakable(text)
    assert broken.replace("\u200b", "") == text.replace("\u200b", "")
    pieces = broken.replace("\u200b", " ").split(" ")
    assert max(map(len, pieces)) <= LONGEST_WORD


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 0\n0 1", True),
        ("Input:  2 0 0 4\nOutput: 4 2 0 0", True),
        ("[1, 2],\n[3, 4]", True),
        ("Input:\n9 0 0 7", True),
        ("O # O X\n* O # O", True),
        ("_ _ _ Q\n_ Q _ _", True),
        ("_   _   3   4", True),
        ("  ####\n  #  #\n  ####", True),
        ("Yes.\n--\nNo.", False),
        ("12 5", False),
        ("Work out 3 + 4.", False),
        ("10, 10, 20, 30, ?", False),
        ("1. (Q ↔ R)\n.2. R", False),
        ("", False),
    ],
)
def test_grids_are_known(text: str, expected: bool) -> None:  # noqa: FBT001 - the expected value
    """Two lines of numbers, letters or signs make one; sentences with numbers make none."""
    assert is_grid(text) is expected


def test_paragraphs_and_grids_come_apart() -> None:
    """Empty lines are dropped, lines inside stay, and numbers stand apart from words."""
    assert blocks("One.\nTwo. \n\n\n1 0\n0 1\n\n\n") == ["One.\nTwo.", "1 0\n0 1"]
    assert blocks("Turn this:\n1 0\n0 1\nby 90 degrees.") == [
        "Turn this:",
        "1 0\n0 1",
        "by 90 degrees.",
    ]
    assert blocks("  \n\n ") == []


@pytest.mark.parametrize(
    ("deck", "name"),
    [
        ("German words", "german-words"),
        ("Straßen & Plätze, Teil 2!", "strassen-platze-teil-2"),
        ("Año nuevo", "ano-nuevo"),
        ("汉语词汇", ""),
        ("<b>Sums</b>", "b-sums-b"),
        ("a" * 60, "a" * 40),
    ],
)
def test_a_swarm_or_a_file_is_called_like_its_deck(deck: str, name: str) -> None:
    """In small letters without accents; where none is left, the person finds a name."""
    assert name_for(deck) == name


@given(st.text(max_size=80))
def test_a_name_is_always_one_that_a_swarm_may_have(deck: str) -> None:
    """Or none at all."""
    name = name_for(deck)
    assert not name or re.fullmatch(r"[a-z0-9][a-z0-9-]*", name)
    assert len(name) <= LONGEST_NAME
