"""Tables become decks: good rows are kept, bad ones named."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.decks.columns import Columns
from core.decks.deck import Deck, Flashcard, Matcher, encode_deck
from core.decks.importing import Imported, guess_columns, import_table
from core.decks.tables import read_table
from core.decks.templates import NumberVariable, Template, Variables
from core.errors import DeckError
from core.i18n import remarks_of


def imported(text: str, matcher: Matcher | None = None) -> Imported:
    table = read_table("a.csv", text.encode())
    return import_table(table, guess_columns(table), matcher)


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("Antwort;Frage;Stufe\na;b;1", Columns(1, 0, 2)),
        ("Hund;dog;1\nKatze;cat;1", Columns(0, 1)),
        ("level;word;answer\n1;a;b", Columns(1, 2, 0)),
        ("question\na", Columns(0)),
    ],
)
def test_columns_are_guessed(text: str, columns: Columns) -> None:
    """By the header; what it leaves open is the first column that is left."""
    assert guess_columns(read_table("a.csv", text.encode())) == columns


@pytest.mark.parametrize(
    ("answers", "matcher"),
    [
        (["1", "-2", "+3", "007"], "integer"),
        (["1,250", "3,500"], "caseless"),
        (["1", "2.5"], "decimal"),
        (["1,234", "2.5"], "caseless"),
        (["3/4", "1 / 2"], "fraction"),
        (["3/4", "1"], "caseless"),
        (["Anna", "1"], "caseless"),
        (["1 | one"], "caseless"),
        (["\uff11"], "caseless"),
    ],
)
def test_the_matcher_is_guessed(answers: list[str], matcher: Matcher) -> None:
    """From all accepted answers together; only what the judge can read as a number is one.

    A comma may stand between thousands or before decimals, so nothing is made of it.
    """
    rows = "".join(f'q{at};"{answer}"\n' for at, answer in enumerate(answers))
    assert imported(f"question;answer\n{rows}").matcher == matcher


@pytest.mark.parametrize(
    ("answer", "matcher"),
    [("a * b", "integer"), ("a / 2", "decimal"), ("{a} and {b}", "caseless"), ("yes", "caseless")],
)
def test_the_matcher_of_templates_is_guessed(answer: str, matcher: Matcher) -> None:
    """From some puzzles that they make."""
    text = f"question,answer,variables\nHow much?,{answer},a = 1..9; b = 1..9\n"
    assert imported(text).matcher == matcher


def test_labels_make_it_a_choice() -> None:
    """Between bars or semicolons; an answer must be among them."""
    found = imported('question,answer,choices\na,x,X | y;z\nb,1,1; 2;\nc,3,"1\n2"\nd,x,\n')
    assert found.matcher == "choice"
    assert [card.labels for card in found.cards] == [("X", "y;z"), ("1", "2")]
    assert [problem.number for problem in found.problems] == [4, 5]


def test_a_whole_row_becomes_a_card() -> None:
    """Accepted answers between bars, each once; a bar within a text is one; formulas are text."""
    found = imported(
        "question,answer,level,explanation\n"
        "=HYPERLINK(1), |x| | =1+1 | |x|,2,\u00a0so\n"
        "Cafe\u0301?,yes,,\n"
    )
    assert found == Imported(
        "caseless",
        (Flashcard("=HYPERLINK(1)", ("|x|", "=1+1"), 2, (), "so"), Flashcard("Café?", ("yes",))),
        (),
        (),
    )


def test_a_row_with_variables_becomes_a_template() -> None:
    """A bare expression is put in braces; the condition, the level and the solution come along."""
    found = imported(
        "question,answer,variables,where,level,solution\n"
        "{a} * {a}?,a * a,a = 2..9,a % 2 == 0,1,{a} times {a}\n"
    )
    variables: Variables = {"a": NumberVariable(2, 9)}
    assert found.templates == (
        Template("{a} * {a}?", "{a * a}", variables, "a % 2 == 0", 1, "{a} times {a}"),
    )
    assert encode_deck(Deck(format=1, name="a", matcher="integer", templates=found.templates))


CARD = "question,answer,level,choices,variables,where\ngood,1,,,,\n"


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("q,1,,,,,more", "more cells"),
        (",1,,,,", "missing"),
        ("q,,,,,", "missing"),
        ("q,1,10,,,", "no level"),
        ("q,1,1.5,,,", "no level"),
        ("q,1,٣,,,", "no level"),
        ("q,1,0,,,", "no level"),
        ("x" * 4_001 + ",1,,,,", "more than 4,000 characters"),
        ("q," + "x" * 1_025 + ",,,,", "more than 1,024 characters"),
        ("q," + "x" * 20_001 + ",,,,", "more than 20,000 characters"),
        ("q," + " | ".join(map(str, range(17))) + ",,,,", "more than 16"),
        ("q,1,," + ";".join(map(str, range(65))) + ",,", "or 64 labels"),
        ("q\u202e,1,,,,", "hidden letter"),
        ("q,1,,,,a > 1", "no variables"),
        ("good,1,1,,,", "same as row 2"),
        ("q,1,,1;2,a = 1..2,", "Labels"),
        ("q,a * c,,,a = 1..2,", "cannot be worked out"),
        ("q,c + 1,,,a = 1..2,", "cannot be worked out"),
        ("q {c},a,,,a = 1..2,", "cannot be worked out"),
        ("q,a,,,a = 1,", "cannot be read"),
        ("q,a,,,a = 1..2,a > 5", "No values"),
        ("q,a / 0,,,a = 1..2,", "No values"),
    ],
)
def test_a_bad_row_is_named_and_the_good_ones_are_kept(row: str, reason: str) -> None:
    """Its number is that of the table, and the reason can be said in every language."""
    found = imported(f"{CARD}{row}\n", "integer")
    assert found.cards == (Flashcard("good", ("1",)),)
    (problem,) = found.problems
    assert problem.number == 3
    assert reason in problem.words
    assert remarks_of(problem.words)


def test_templates_beyond_the_limit_are_named() -> None:
    """The first 200 are kept."""
    rows = "".join(f"{at} + {{a}}?,{at} + a,a = 1..9\n" for at in range(202))
    found = imported("question,answer,variables\n" + rows)
    assert len(found.templates) == 200
    assert [problem.number for problem in found.problems] == [202, 203]


def test_questions_without_answers_are_refused() -> None:
    """Without either column there is nothing to name rows by."""
    with pytest.raises(DeckError, match="which columns"):
        imported("question\na\n")


texts = st.text(st.characters(codec="utf-8"), max_size=12) | st.sampled_from(
    ["a = 1..3", "a", "{a}", "1", "a / 0", "x | y", "a > 1"]
)


@given(st.lists(st.lists(texts, min_size=6, max_size=7), min_size=1, max_size=4))
def test_what_is_kept_makes_a_deck(rows: list[list[str]]) -> None:
    """Whatever people write: each row is kept or named, and what is kept breaks no rule."""
    header = ["question", "answer", "labels", "solution", "variables", "where"]
    quoted = (['"' + cell.replace('"', '""') + '"' for cell in row] for row in [header, *rows])
    try:
        table = read_table("a.csv", "\n".join(map(",".join, quoted)).encode())
    except DeckError:
        return  # such as a zero byte, or nothing but white space
    found = import_table(table, guess_columns(table))
    kept = len(found.cards) + len(found.templates)
    assert kept + len(found.problems) == len(table.rows)
    if kept:
        encode_deck(
            Deck(
                format=1,
                name="a",
                matcher=found.matcher,
                cards=found.cards,
                templates=found.templates,
            )
        )
