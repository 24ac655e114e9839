"""``waggle deck from-hub``."""

import asyncio
import json
from pathlib import Path

import pytest

from tests.commands import Said, Typed
from tests.fake_model_hub import COMMIT, REPO
from tests.fetching import everybodys_hub

WORDS = b"question,answer,level\ndog,Hund,1\ncat,,1\nhouse,Haus,x\ncow,Kuh,1\n"


@pytest.fixture
def ask(typed: Typed, monkeypatch: pytest.MonkeyPatch) -> Typed:
    """Types the command while a hub is there that has ``train.csv`` and ``odd/test.csv``."""

    def run(*words: str | Path) -> Said:
        async def beside_the_hub() -> Said:
            files = {"train.csv": WORDS, "odd/test.csv": b"question,answer\nWho?,he\nWho?,she\n"}
            async with everybodys_hub(files, monkeypatch, {"license": "mit"}):
                return await asyncio.to_thread(typed, "deck", "from-hub", *words)

        return asyncio.run(beside_the_hub())

    return run


def test_a_data_set_is_kept_as_a_deck(ask: Typed, typed: Typed) -> None:
    """With its version and licence, the rows that are left out, and how to practise it."""
    told = ask(REPO, "--split", "train")
    assert told.code == 0, told.err
    assert f"train.csv of {REPO}, as of commit {COMMIT[:12]}." in told.out
    assert "Licence: mit." in told.out
    assert "row 3 is left out: The question or the answer is missing" in told.out
    assert "row 4 is left out: “x” is no level" in told.out
    assert "note: " in told.out
    (row,) = json.loads(typed("deck", "--json").out)
    found = {key: row[key] for key in ("name", "author", "licence", "cards")}
    assert found == {"name": "Tiny-Model", "author": "someone", "licence": "mit", "cards": 2}
    assert f"waggle join --deck {row['digest'][:12]}" in told.out


def test_what_cannot_be_kept_is_not(ask: Typed, typed: Typed) -> None:
    """An error of the deck is told, and so is a choice that is missing."""
    told = ask(REPO, "--file", "odd/test.csv")
    assert told.code == 2
    assert "error: The question “Who?” stands there" in told.out
    assert told.err.count("\n") == 1
    told = ask(REPO)
    assert (told.code, told.out) == (2, "")
    assert told.err.endswith("Choose one with --split or --file: odd/test.csv, train.csv\n")
    assert json.loads(typed("deck", "--json").out) == []


def test_options_are_those_of_a_new_deck(ask: Typed, typed: Typed) -> None:
    """And how many rows are taken."""
    words = ("--column", "question=answer", "--column", "answer=question", "--name", "Back")
    told = ask(REPO, "--file", "train.csv", "--rows", "1", *words)
    assert told.code == 0, told.err
    assert "“Back”: 1 cards" in told.out
    assert "Hund\n    dog" in typed("deck", "show", "Back").out


@pytest.mark.parametrize(
    "words", [("--rows", "0"), ("--rows", "100001"), ("--split", "a", "--file", "b")]
)
def test_options_that_make_no_sense_are_refused(
    typed: Typed, words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    """Before anybody is asked."""
    with pytest.raises(SystemExit):
        typed("deck", "from-hub", REPO, *words)
    assert "error: argument" in capsys.readouterr().err
