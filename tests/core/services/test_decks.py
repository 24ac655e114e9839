"""From a table to a deck."""

from io import BytesIO
from pathlib import Path

import openpyxl
import pytest

from core.decks.deck import encode_deck
from core.decks.library import DeckLibrary
from core.errors import DeckError
from core.i18n import remarks_of, words_of
from core.services.decks import (
    DeckWish,
    draft_of_deck,
    draft_of_file,
    install,
)
from core.services.service import ServiceContext

WORDS = "question,answer\ndog,Hund\ncat,Katze | Kater\nhouse,Haus\n"
WISH = DeckWish(name="Words", author="Ada", language="de-AT", licence="CC0-1.0")


@pytest.fixture
def library(place: ServiceContext) -> DeckLibrary:
    return DeckLibrary(place.home.decks)


def file_of(folder: Path, text: str, name: str = "words.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_a_table_becomes_a_deck(tmp_path: Path) -> None:
    """With all that the person says of it, letters and white space made tidy."""
    wish = DeckWish(name=" Wo\u0308rter ", author="Ada\u00a0L.", language="de", licence=" CC0 ")
    draft = draft_of_file(file_of(tmp_path, WORDS), wish)
    deck = draft.installed.deck
    assert (deck.name, deck.author, deck.language, deck.licence) == (
        "Wörter",
        "Ada L.",
        "de",
        "CC0",
    )
    assert [card.answers for card in deck.cards] == [("Hund",), ("Katze", "Kater"), ("Haus",)]
    assert draft.is_sound
    assert draft.problems == ()


def test_a_workbook_becomes_the_same_deck(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """To the byte, and what reads it is never let loose in this process."""
    monkeypatch.delattr("core.decks.tables.sheets")
    book = openpyxl.Workbook()
    for line in WORDS.splitlines():
        book.active.append(line.split(","))
    out = BytesIO()
    book.save(out)
    (tmp_path / "words.xlsx").write_bytes(out.getvalue())
    plain = draft_of_file(file_of(tmp_path, WORDS), WISH)
    assert draft_of_file(tmp_path / "words.xlsx", WISH).installed.data == plain.installed.data


def test_bad_rows_are_named_and_left_out(tmp_path: Path) -> None:
    """By the number that the person sees."""
    draft = draft_of_file(file_of(tmp_path, f"{WORDS}no answer,\nb\u202ed,x\n"), WISH)
    assert len(draft.installed.deck.cards) == 3
    assert [problem.number for problem in draft.problems] == [5, 6]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("question,answer\na,\n", "No row can be used. Row 2: The question or the answer"),
        (
            "question,answer,level\na,1,1\n,2,2\nc,3,3\n",
            r"no level 2\. Number its levels 1, 2, 3, … Row 3: The question or the answer",
        ),
        ("question\na\n", "Each question needs an answer"),
        ("", "no rows"),
    ],
)
def test_a_table_of_no_use_is_refused(tmp_path: Path, text: str, message: str) -> None:
    """The first reason is told in full, in every language."""
    with pytest.raises(DeckError, match=message) as caught:
        draft_of_file(file_of(tmp_path, text), WISH)
    assert remarks_of(words_of(caught.value))


@pytest.mark.parametrize("name", ["none.csv", "none.deck", "."])
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, name: str) -> None:
    """Be it missing or a folder."""
    with pytest.raises(DeckError, match="cannot be read"):
        draft_of_file(tmp_path / name, WISH)


def test_columns_may_be_named_by_hand(tmp_path: Path) -> None:
    """Where their names say nothing, or something else."""
    path = file_of(tmp_path, "eins,zwei,question\na,b,c\n")
    wish = DeckWish(name="a", columns={"question": "zwei", "answer": 0})
    (card,) = draft_of_file(path, wish).installed.deck.cards
    assert (card.question, card.answers) == ("b", ("a",))
    with pytest.raises(DeckError, match=r"“drei”.*eins, zwei, question"):
        draft_of_file(path, DeckWish(name="a", columns={"answer": "drei"}))


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        (DeckWish(name=""), "no name"),
        (DeckWish(name="\u200b"), "no name"),
        (DeckWish(name="x" * 81), "80 letters"),
        (DeckWish(name="\u0958" * 80), "80 letters"),  # two letters each once it is tidy
        (DeckWish(name="a", language="de at"), "no language"),
    ],
)
def test_what_a_deck_cannot_be_called_is_refused(
    tmp_path: Path, wish: DeckWish, words: str
) -> None:
    """One sentence says which part of it, as it is once it is tidy."""
    with pytest.raises(DeckError, match=words):
        draft_of_file(file_of(tmp_path, WORDS), wish)


def test_a_sound_deck_is_kept_and_may_be_handed_on(tmp_path: Path, library: DeckLibrary) -> None:
    """What was exported is the same deck elsewhere, whatever the file is called."""
    kept = install(draft_of_file(file_of(tmp_path, WORDS), WISH), library)
    (tmp_path / "b.DECK").write_bytes(kept.data)
    again = draft_of_file(tmp_path / "b.DECK", DeckWish(name="ignored"))
    assert again.installed == kept
    assert again.installed.deck == kept.deck == draft_of_deck(kept).installed.deck
    assert library.decks() == [kept]


def test_an_unsound_deck_is_not_kept(tmp_path: Path, library: DeckLibrary) -> None:
    """The first error says why."""
    draft = draft_of_file(file_of(tmp_path, "question,answer\na,b\na,c\n"), WISH)
    assert not draft.is_sound
    with pytest.raises(DeckError, match="different answers"):
        install(draft, library)
    assert library.decks() == []


def test_what_is_drafted_is_what_is_kept(tmp_path: Path, library: DeckLibrary) -> None:
    """The digest that was shown is that of the file."""
    draft = draft_of_file(file_of(tmp_path, WORDS), WISH)
    kept = install(draft, library)
    assert kept.digest == draft.installed.digest
    assert library.path_of(kept).read_bytes() == draft.installed.data == encode_deck(kept.deck)
