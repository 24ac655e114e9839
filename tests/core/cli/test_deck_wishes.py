"""What a person says of a deck, and is told of it."""

import argparse
from pathlib import Path

import pytest

from core.cli.deck_wishes import MOST_PROBLEMS, add_wishes, keep, tell, wish_of
from core.decks.importing import RowProblem
from core.decks.library import DeckLibrary
from core.decks.limits import MAX_NAME
from core.decks.tables import read_table
from core.errors import DeckError, UsageError
from core.paths import Home
from core.services.decks import DeckDraft, DeckWish, draft_of_table


def said(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_wishes(parser)
    return parser.parse_args(words)


def draft(table: bytes) -> DeckDraft:
    return draft_of_table(read_table("a.csv", table), DeckWish(name="Words"))


def test_a_deck_has_the_name_that_was_said() -> None:
    """Else the one it came with, tidy and no longer than a name may be."""
    assert wish_of(said("--name", "Mine"), "a").name == "Mine"
    assert wish_of(said(), " a ").name == "a"
    assert wish_of(said(), "x" * 99).name == "x" * MAX_NAME


def test_columns_are_said_by_their_part() -> None:
    """What is no part, or has no name, is refused."""
    wish = wish_of(said("--column", "question=a=b", "--column", "level=C"), "")
    assert wish.columns == {"question": "a=b", "level": "C"}
    assert wish.name == ""
    for odd in ("front=a", "question"):
        with pytest.raises(UsageError, match="names no column"):
            wish_of(said("--column", odd), "")


def test_problems_are_told_up_to_a_point(capsys: pytest.CaptureFixture[str]) -> None:
    """The rest is counted."""
    made = draft(b"question,answer\na,b\nc,d\n")
    problems = tuple(RowProblem(n, "It is odd.") for n in range(MOST_PROBLEMS + 3))
    tell(DeckDraft(made.installed, problems))
    out = capsys.readouterr().out
    assert out.startswith("“Words”: 2 cards and 0 templates at 1 level;")
    assert out.count("is left out: It is odd.") == MOST_PROBLEMS
    assert "… and 3 more rows." in out


def test_only_what_is_sound_is_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The rest is told all the same."""
    home = Home(tmp_path)
    with pytest.raises(DeckError, match="different answers"):
        keep(draft(b"question,answer\nWho?,he\nWho?,she\n"), home)
    assert "error: " in capsys.readouterr().out
    assert DeckLibrary(home.decks).decks() == []
    assert keep(draft(b"question,answer\na,b\nc,d\n"), home) == 0
    assert "Kept as “Words”" in capsys.readouterr().out
    assert len(DeckLibrary(home.decks).decks()) == 1
