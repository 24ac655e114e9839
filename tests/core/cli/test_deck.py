"""``waggle deck``."""

import json
from pathlib import Path

import pytest

from core.cli.deck_wishes import MOST_PROBLEMS
from core.paths import RESOURCES, Home
from core.settings import PracticeSettings, Settings, save_settings
from core.storage.home_lock import hold
from tests.commands import Said, Typed

EXAMPLES = RESOURCES / "decks"
NAMES = ("arithmetic", "operation", "tickets", "vocabulary")
WORDS = "question;answer;level\ndog;Hund;1\ncat;Katze | Kater;1\nto build a house;bauen;2\n"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "My words.csv"
    path.write_text(WORDS)
    return path


def one_sentence(told: Said, words: str, code: int = 2) -> None:
    """It ended so, and says so in one line, with nothing on stdout beside."""
    assert told.code == code
    assert told.err.startswith("waggle: ")
    assert told.err.count("\n") == 1
    assert words in told.err


def test_a_table_is_kept_as_a_deck(typed: Typed, table: Path) -> None:
    """It is named as the file unless the person says otherwise, and told how to practise it."""
    told = typed("deck", "new", table)
    assert told.code == 0
    assert "“My words”: 3 cards and 0 templates at 2 levels" in told.out
    (row,) = json.loads(typed("deck", "--json").out)
    assert (row["name"], row["cards"], row["levels"]) == ("My words", 3, 2)
    assert row["kind"] == f"deck_{row['digest'][:32]}"
    assert f"waggle join --deck {row['digest'][:12]}" in told.out


def test_what_the_person_says_is_part_of_the_deck(typed: Typed, table: Path) -> None:
    """Name, author, language, licence, and how answers are compared."""
    words = ("--name", "German", "--author", "Ada", "--language", "de", "--licence", "CC0-1.0")
    assert typed("deck", "new", table, *words, "--matcher", "text").code == 0
    (row,) = json.loads(typed("deck", "--json").out)
    told = {key: row[key] for key in ("name", "author", "language", "licence", "matcher")}
    assert told == {
        "name": "German",
        "author": "Ada",
        "language": "de",
        "licence": "CC0-1.0",
        "matcher": "text",
    }


def test_columns_are_named_on_the_command_line(typed: Typed, table: Path) -> None:
    """As the table has them."""
    turned = ("--column", "question=answer", "--column", "answer=question")
    assert typed("deck", "new", table, *turned).code == 0
    assert "Katze | Kater" in typed("deck", "show", "My words").out
    one_sentence(typed("deck", "new", table, "--column", "question=front"), "no column “front”")
    one_sentence(typed("deck", "new", table, "--column", "front"), "names no column")


def test_the_examples_are_kept_and_listed(typed: Typed) -> None:
    """A table for people has a row for each."""
    assert "There are no decks here yet" in typed("deck").out
    for name in NAMES:
        assert typed("deck", "new", EXAMPLES / f"{name}.csv").code == 0
    listed = typed("deck", "list").out
    assert all(name in listed for name in NAMES)


@pytest.mark.parametrize("words", [("list", "--json"), ("--json", "list")])
def test_decks_are_listed_as_json(typed: Typed, table: Path, words: tuple[str, ...]) -> None:
    """Wherever among the words a program asks for it."""
    typed("deck", "new", table)
    (row,) = json.loads(typed("deck", *words).out)
    assert row["name"] == "My words"


def test_some_questions_are_shown_with_their_answers(typed: Typed, table: Path) -> None:
    """Of every level, each once, with whose deck it is."""
    typed("deck", "new", table, "--author", "Ada")
    shown = typed("deck", "show", "my words").out
    assert shown.startswith("My words (Ada)\n")
    assert shown.count("[level ") == 3
    assert "[level 2] to build a house\n    bauen\n" in shown


def test_a_deck_is_handed_on(typed: Typed, table: Path, tmp_path: Path) -> None:
    """What was exported, removed and added again is the same deck."""
    typed("deck", "new", table)
    before = typed("deck", "--json").out
    out = tmp_path / "words.deck"
    assert f"waggle deck new {out.name}" in typed("deck", "export", "My words", "--out", out).out
    assert "What was learnt from it stays" in typed("deck", "remove", "My words").out
    assert json.loads(typed("deck", "--json").out) == []
    assert typed("deck", "new", out).code == 0
    assert typed("deck", "--json").out == before


