"""Names of columns in four languages."""

import pytest

from core.decks.columns import Columns, header_at, is_header, named_columns, usual_width


@pytest.mark.parametrize(
    ("header", "columns"),
    [
        ("Question,Answer,Level,Choices,Explanation", Columns(0, 1, 2, 3, 4)),
        ("Stufe,Frage,Antwort,Auswahl,Rechenweg", Columns(1, 2, 0, 3, 4)),
        ("Pregunta,Respuesta,Nivel,Opciones,Pasos", Columns(0, 1, 2, 3, 4)),
        ("问题,答案,级别,选项,步骤", Columns(0, 1, 2, 3, 4)),
        ("prompt,solution", Columns(0, 1)),
        ("prompt,solution,answer", Columns(0, 2, solution=1)),
        ("Problem,Solution key,Solución", Columns(0, 1, solution=2)),
        ("question,answer,variables,where", Columns(0, 1, variables=2, where=3)),
        ("Question (EN),Correct_Answer:", Columns(0, 1)),
        ("question,question,answer", Columns(0, 2)),
        ("id,question,note,answer", Columns(1, 3)),
        ("key,question,answer", Columns(1, 2)),
        ("id,question,correct,answer", Columns(1, 3)),
        ("problem,question,answer", Columns(1, 2)),
        ("Aufgabe,Antwort,Frage", Columns(2, 1)),
    ],
)
def test_a_header_says_what_its_columns_hold(header: str, columns: Columns) -> None:
    """In any order and any case; a solution is the answer where there is no other.

    What is called a question or an answer is one, whatever else might be meant as such.
    """
    assert named_columns(header.split(",")) == columns


def test_a_question_about_answers_is_no_header() -> None:
    """Only a cell that says nothing but question or answer makes a header of a row."""
    assert is_header(["id", " ANSWER: "])
    assert not is_header(["What is the answer?", "42"])
    assert not is_header(["Level", "Stufe"])


@pytest.mark.parametrize(
    ("row", "is_one"),
    [
        ("front,back", True),
        ("prompt,solution", True),
        ("level,key", True),
        ("id,Antwort", True),
        ("zurück,back", False),
        ("Schlüssel,key", False),
        ("Antwort,answer", False),
        ("Aufgabe,problem", False),
    ],
)
def test_a_word_that_is_asked_for_makes_no_header(row: str, is_one: bool) -> None:  # noqa: FBT001 - a parameter
    """In a list of words the first one may be such a name, and its translation another."""
    assert is_header(row.split(",")) is is_one


@pytest.mark.parametrize(
    ("rows", "at", "width"),
    [
        ([["question", "answer"], ["a"], ["b"]], 0, 2),
        ([["My words"], ["question", "answer", "level"], ["a", "b"]], 1, 3),
        ([["My words", ""], ["question", "answer"]], 1, 2),
        ([["a", "b"], ["question", "answer"]], None, 2),
        ([["My words"], ["a", "b"], ["c", "d"]], None, 2),
        ([["a", "b"], ["c"]], None, 2),
    ],
)
def test_a_title_may_stand_above_a_table(rows: list[list[str]], at: int | None, width: int) -> None:
    """It says nothing of how many columns there are; below a row of cells there is no header."""
    assert (header_at(rows), usual_width(rows)) == (at, width)
