"""Files of people: whatever they are, a table or an error in words."""

import json
from io import BytesIO

import openpyxl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.decks.limits import MAX_CARDS, MAX_CELL, MAX_COLUMNS, MAX_DECK_BYTES
from core.decks.tables import Table, TableRow, read_table
from core.errors import DeckError
from core.i18n import remarks_of, words_of

PLAIN = "Frage;Antwort\nWie heißt du?;Bö\n"
WIDE = ",".join(["question", *["x"] * MAX_COLUMNS])

names = st.sampled_from(["a", "a.csv", "a.tsv", "a.txt", "a.json", "a.jsonl", "a.xlsx"])


def cells(table: Table) -> list[tuple[str, ...]]:
    return [row.cells for row in table.rows]


@given(names, st.binary(max_size=300) | st.text(max_size=300).map(str.encode))
@example("a.json", b'[{"a":' + b"9" * 5_000 + b"}]")
@example("a.jsonl", b'{"a":"\\ud800"}')
@example("a.csv", b'sep="\nx"y')
@example("a", b"[" * 100_000)
def test_any_bytes_are_a_table_or_an_error_in_words(name: str, data: bytes) -> None:
    """Nothing but a ``DeckError`` that can be translated leaves the reader."""
    try:
        table = read_table(name, data)
    except DeckError as error:
        assert remarks_of(words_of(error))  # noqa: PT017 - a rare draw is a table
    else:
        assert table.rows
        assert all(len(row.cells) >= len(table.columns) for row in table.rows)


@pytest.mark.parametrize(
    "data",
    [
        PLAIN.encode(),
        PLAIN.encode("utf-8-sig"),
        PLAIN.encode("utf-16"),
        b"\xfe\xff" + PLAIN.encode("utf-16-be"),
        PLAIN.encode("cp1252"),
    ],
)
def test_the_encoding_is_found(data: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Unicode with and without its mark, and what Excel writes in the western world."""
    monkeypatch.setattr("locale.getencoding", lambda: "utf-8")
    table = read_table("a.csv", data)
    assert (table.columns, cells(table)) == (("Frage", "Antwort"), [("Wie heißt du?", "Bö")])


CHINESE = "问题,答案\n中国的首都是哪里。,北京\n“水”的化学式、是什么。,H2O\n"
RUSSIAN = "Вопрос,answer\nСтолица России?,Москва\n"  # noqa: RUF001 - that is how it is written
GERMAN = "question,answer\nWie heißt die größte Stadt?,Köln für ÄÖÜ\n"
FRENCH = "question,answer\nÀ quelle heure a-t-il été créé ?,« À l'été »\n"


@pytest.mark.parametrize(
    ("text", "encoding", "own"),
    [
        (CHINESE, "gbk", "utf-8"),
        (CHINESE, "gb18030", "cp1252"),
        (CHINESE, "cp936", "cp936"),
        (RUSSIAN, "cp1251", "cp1251"),
        ("質問,answer\n日本の首都は,東京\n", "cp932", "cp932"),
        (GERMAN, "cp1252", "cp1252"),
        (GERMAN, "cp1252", "utf-8"),
        (GERMAN, "cp1252", "ISO-8859-1"),
        (GERMAN, "cp1252", "cp936"),
        (FRENCH, "cp1252", "utf-8"),
        (RUSSIAN, "utf-8", "cp1251"),
    ],
)
def test_what_other_parts_of_the_world_write_is_found(
    text: str, encoding: str, own: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By what this computer writes itself, and Chinese by its most frequent characters."""
    monkeypatch.setattr("locale.getencoding", lambda: own)
    table = read_table("a.csv", text.encode(encoding))
    found = [table.columns, *cells(table)] if table.has_header else cells(table)
    assert [",".join(row) for row in found] == text.splitlines()


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("question,answer\n1; 2; 3?,4\n", ("1; 2; 3?", "4")),
        ("question;answer\n3,5 + 1,5;5,0\n", ("3,5 + 1,5", "5,0")),
        ("question\tanswer\na, b; c\td\n", ("a, b; c", "d")),
        ("question|answer\na, b|c\n", ("a, b", "c")),
        ('3,5;7,0\n"1,5";3,0\n', ("3,5", "7,0")),
        ("q,a | b\n", ("q", "a | b")),
        ("a; b; c?,d\nwho?,e\nwhat?,f\n", ("a; b; c?", "d")),
        ("sep=:\nquestion:answer\na;b:c\n", ("a;b", "c")),
        ('question,answer\n"a\nb, ""c""",d\n', ('a\nb, "c"', "d")),
        ("question,answer\n=1+1,@SUM(A1)\n", ("=1+1", "@SUM(A1)")),
    ],
)
def test_the_separator_is_found(text: str, row: tuple[str, ...]) -> None:
    """By names of columns, by equally wide rows, and commas last: they stand in texts, too."""
    assert cells(read_table("a.csv", text.encode()))[0] == row


