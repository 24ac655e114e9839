"""Decks as bytes: one form each, and nothing hostile gets in."""

import contextlib

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.decks.deck import (
    Deck,
    Flashcard,
    check_deck,
    check_typed,
    decode_deck,
    digest_of,
    encode_deck,
    task_of,
)
from core.decks.limits import MAX_DECK_BYTES
from core.decks.templates import NumberVariable, Template, WordVariable
from core.errors import DeckError

CARD = Flashcard("What is 1 + 1?", ("2", "two"))
TEMPLATE = Template(
    "{name} has {a}?",
    "{a}",
    {"name": WordVariable(("Ada", "Bo")), "a": NumberVariable(1, 9)},
    level=2,
)
DECK = Deck(format=1, name="Sums", matcher="caseless", cards=(CARD,), templates=(TEMPLATE,))
DATA = encode_deck(DECK)


def test_its_name_among_nodes_never_changes() -> None:
    """The canonical bytes, their digest and the task's name, letter for letter."""
    small = encode_deck(
        Deck(format=1, name="Ä", matcher="integer", cards=(Flashcard("1?", ("1",)),))
    )
    assert (
        small
        == (
            '{"cards":[{"answers":["1"],"question":"1?"}],"format":1,"matcher":"integer","name":"Ä"}'
        ).encode()
    )
    digest = "bc318751d8018b5a38eef490aa431e1da6fa08edb3453ea0108492efd4ca1e61"
    assert digest_of(small) == digest
    assert task_of(digest) == f"deck_{digest[:32]}"


def test_what_is_written_is_read_again() -> None:
    """And equal decks have the same bytes, in whichever order variables were named."""
    assert decode_deck(DATA) == DECK
    other = msgspec.structs.replace(TEMPLATE, variables=dict(reversed(TEMPLATE.variables.items())))
    assert encode_deck(msgspec.structs.replace(DECK, templates=(other,))) == DATA


@pytest.mark.parametrize(
    "data",
    [
        DATA + b" ",
        DATA.replace(b":", b": ", 1),
        DATA.replace(b'"format":1', b'"author":"","format":1'),
        DATA.replace(b'"Sums"', b'"\\u0053ums"'),
        DATA.replace(b'"format":1', b'"format":1,"format":1'),
        DATA.replace(b'"format":1', b'"format":2'),
        DATA.replace(b'"format":1', b'"format":1,"more":1'),
        DATA.replace(b"caseless", b"eval"),
        b" " * (MAX_DECK_BYTES + 1),
        b"[" * 100_000,
        b"\xff",
        b"",
    ],
)
def test_other_bytes_are_refused(data: bytes) -> None:
    """White space, defaults, escapes, doubled keys: another form would be another digest."""
    with pytest.raises(DeckError):
        decode_deck(data)


@given(st.integers(0, len(DATA) - 1), st.binary(max_size=6), st.integers(0, 12))
def test_hostile_bytes_are_refused_or_canonical(at: int, put: bytes, cut: int) -> None:
    """Whatever is changed in a deck: what is read is written with the same bytes."""
    data = DATA[:at] + put + DATA[at + cut :]
    with contextlib.suppress(DeckError):
        assert encode_deck(decode_deck(data)) == data


@given(st.builds(Deck, format=st.just(1)))
def test_what_may_be_written_may_be_read(deck: Deck) -> None:
    """Values that no type allows, put there by code, are refused like those of strangers."""
    with contextlib.suppress(DeckError):
        assert decode_deck(encode_deck(deck)) == deck


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": "a\u202e"}, "hidden letter"),
        ({"author": " a"}, "white space"),
        ({"name": "a\nnote: checked"}, "several lines"),
        ({"labels": ("a\tb",)}, "several lines"),
        ({"cards": (), "templates": ()}, "no questions"),
        ({"cards": ()}, "no level 1"),
        ({"cards": (CARD, Flashcard("\u200b", ("1",)))}, "Row 2: .*hidden letter"),
        ({"cards": (CARD, Flashcard("1", ("1 ",)))}, "Row 2: .*white space"),
        ({"matcher": "choice"}, "Row 1: .*not among the labels"),
        ({"templates": (TEMPLATE, Template("{x}", "1", {}))}, "Row 3: .*worked out"),
        (
            {"templates": (Template("?", "1", {"a": WordVariable(("\u200b",))}, level=2),)},
            "hidden letter",
        ),
    ],
)
def test_a_broken_rule_is_told_with_its_row(change: dict[str, object], message: str) -> None:
    """What types do not say is looked at, too."""
    with pytest.raises(DeckError, match=message):
        check_deck(msgspec.structs.replace(DECK, **change))


def test_short_texts_without_end_are_refused() -> None:
    """Each takes far more memory than bytes; four labels for every card of a large deck do not."""

    def deck_of(cards: int, labels: int) -> Deck:
        options = tuple(map(str, range(labels)))
        card = Flashcard("Which?", ("1",), labels=options)
        return Deck(format=1, name="a", matcher="choice", cards=(card,) * cards)

    check_deck(deck_of(80_000, 4))
    check_deck(deck_of(100_000, 3))
    with pytest.raises(DeckError, match="more than 400,000 answers, labels and words"):
        check_deck(deck_of(6_200, 64))
    words = WordVariable(tuple(map(str, range(200))))
    wide = Template("{v0}?", "{v0}", {f"v{n}": words for n in range(16)})
    with pytest.raises(DeckError, match="more than 400,000"):
        check_deck(msgspec.structs.replace(DECK, templates=(wide,) * 126))


@pytest.mark.parametrize(
    ("names", "language", "tolerance", "message"),
    [
        (("a",), "de_AT", "0", "de_AT.*language"),
        (("a",), "", "0,5", "0,5.*tolerance"),
        (("a" * 81,), "", "0", "80 letters"),
    ],
)
def test_what_a_person_types_is_explained(
    names: tuple[str, ...], language: str, tolerance: str, message: str
) -> None:
    """By what was typed, and not as a fault of the deck."""
    check_typed(("a", ""), "de-AT", "0.5")
    with pytest.raises(DeckError, match=message):
        check_typed(names, language, tolerance)


def test_labels_may_be_those_of_the_deck() -> None:
    """A card's own come first, and upper and lower case are alike."""
    own = Flashcard("a", ("X",), labels=("x", "y"))
    deck = Deck(
        format=1,
        name="a",
        matcher="choice",
        labels=("Yes", "No"),
        cards=(own, Flashcard("b", ("no",))),
    )
    check_deck(deck)
    assert [deck.labels_of(card) for card in deck.cards] == [("x", "y"), ("Yes", "No")]
