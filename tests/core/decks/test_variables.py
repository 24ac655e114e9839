"""The variables of a template, as people write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.decks.templates import NumberVariable, Template, TemplateFiller, WordVariable
from core.decks.variables import read_variables
from core.errors import DeckError


def test_ranges_steps_and_words_are_read() -> None:
    """Between semicolons or in lines of their own, with white space or without."""
    assert read_variables("a = 2..12; b=-3 .. 9 step 3\nname = Anna / Ben Bo;") == {
        "a": NumberVariable(2, 12),
        "b": NumberVariable(-3, 9, 3),
        "name": WordVariable(("Anna", "Ben Bo")),
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a", "no variable"),
        ("a =", "no variable"),
        ("A = 1..2", "no variable"),
        ("abcdefghijklmnopq = 1..2", "no variable"),
        ("a = 1..2; a = 3..4", "two variables a"),
        ("a = 5..2", "no value"),
        ("a = 1..2 step 0", "no value"),
        ("a = 1..2..3", "cannot be read"),
        ("a = 1...2", "cannot be read"),
        ("a = 1.5..2", "cannot be read"),
        ("a = 1..9999999999999999", "cannot be read"),
        ("a = 1 / 2", "cannot be read"),
        ("a = x / / y", "words of a"),
        ("a = " + "x" * 121, "words of a"),
        ("a = " + "x/" * 200 + "x", "words of a"),
        ("; ;", "no variable"),
        ("; ".join(f"a{n} = 1..2" for n in range(17)), "more than 16"),
    ],
)
def test_what_is_odd_is_refused_in_words(text: str, message: str) -> None:
    """Nothing is guessed: a number that reads like a word would only fail later."""
    with pytest.raises(DeckError, match=message):
        read_variables(text)


@given(st.text(st.sampled_from("ab=.;/ -012step\n"), max_size=40))
def test_whatever_is_read_can_be_drawn(text: str) -> None:
    """Any text is an error in words, or variables that all have values."""
    try:
        variables = read_variables(text)
    except DeckError:
        return
    TemplateFiller(Template("?", "1", variables), as_fractions=False)