@given(
    st.sampled_from(",;\t|"),
    st.lists(
        st.tuples(*[st.text(st.sampled_from('aß ,;\t|"\n'), max_size=8)] * 2),
        min_size=1,
        max_size=6,
    ),
)
def test_what_is_quoted_is_read_as_it_was(separator: str, rows: list[tuple[str, str]]) -> None:
    """Separators, quotation marks and ends of lines within cells survive, whatever separates."""
    quoted = [["question", "answer"], *rows]
    text = "\n".join(
        separator.join('"' + cell.replace('"', '""') + '"' for cell in row) for row in quoted
    )
    expected = [row for row in rows if any(map(str.strip, row))]
    if not expected:
        return
    assert cells(read_table("a.csv", text.encode())) == expected


def test_rows_are_numbered_as_people_see_them() -> None:
    """The header is row 1, empty rows count, and a text of several lines is one row."""
    table = read_table("a.csv", b'question,answer\n\n"a\nb",1\n,\nc,2\n')
    assert [row.number for row in table.rows] == [3, 5]
    lines = read_table("a.jsonl", b'{"question":"a"}\n\n{"question":"b"}')
    assert [row.number for row in lines.rows] == [1, 3]


def test_without_a_header_the_first_row_is_a_row() -> None:
    """Columns are called as spreadsheets call them, until a person says otherwise."""
    table = read_table("a.csv", b"Hund,dog\nKatze,cat\n")
    assert not table.has_header
    assert (table.columns, len(table.rows)) == (("A", "B"), 2)
    assert table.with_first_row_as_header() == Table(
        ("Hund", "dog"), (TableRow(2, ("Katze", "cat")),), has_header=True
    )


@pytest.mark.parametrize("head", ["", "question;answer\n"])
def test_a_title_above_takes_no_column_away(head: str) -> None:
    """Above the names it is left out, and else it is a row that lacks an answer."""
    table = read_table("a.csv", f"My words\n{head}eins;one\nzwei;two\n".encode())
    assert len(table.columns) == 2
    assert cells(table)[-2:] == [("eins", "one"), ("zwei", "two")]
    assert (len(table.rows), table.has_header) == ((2, True) if head else (3, False))


def test_a_cell_too_many_is_kept_for_its_row_to_be_named() -> None:
    """An unquoted separator must not shift a question's answer unseen; empty cells say nothing."""
    table = read_table("a.csv", b"question,answer\na, b,c\nd,e,,\nf\n")
    assert cells(table) == [("a", " b", "c"), ("d", "e"), ("f", "")]


@pytest.mark.parametrize("is_lines", [True, False])
def test_json_is_a_table_of_objects(is_lines: bool) -> None:  # noqa: FBT001 - a parameter
    """Numbers as people write them, lists with bars, keys in the order of their appearance.

    What is empty in a list is no answer, and leaves no bar.
    """
    objects = [
        {"question": "a", "answer": 3.0, "more": True},
        {"question": "b", "answer": ["", 1, None, "x "], "last": None, "level": 0.1},
    ]
    texts = [json.dumps(one) for one in objects]
    data = "\n".join(texts) if is_lines else json.dumps(objects, indent=1)
    table = read_table("a.txt", data.encode())
    assert table.has_header
    assert table.columns == ("question", "answer", "more", "last", "level")
    assert cells(table) == [("a", "3", "true", "", ""), ("b", "1 | x", "", "", "0.1")]


@pytest.mark.parametrize("more", ['{"id": 1}', "[[1]]", '[1, {"id": 2}]'])
def test_an_object_within_an_object_is_an_empty_cell(more: str) -> None:
    """Data sets have such beside what is asked and answered."""
    data = f'{{"question": "a", "meta": {more}, "answer": 1}}'.encode()
    table = read_table("a.jsonl", data)
    assert (table.columns, cells(table)) == (("question", "meta", "answer"), [("a", "", "1")])