def test_no_deck_goes_while_a_node_practises(typed: Typed, table: Path, tmp_path: Path) -> None:
    """In a sentence; it goes once the node is at rest."""
    typed("deck", "new", table)
    with hold(Home(tmp_path)):
        one_sentence(typed("deck", "remove", "My words"), "while Waggle practises", code=1)
    assert len(json.loads(typed("deck", "--json").out)) == 1
    assert typed("deck", "remove", "My words").code == 0


def test_a_removed_deck_that_is_to_be_practised_is_told(
    typed: Typed, table: Path, tmp_path: Path
) -> None:
    """With the setting, and the file that it stands in."""
    typed("deck", "new", table)
    (row,) = json.loads(typed("deck", "--json").out)
    settings = Home(tmp_path).settings
    save_settings(Settings(practice=PracticeSettings(kinds=(row["kind"],))), settings)
    assert f"practice.kinds in {settings} still names it" in typed("deck", "remove", "My words").out
    typed("deck", "new", table)
    save_settings(Settings(), settings)
    assert "practice.kinds" not in typed("deck", "remove", "My words").out


def test_an_export_has_a_name_that_can_be_read_again(
    typed: Typed, table: Path, tmp_path: Path
) -> None:
    """Under another one it would be taken for a table."""
    typed("deck", "new", table)
    one_sentence(typed("deck", "export", "My words", "--out", tmp_path / "words.json"), ".deck")
    assert not (tmp_path / "words.json").exists()


def test_bad_rows_are_named_up_to_a_point(typed: Typed, tmp_path: Path) -> None:
    """Whoever chose the wrong file need not read all of it."""
    path = tmp_path / "a.csv"
    path.write_text(f"question,answer\na,b\n{'odd,' * 3}\n" + "no answer,\n" * (MOST_PROBLEMS + 4))
    told = typed("deck", "new", path)
    assert told.code == 0
    assert told.out.count("is left out") == MOST_PROBLEMS
    assert "… and 5 more rows." in told.out


def test_what_is_wrong_with_a_deck_is_told_before_it_is_refused(
    typed: Typed, tmp_path: Path
) -> None:
    """By ``new`` in a sentence, by ``check`` in all of them; no model tries it."""
    path = tmp_path / "a.csv"
    path.write_text("question,answer\nWho?,he\nWho?,she\n")
    made, checked = typed("deck", "new", path), typed("deck", "check", path)
    one_sentence(made, "different answers")
    assert made.out == checked.out
    assert "error: The question “Who?” stands there" in checked.out
    assert "note: Level 1 has only" in checked.out
    assert (checked.code, checked.err) == (2, "")
    assert json.loads(typed("deck", "--json").out) == []


def test_a_model_tries_what_is_checked(typed: Typed) -> None:
    """A table, or a deck that is kept."""
    path = EXAMPLES / "arithmetic.csv"
    typed("deck", "new", path)
    by_file = typed("deck", "check", path, "--model", "spark")
    assert by_file.code == 0
    assert "level 3: " in by_file.out
    assert "Spark" in by_file.out
    assert typed("deck", "check", "arithmetic").out == by_file.out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["new", "nowhere.csv"], "cannot be read"),
        (["check", "nothing"], "waggle deck list"),
        (["show", "nothing"], "waggle deck list"),
        (["remove", "nothing"], "waggle deck list"),
        (["export", "nothing", "--out", "a.deck"], "waggle deck list"),
        (["new", EXAMPLES / "tickets.csv", "--tolerance", "x"], "tolerance"),
    ],
)
def test_what_there_is_not_is_one_sentence(
    words: list[str | Path], sentence: str, typed: Typed
) -> None:
    """And the exit code of wrong usage."""
    one_sentence(typed("deck", *words), sentence)


def test_a_deck_that_is_practised_alone_is_named_at_the_start(typed: Typed) -> None:
    """One that is not here is refused before anything is loaded."""
    one_sentence(typed("join", "--solo", "--deck", "nothing"), "no deck “nothing” here")
