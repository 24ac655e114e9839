"""Decks among the kinds of puzzles."""

import re
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from core.decks.deck import Deck, Flashcard, Matcher, digest_of, encode_deck
from core.decks.library import DeckLibrary, InstalledDeck
from core.decks.templates import NumberVariable, Template
from core.errors import DeckError, UnknownTaskError, UsageError
from core.paths import Home
from core.rollouts.types import PuzzleKey, TaskId
from core.settings import KindName, PracticeSettings, Settings, SwarmSettings
from core.tasks.catalog import load_catalog
from core.tasks.deck_tasks import (
    decks_in,
    kinds_in_swarm,
    practised_catalog,
    practised_kinds,
    scope_of,
    task_of_deck,
    unshared_kinds,
    with_decks,
)
from core.tasks.reasoning_tasks import make_puzzle
from core.wire.invite import Invite, read_swarm, write_invite

WORDS = Deck(
    format=1,
    name="Words",
    matcher="caseless",
    cards=(
        *(Flashcard(f"{n}?", (str(n), f"number {n}"), solution="So it is.") for n in range(40)),
        Flashcard("hard", ("x",), level=2),
    ),
)


def made(deck: Deck) -> InstalledDeck:
    return InstalledDeck(deck, digest_of(encode_deck(deck)))


def installed(home: Home, *names: str) -> list[InstalledDeck]:
    library = DeckLibrary(home.decks)
    return [
        library.install(encode_deck(msgspec.structs.replace(WORDS, name=name))) for name in names
    ]


def test_a_deck_is_a_kind_of_puzzle() -> None:
    """With its name as the title, as many levels as it has, and a name that settings accept."""
    deck = made(WORDS)
    task = task_of_deck(deck)
    assert (task.id, task.title, len(task.levels)) == (deck.task, "Words", 2)
    (pattern,) = (meta.pattern for meta in get_args(KindName)[1:])
    assert re.search(pattern, task.id)


@pytest.mark.parametrize("matcher", get_args(Matcher))
def test_every_way_to_compare_has_a_verifier(matcher: Matcher) -> None:
    """No deck is refused for the way in which it compares."""
    card = Flashcard("1?", ("1",), labels=("1", "2"))
    deck = Deck(format=1, name="a", matcher=matcher, cards=(card,))
    catalog = with_decks(load_catalog(), [made(deck)])
    puzzle = make_puzzle(catalog, PuzzleKey(TaskId(made(deck).task), 1, 0, 0))
    assert puzzle.answer == "1"


def test_decks_are_added_under_the_same_ruleset() -> None:
    """A node with decks still understands those without, and the other way round."""
    plain, deck = load_catalog(), made(WORDS)
    catalog = with_decks(plain, [deck])
    assert catalog.ruleset == plain.ruleset
    assert catalog.tasks[:-1] == plain.tasks
    assert catalog.decks == {deck.task: deck}
    assert plain.decks == {}


def test_its_puzzles_tell_all_that_the_deck_knows() -> None:
    """Every accepted answer, the worked solution, and whether it is held out."""
    deck = made(WORDS)
    catalog = with_decks(load_catalog(), [deck])
    puzzles = [make_puzzle(catalog, PuzzleKey(TaskId(deck.task), 1, n, 0)) for n in range(60)]
    for puzzle in puzzles:
        number = puzzle.question.prompt.rstrip("?")
        assert (puzzle.answer, puzzle.others) == (number, (f"number {number}",))
        assert puzzle.question.lesson == f"So it is.\n<answer>{number}</answer>"
    assert {puzzle.question.is_held_out for puzzle in puzzles} == {True, False}


def test_a_question_that_finds_no_values_gives_way_to_the_next() -> None:
    """A rare condition must not end a round; the same question comes instead on every machine."""
    rare = Template("{a}?", "{a}", {"a": NumberVariable(1, 1_000)}, where="a == 7")
    deck = made(Deck(format=1, name="a", matcher="integer", templates=(rare,)))
    catalog = with_decks(load_catalog(), [deck])
    keys = [PuzzleKey(TaskId(deck.task), 1, n, 0) for n in range(20)]
    assert {make_puzzle(catalog, key).answer for key in keys} == {"7"}


def test_a_deck_without_any_values_has_no_puzzles() -> None:
    """In words, and soon."""
    never = Template("{a}?", "{a}", {"a": NumberVariable(1, 9)}, where="a > 9")
    deck = made(Deck(format=1, name="a", matcher="integer", templates=(never,)))
    catalog = with_decks(load_catalog(), [deck])
    with pytest.raises(UnknownTaskError, match="no puzzle"):
        make_puzzle(catalog, PuzzleKey(TaskId(deck.task), 1, 0, 0))