def test_an_expression_in_braces_is_no_json() -> None:
    """What only begins like it is text, unless its name says otherwise."""
    assert cells(read_table("a.txt", b"{a} + {b};{a + b}\n")) == [("{a} + {b}", "{a + b}")]
    with pytest.raises(DeckError, match="no table in JSON"):
        read_table("a.json", b"{a} + {b};{a + b}\n")


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.csv", b"x" * (MAX_DECK_BYTES + 1), "more than 8,000,000 bytes"),
        ("a.csv", WIDE.encode(), "more than 64 columns"),
        (
            "a.json",
            json.dumps([dict.fromkeys(WIDE.split(",") + list("0" * 65))]).encode(),
            "no rows",
        ),
        ("a.json", json.dumps([{str(n): n for n in range(65)}]).encode(), "more than 64 columns"),
        ("a.csv", b"a,b\n" * (MAX_CARDS + 1), "more than 100,000 rows"),
        ("a.jsonl", b'{"a":1}\n' * (MAX_CARDS + 1), "more than 100,000 rows"),
        ("a.csv", b"\n" * 2_000_000 + b"a,b", "rows"),
        ("a.csv", b'question,answer\na,1\n"b,2\n', "row 3"),
        ("a.csv", b'question,answer\n"b" c,2\n', "row 2"),
        ("a.csv", b"question,answer\n", "no rows"),
        ("a.csv", b"", "no rows"),
        ("a.csv", b"\x00\x01\x02", "neither text"),
        ("a.csv", b"\x81\xff", "neither text"),
        ("a.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "old workbook"),
        ("a.json", b'{"question": 1', "no table in JSON"),
        ("a.json", b'[{"question": 1}, 2]', r"no table in JSON .*\[1\]"),
        ("a.jsonl", b'{"question": 1}\n\n{"question": 2,}\n', r"no table in JSON \(line 3: "),
        ("a.jsonl", b'{"question":' + b"[" * 9_999, r"no table in JSON \(line 1: "),
        ("a.json", b'[{"question":' + b"[" * 9_999, "no table in JSON"),
    ],
)
def test_what_is_no_table_is_refused_in_words(name: str, data: bytes, message: str) -> None:
    """Each limit, and each kind of file that is none, says what happened and what to do."""
    with pytest.raises(DeckError, match=message):
        read_table(name, data)


def test_the_widest_and_longest_table_is_read() -> None:
    """The limits themselves are allowed."""
    wide = ",".join(["question", "answer", *["x"] * (MAX_COLUMNS - 2)])
    assert len(read_table("a.csv", f"{wide}\n{wide}".encode()).columns) == MAX_COLUMNS
    many = read_table("a.csv", b"question,answer\n" + b"a,b\n" * MAX_CARDS)
    assert len(many.rows) == MAX_CARDS


def test_an_overlong_cell_is_cut_so_that_it_shows() -> None:
    """Its row is named later; no cell takes more room than that."""
    long = "x" * (MAX_CELL * 2)
    (row,) = read_table("a.csv", f"question,answer\n{long},b\n".encode()).rows
    assert len(row.cells[0]) == MAX_CELL + 1


@pytest.mark.parametrize(
    ("name", "line", "head"),
    [
        ("a.csv", "a,b", "question,answer"),
        ("a.csv", "a,b", "a,b"),
        ("a.jsonl", '{"question": "a", "answer": "b"}', ""),
        ("a.json", '{"question": "a", "answer": "b"},', "["),
    ],
)
def test_of_a_table_too_long_for_a_deck_the_first_rows_are_taken(
    name: str, line: str, head: str
) -> None:
    """Where that is wished for; a header is no row."""
    lines = "\n".join([head, *[line] * (MAX_CARDS + 2)]).strip()
    data = (lines.rstrip(",") + "]" if head == "[" else lines).encode()
    with pytest.raises(DeckError, match="more than 100,000 rows"):
        read_table(name, data)
    assert [row.cells for row in read_table(name, data, 3).rows] == [("a", "b")] * 3


def test_of_a_workbook_the_first_rows_are_taken_too() -> None:
    """And of a table that is shorter, all."""
    book = openpyxl.Workbook()
    for number in range(5):
        book.active.append([f"question {number}", number])
    out = BytesIO()
    book.save(out)
    rows = [len(read_table("a.xlsx", out.getvalue(), most).rows) for most in (2, 5, 100)]
    assert rows == [2, 5, 5]
