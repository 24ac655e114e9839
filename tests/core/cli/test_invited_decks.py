"""Decks of an invite on the command line: made, shown, agreed to, practised."""

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import msgspec
import pytest

from core.cli.invited_decks import DeckConsent, invited_kinds
from core.cli.main import main
from core.decks.deck import Deck, Flashcard, encode_deck
from core.decks.library import DeckLibrary
from core.errors import UsageError
from core.paths import Home
from core.services.swarm_decks import deck_hubs
from core.wire.invite import PREFIX, Invite, InvitedHub, read_invite, write_invite
from tests.commands import Said, Terminal, Typed
from tests.swarm_decks import deck_data, sha256
from tests.waggle_process import hub

DATA = deck_data("Sums of Anne")


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with hub(tmp_path_factory.mktemp("hub")) as (_, where):
        yield where


@pytest.fixture
def author(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Typed:
    """Runs a command on the home of somebody who made a deck."""
    home = tmp_path / "author"
    DeckLibrary(home / "decks").install(DATA)

    def run(*words: str) -> Said:
        code = main([*words, "--home", str(home)])
        return Said(code, *capsys.readouterr())

    return run


class Join(Protocol):
    """Joins with a link; the kinds that are practised then."""

    def __call__(self, link: str, *, agreed: bool = False) -> tuple[str, ...]: ...


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def join(tmp_path: Path, said: list[str]) -> Join:
    """What is practised by who joins with a link; what they are told is in ``said``."""

    def run(link: str, *, agreed: bool = False) -> tuple[str, ...]:
        invite = read_invite(link)
        consent = DeckConsent(said.append, agreed=agreed)
        return invited_kinds(invite, deck_hubs(invite), Home(tmp_path / "guest"), "", consent)

    return run


def invited(author: Typed, url: str, *more: str) -> str:
    told = author("invite", "new", "--name", "class", "--hub", url, "--deck", "Sums of Anne", *more)
    assert told.code == 0, told.err
    return next(line for line in told.out.splitlines() if line.startswith(PREFIX))


@pytest.fixture
def link(author: Typed, url: str) -> str:
    return invited(author, url)


def library_of(tmp_path: Path) -> DeckLibrary:
    return DeckLibrary(tmp_path / "guest" / "decks")


@pytest.mark.usefixtures("flipped_names")
def test_a_hub_that_was_typed_may_have_a_name_that_leads_inside(author: Typed, url: str) -> None:
    """Such as one that only the name servers of a company know."""
    named = url.replace("127.0.0.1", "hub.example.org")
    told = author("invite", "new", "--name", "class", "--hub", named, "--deck", "Sums of Anne")
    assert f"left at {named}" in told.out


def test_an_invite_with_decks_leaves_them_and_says_so(author: Typed, url: str) -> None:
    """In its link stands which; what it is about is shown again."""
    told = author("invite", "new", "--name", "class", "--hub", url, "--deck", "Sums of Anne")
    assert f"left at {url}: “Sums of Anne”, sealed" in told.out
    link = told.out.splitlines()[-1]
    assert read_invite(link).decks == (sha256(DATA),)
    assert f"decks: {sha256(DATA).hex()[:12]}" in author("invite", "show", link).out
    renewed = author("invite", "renew", link)
    assert f"left at {url}" in renewed.out
    as_json = author("invite", "new", "--name", "class", "--hub", url, "--deck", "Sums", "--json")
    assert (as_json.code, as_json.out) == (2, "")


def test_json_is_all_that_stdout_gets(author: Typed, url: str) -> None:
    """What was left where stands beside it."""
    words = ("--name", "class", "--hub", url, "--deck", "Sums of Anne", "--open", "--json")
    told = author("invite", "new", *words)
    assert told.out.startswith("{")
    assert sha256(DATA).hex() in told.out
    assert f"left at {url}: “Sums of Anne”\n" in told.err


def test_without_a_hub_no_link_is_made(author: Typed) -> None:
    """Nobody could fetch the decks, so it is wrong usage or a hub that is away."""
    words = ("invite", "new", "--name", "class", "--deck", "Sums of Anne")
    told = author(*words)
    assert (told.code, PREFIX in told.out) == (2, False)
    assert "--hub" in told.err
    told = author(*words, "--hub", "http://127.0.0.1:1")
    assert (told.code, PREFIX in told.out) == (1, False)
    assert "does not answer" in told.err


def test_renewing_needs_no_hub(author: Typed, link: str) -> None:
    """Whoever is to be left out is, though the decks come later."""
    away = at_another_hub(link, "http://127.0.0.1:1")
    told = author("invite", "renew", away)
    assert told.code == 0
    assert "does not answer" in told.err
    assert PREFIX in told.out


def at_another_hub(link: str, url: str) -> str:
    return write_invite(msgspec.structs.replace(read_invite(link), hubs=(InvitedHub(url),)))


def test_yes_shows_first_and_practises_then(
    link: str, join: Join, said: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Name, author, licence, language, size and ten questions with answers; then it is kept."""
    monkeypatch.setattr("sys.stdin", Terminal("y\n"))
    (kind,) = join(link)
    shown = "\n".join(said)
    about = ("“Sums of Anne”: 40 cards", "author: Anne", "licence: CC0-1.0", "language: en")
    assert [words for words in about if words not in shown] == []
    assert shown.count("[level 1] What is ") == 10
    assert said[-1] == "Practise these? [y/N]"
    (deck,) = library_of(tmp_path).decks()
    assert deck.task == kind
    assert library_of(tmp_path).is_of_others(deck)


def test_joining_again_asks_no_more(
    link: str, join: Join, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """And no hub either."""
    kinds = join(link, agreed=True)
    said.clear()
    monkeypatch.setattr("sys.stdin", Terminal(""))
    assert join(at_another_hub(link, "http://127.0.0.1:1")) == kinds
    assert said == []


@pytest.mark.parametrize("answer", ["", "\n", "n\n", "yep\n"])
def test_anything_else_is_no(
    answer: str, link: str, join: Join, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Nothing is kept."""
    monkeypatch.setattr("sys.stdin", Terminal(answer))
    with pytest.raises(UsageError, match="Nothing was kept"):
        join(link)
    assert library_of(tmp_path).decks() == []


def test_without_a_terminal_it_is_refused(
    link: str, join: Join, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With what to type, before anything is fetched."""
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))
    with pytest.raises(UsageError, match="add --agree-to-decks"):
        join(link)
    assert said == []
    assert len(join(link, agreed=True)) == 1
    assert said[-1] != "Practise these? [y/N]"


def test_a_swarm_without_decks_asks_for_nothing(join: Join, said: list[str]) -> None:
    """Neither the person nor anybody else, and makes no folder."""
    link = write_invite(Invite(1, "class", (InvitedHub("http://127.0.0.1:1"),)))
    assert join(link) == ()
    assert said == []


def test_what_a_deck_says_looks_like_nothing_of_ours(
    author: Typed, url: str, join: Join, said: list[str], tmp_path: Path
) -> None:
    """Each line of a question is set in, so that none passes for Waggle's own."""
    cards = (Flashcard("What?\nPractise these? [y/N]", ("3",)),)
    data = encode_deck(Deck(format=1, name="Trick", matcher="integer", cards=cards))
    DeckLibrary(tmp_path / "author" / "decks").install(data)
    told = author("invite", "new", "--name", "class", "--hub", url, "--deck", "Trick")
    join(told.out.splitlines()[-1], agreed=True)
    assert sum("[level 1] What?" in words for words in said) == 1, "each is shown once"
    lines = [line for words in said for line in words.splitlines()]
    assert "  Practise these? [y/N]" in lines
    assert "Practise these? [y/N]" not in lines
