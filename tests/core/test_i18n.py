"""Sentences that remember how they were made."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import HomeError
from core.i18n import (
    BLANK_LENGTH,
    MOST_BLANKS,
    MOST_REMARKS,
    Remark,
    Remarks,
    TranslatableText,
    encodable,
    enumerated,
    remarks_of,
    retold,
    spell,
    together,
    translatable,
    words_of,
)

GERMAN = {"{} of {}": "{1}, davon {0}", "It ended ({}).": "Zu Ende ({}).", "cold": "kalt"}

texts = st.text(st.sampled_from("{}019a"), max_size=20)
remarks = st.recursive(
    st.builds(Remark, texts, st.tuples(texts)),
    lambda inner: st.builds(Remark, texts, st.tuples(inner, texts)),
    max_leaves=4,
)


def german(*parts: TranslatableText) -> str:
    return spell([one for part in parts for one in part.remarks], lambda text: GERMAN[text])


def test_who_reads_english_sees_a_string() -> None:
    """Equal to any other with the same words."""
    assert translatable("{} of {}", 3, "nine") == "3 of nine"
    assert f"{together(translatable('A.'), None, 'B.', '')}" == "A. B."


def test_another_language_may_turn_blanks_around() -> None:
    """By numbers; what fills a blank stays as it is."""
    assert german(translatable("{} of {}", 3, 9)) == "9, davon 3"


def test_what_was_said_itself_is_translated_within() -> None:
    """Also the words of an error."""
    assert german(translatable("It ended ({}).", translatable("cold"))) == "Zu Ende (kalt)."
    assert (
        german(translatable("It ended ({}).", HomeError(translatable("cold")))) == "Zu Ende (kalt)."
    )
    assert (
        translatable("It ended ({}).", together(translatable("a"), translatable("b")))
        == "It ended (a b)."
    )


def test_a_list_is_as_long_as_it_has_to_be() -> None:
    """And every language separates its parts in its own way."""
    many = enumerated([translatable("cold"), "{}", *["wet"] * 9])
    assert many == "cold, {}, " + ", ".join(["wet"] * 9)
    assert spell(
        many.remarks, lambda text: {"{}, {}": "{}; {}", "cold": "kalt"}.get(text, text)
    ) == ("kalt; {}; " + "; ".join(["wet"] * 9))


def test_plain_words_stay_as_they_are() -> None:
    """Even if they look like a text with blanks."""
    mixed = together("{} {0}", translatable("cold"))
    assert spell(mixed.remarks, lambda text: GERMAN.get(text, text)) == "{} {0} kalt"


def test_an_error_keeps_what_it_was_made_from() -> None:
    """And one with plain words has only those."""
    assert remarks_of(words_of(HomeError(translatable("cold")))) == (Remark("cold"),)
    assert words_of(HomeError("hot")) == "hot"
    assert remarks_of(words_of(HomeError("hot"))) == ()
    assert words_of(ValueError()) == ""


def test_it_is_the_same_after_a_journey() -> None:
    """As words with remarks, of which there may be none."""
    here = together(
        translatable("{} of {}", 1, 2), translatable("It ended ({}).", translatable("cold"))
    )
    line = msgspec.json.encode(here.remarks)
    there = retold(str(here), msgspec.json.decode(line, type=Remarks))
    assert there == here
    assert remarks_of(there) == here.remarks
    assert retold("plain", ()) == "plain"


def test_it_is_bounded() -> None:
    """Whatever it is made from, it fits the types that travel."""
    long = together(*(translatable("{}", "x" * 9_999) for _ in range(99)))
    assert len(long.remarks) == MOST_REMARKS
    assert len(long) < (BLANK_LENGTH + 1) * MOST_REMARKS
    nested = translatable("{}", long)
    assert msgspec.json.decode(msgspec.json.encode(nested.remarks), type=Remarks) == nested.remarks
    inner = nested.remarks[0].blanks[0]
    assert isinstance(inner, Remark)
    assert len(inner.blanks) == MOST_BLANKS


@given(st.lists(remarks, max_size=3))
def test_nothing_that_comes_in_breaks_it(said_there: list[Remark]) -> None:
    """A blank too many, a number too high, a brace alone."""
    assert isinstance(spell(said_there, lambda text: text), str)


@pytest.mark.parametrize(("text", "words"), [("{} {}", "a "), ("{5}", ""), ("{0} {0}", "a a")])
def test_what_there_is_nothing_for_stays_empty(text: str, words: str) -> None:
    """And what is named twice is there twice."""
    assert spell([Remark(text, ("a",))], lambda text: text) == words


def test_it_is_written_as_its_words() -> None:
    """Wherever a message has a field for words; and nothing else passes for words."""
    encoded = msgspec.json.encode({"words": translatable("{} rounds", 3)}, enc_hook=encodable)
    assert encoded == b'{"words":"3 rounds"}'
    with pytest.raises(TypeError, match="object"):
        msgspec.json.encode({"words": object()}, enc_hook=encodable)
