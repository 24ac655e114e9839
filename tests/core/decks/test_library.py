"""Decks on disk: named by their bytes, found by people's words, and damage told apart."""

from pathlib import Path

import msgspec
import pytest

from core.decks.deck import Deck, Flashcard, digest_of, encode_deck
from core.decks.library import SUFFIX, DeckLibrary, InstalledDeck, read_deck
from core.decks.limits import MAX_DECK_BYTES
from core.errors import DeckError, HomeError
from tests.posix import make_pipe

DECK = Deck(
    format=1, name="Häuser", matcher="caseless", cards=(Flashcard("house", ("Haus", "das Haus")),)
)
DATA = encode_deck(DECK)


def named(name: str) -> bytes:
    return encode_deck(msgspec.structs.replace(DECK, name=name))


@pytest.fixture
def library(tmp_path: Path) -> DeckLibrary:
    return DeckLibrary(tmp_path / "decks")


def test_what_is_installed_is_there_by_its_digest(library: DeckLibrary) -> None:
    """In a file whose name is that of its bytes; twice is once."""
    installed = library.install(DATA)
    assert library.install(DATA) == installed
    assert library.decks() == [installed]
    assert installed.deck == DECK
    assert library.path_of(installed).name == f"{digest_of(DATA)}{SUFFIX}"
    assert library.path_of(installed).read_bytes() == DATA
    assert installed.task == f"deck_{digest_of(DATA)[:32]}"


def test_a_mark_without_its_deck_says_nothing_of_the_next(library: DeckLibrary) -> None:
    """As where a removal was interrupted, or the deck could not be written."""
    for owner in (True, False):
        deck = library.install(DATA, of_others=owner)
        assert library.is_of_others(deck) == owner
        library.path_of(deck).unlink()


def test_a_library_that_was_never_used_is_empty(library: DeckLibrary) -> None:
    """And looking makes no folder."""
    assert library.decks() == []
    with pytest.raises(DeckError, match="no deck"):
        library.find("anything")


def test_what_breaks_a_rule_is_not_kept(library: DeckLibrary) -> None:
    """Nothing is written before all of it was looked at."""
    with pytest.raises(DeckError):
        library.install(DATA + b" ")
    assert library.decks() == []


def test_decks_are_listed_by_name(library: DeckLibrary) -> None:
    """Upper and lower case alike."""
    for name in ("b", "C", "a"):
        library.install(named(name))
    assert [one.deck.name for one in library.decks()] == ["a", "b", "C"]


def test_removing_forgets_and_may_be_repeated(library: DeckLibrary) -> None:
    """Only that deck goes."""
    gone, kept = library.install(named("gone")), library.install(named("kept"))
    library.remove(gone)
    library.remove(gone)
    assert library.decks() == [kept]


@pytest.mark.parametrize(
    "words", ["Häuser", " HÄUSER ", "Ha\u0308user", digest_of(DATA)[:6], digest_of(DATA).upper()]
)
def test_a_deck_is_found_by_its_name_or_digest(library: DeckLibrary, words: str) -> None:
    """As people type them, or as the kind of puzzle is called."""
    installed = library.install(DATA)
    library.install(named("other"))
    assert library.find(words) == installed
    assert library.find(installed.task) == installed


@pytest.mark.parametrize("words", ["", "h", digest_of(DATA)[:5], "deck_", "..", "*", "../decks"])
def test_what_means_no_deck_is_refused(library: DeckLibrary, words: str) -> None:
    """Too short a digest means nothing; patterns and paths are names like others."""
    library.install(DATA)
    with pytest.raises(DeckError, match="waggle deck list"):
        library.find(words)


def test_a_name_may_look_like_a_kind_of_puzzle(library: DeckLibrary) -> None:
    """It is a name all the same."""
    installed = library.install(named("deck_1"))
    assert library.find("Deck_1") == installed


def test_no_name_stands_in_for_a_digest(library: DeckLibrary) -> None:
    """A deck that is called by the digest of one that is gone is another one."""
    gone = "0" * 32
    library.install(named(f"deck_{gone}"))
    for wanted in (gone, f"deck_{gone}"):
        with pytest.raises(DeckError, match="no deck"):
            library.find(wanted)


def test_a_deck_that_is_named_by_its_digest_is_the_only_one_that_is_read(
    library: DeckLibrary, caplog: pytest.LogCaptureFixture
) -> None:
    """In full, or as its kind of puzzle is called; a damaged one would be logged."""
    installed, damaged = library.install(DATA), library.install(named("other"))
    library.path_of(damaged).write_bytes(b"")
    assert library.find(installed.digest) == installed
    assert library.find(installed.task) == installed
    assert not caplog.text


def test_a_name_may_be_as_long_as_a_digest(library: DeckLibrary) -> None:
    """It looks like none."""
    name = "Words of the second year, and of the third"
    library.install(named(name))
    assert library.find(name).deck.name == name


def test_of_two_with_one_name_the_digest_is_asked_for(library: DeckLibrary) -> None:
    """The message says both."""
    other = encode_deck(msgspec.structs.replace(DECK, author="somebody"))
    decks = [library.install(DATA), library.install(other)]
    with pytest.raises(DeckError, match="Several") as caught:
        library.find("Häuser")
    assert all(one.digest[:12] in str(caught.value) for one in decks)
    assert library.find(decks[0].digest[:12]) == decks[0]


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (DATA.replace(b"house", b"mouse"), "not the one that it was"),
        (b"", "not the one that it was"),
        (b" " * (MAX_DECK_BYTES + 1), "cannot be read"),
    ],
)
def test_what_changed_under_its_digest_is_left_out(
    library: DeckLibrary, damage: bytes, words: str, caplog: pytest.LogCaptureFixture
) -> None:
    """One letter or all of it: nodes would mean different puzzles by one name."""
    kept, changed = library.install(named("kept")), library.install(DATA)
    library.path_of(changed).write_bytes(damage)
    assert library.decks() == [kept]
    assert changed.digest in caplog.text
    with pytest.raises(DeckError, match=words):
        read_deck(library.path_of(changed))


def test_a_digest_that_only_looks_alike_is_another_one(library: DeckLibrary) -> None:
    """Letters are compared as they are, and not as they are shown."""
    path = library.path_of(library.install(DATA))
    for name in (f"{path.stem.upper()}{SUFFIX}", f"\u202e{path.name}", f"{path.stem}.json.json"):
        (path.parent / name).write_bytes(DATA)
        with pytest.raises(DeckError):
            read_deck(path.parent / name)


def test_bytes_under_their_digest_that_are_no_deck_are_left_out(library: DeckLibrary) -> None:
    """A true name makes no deck of them."""
    library.install(DATA)
    junk = b'{"format":1}'
    library.path_of(InstalledDeck(DECK, digest_of(junk))).write_bytes(junk)
    assert [one.deck for one in library.decks()] == [DECK]


def test_a_pipe_in_place_of_a_deck_is_not_waited_for(library: DeckLibrary) -> None:
    """It is left out like all that is damaged."""
    installed = library.install(DATA)
    library.remove(installed)
    make_pipe(library.path_of(installed))
    assert library.decks() == []


def test_a_folder_that_cannot_be_made_is_explained(tmp_path: Path) -> None:
    """A file stands in its place."""
    (tmp_path / "decks").write_text("")
    with pytest.raises(HomeError):
        DeckLibrary(tmp_path / "decks").install(DATA)