def test_without_a_choice_all_that_is_built_in_is_practised(home: Home) -> None:
    """Decks only where they are named."""
    installed(home, "Words")
    assert practised_catalog(home, ()).tasks == load_catalog().tasks


def test_what_is_chosen_is_practised_alone(home: Home) -> None:
    """Kinds that are built in and decks, by name or digest, each once."""
    words, _ = installed(home, "Words", "Others")
    catalog = practised_catalog(home, ["gcd", words.task, "words", words.digest[:12]])
    assert [task.id for task in catalog.tasks] == ["gcd", words.task]
    assert list(catalog.decks) == [words.task]
    assert catalog.ruleset == load_catalog().ruleset
    with pytest.raises(UnknownTaskError):
        catalog.task("lcm")


def test_a_deck_that_is_not_here_is_refused_in_words(home: Home) -> None:
    """Whoever removed it must choose again."""
    with pytest.raises(DeckError, match="waggle deck list"):
        practised_catalog(home, ["deck_0123456789abcdef"])


@pytest.mark.parametrize(("typed", "hint"), [("gdc", "gcd"), ("qqqq", "waggle tasks")])
def test_a_mistyped_kind_is_not_called_a_deck(home: Home, typed: str, hint: str) -> None:
    """Nobody looks for a deck that they never had."""
    installed(home, "Words")
    with pytest.raises(UnknownTaskError, match=hint):
        practised_catalog(home, ["words", typed])


def test_a_name_that_several_decks_have_is_asked_about(home: Home) -> None:
    """It is no mistyped kind."""
    installed(home, "Words", "words")
    with pytest.raises(DeckError, match="Several decks"):
        practised_catalog(home, ["words"])


def test_a_catalogue_of_nothing_is_refused() -> None:
    """There would be nothing to practise."""
    with pytest.raises(UnknownTaskError, match="at least one"):
        load_catalog().only([])


def test_what_a_skill_is_a_mean_over_is_named_where_it_is_not_everything(home: Home) -> None:
    """The same for the same kinds in any order, and another for any others."""
    words, others = installed(home, "Words", "Others")
    one, again, more, other = (
        scope_of(practised_catalog(home, kinds))
        for kinds in (["gcd", words.task], [words.task, "gcd"], ["gcd"], [others.task])
    )
    assert scope_of(practised_catalog(home, ())) is None
    assert scope_of(load_catalog().only([task.id for task in load_catalog().tasks])) is None
    assert one == again
    assert len({one, more, other, None}) == 4


def swarm_on(*decks: InstalledDeck, secret: bytes = b"") -> str:
    """The link of an invite to these decks."""
    digests = tuple(bytes.fromhex(deck.digest) for deck in decks)
    return write_invite(Invite(1, "our-class", (), secret, digests))


def test_members_of_a_swarm_on_decks_practise_these_alone(tmp_path: Path) -> None:
    """Whatever the settings choose; in every other swarm that counts."""
    home = Home(tmp_path)
    invited, own = installed(home, "Theirs", "Mine")
    practice = PracticeSettings(kinds=(own.task, "gcd"))
    there = Settings(swarm=SwarmSettings(name=swarm_on(invited)), practice=practice)
    assert practised_kinds(there, home) == (invited.task,)
    assert practised_kinds(Settings(practice=practice), home) == (own.task, "gcd")
    assert practised_kinds(Settings(), home) == ()


@pytest.mark.parametrize("secret", [b"", b"s" * 32])
def test_what_is_tried_of_own_decks_stays_here(tmp_path: Path, secret: bytes) -> None:
    """Members agreed to share what the invite names, and nothing else, in private swarms too."""
    invited, own = installed(Home(tmp_path), "Theirs", "Mine")
    catalog = with_decks(load_catalog(), [invited, own])
    assert unshared_kinds(catalog, swarm_on(invited, secret=secret)) == {own.task}
    assert unshared_kinds(catalog, "meadow") == {invited.task, own.task}
    assert unshared_kinds(load_catalog(), "meadow") == frozenset()


def test_a_deck_that_nobody_agreed_to_is_said(tmp_path: Path) -> None:
    """With the page of the window that shows it."""
    home = Home(tmp_path)
    (here,) = installed(home, "Here")
    link = swarm_on(here, made(WORDS))
    with pytest.raises(UsageError, match=r"practises decks .* on the page Swarm"):
        kinds_in_swarm(link, home)
    found, missing = decks_in(read_swarm(link), DeckLibrary(home.decks))
    assert (found, missing) == ([here], [bytes.fromhex(made(WORDS).digest)])
