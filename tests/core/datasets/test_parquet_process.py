"""What is read out of a Parquet file, and what is refused before it is."""

import json

import msgspec
import pytest

from core.datasets.parquet import ParquetReply, ParquetRequest
from core.datasets.parquet_process import answer
from core.decks.columns import Part
from core.decks.limits import MAX_CELL
from tests.parquet_files import claiming, footer_of, pa, parquet, with_footer

WORDS = {"question": ["dog", "cat", "cow"], "answer": ["Hund", "Katze", "Kuh"]}


def reply_to(
    data: bytes, columns: dict[Part, str | None] | None = None, rows: int | None = None
) -> ParquetReply:
    request = msgspec.msgpack.encode(ParquetRequest(data, columns or {}, rows))
    return msgspec.msgpack.decode(answer(request), type=ParquetReply)


def rows_of(
    data: bytes, columns: dict[Part, str | None] | None = None, rows: int | None = None
) -> list[dict[str, object]]:
    reply = reply_to(data, columns, rows)
    assert reply.trouble == ""
    return [json.loads(line) for line in reply.lines.splitlines()]


def test_texts_numbers_truth_and_lists_are_read() -> None:
    """As JSON has them; what no number is, is nothing."""
    columns = {
        "question": pa.array(["a", None], pa.large_string()),
        "answer": pa.array([2**64 - 1, 0], pa.uint64()),
        "level": pa.array([1, None], pa.int8()),
        "choices": pa.array([["x", "y"], []], pa.list_(pa.string())),
        "explanation": pa.array([True, False]),
    }
    first, second = rows_of(parquet(columns))
    assert list(first.values()) == ["a", 2**64 - 1, 1, ["x", "y"], True]
    assert list(second.values()) == [None, 0, None, [], False]


def test_a_number_has_no_more_digits_than_it_can_tell_apart() -> None:
    """Or an answer would be 0.10000000149."""
    for kind in (pa.float16(), pa.float32(), pa.float64()):
        values = pa.array([0.1, 2.0, float("nan"), float("inf")], pa.float64()).cast(kind)
        rows = rows_of(parquet({"question": ["a", "b", "c", "d"], "answer": values}))
        assert [row["answer"] for row in rows] == [0.1, 2.0, None, None]


def test_a_long_text_is_cut_so_that_it_shows() -> None:
    """As in other tables, its row is named later."""
    (row,) = rows_of(parquet({"question": ["x" * 3 * MAX_CELL], "answer": ["y"]}))
    assert row["question"] == "x" * (MAX_CELL + 1)


def test_categories_are_the_texts_that_they_stand_for() -> None:
    """Some programs keep texts so."""
    kinds = pa.array(["a", "b", "a"]).dictionary_encode()
    rows = rows_of(parquet({"question": ["x", "y", "z"], "answer": kinds}))
    assert [row["answer"] for row in rows] == ["a", "b", "a"]


def test_what_the_person_says_decides_which_columns_are_read() -> None:
    """The rest is not even looked at, whatever it holds."""
    columns = WORDS | {"Q": ["1", "2", "3"], "odd": [{"a": 1}] * 3}
    rows = rows_of(parquet(columns), {"question": "Q"})
    assert rows[1] == {"answer": "Katze", "Q": "2"}
    assert rows_of(parquet(columns), {"question": "nowhere"})[1] == {"answer": "Katze"}


def test_groups_of_rows_are_read_one_after_another_until_there_are_enough() -> None:
    """In the order of the file."""
    numbers = [str(n) for n in range(2_500)]
    data = parquet({"question": numbers, "answer": numbers}, row_group_size=700)
    assert [row["question"] for row in rows_of(data)] == numbers
    assert [row["question"] for row in rows_of(data, rows=1_500)] == numbers[:1_500]
    assert len(rows_of(data, rows=9_999)) == 2_500


def test_a_table_without_rows_has_no_lines() -> None:
    """Whoever reads them says so."""
    none = pa.array([], pa.string())
    assert rows_of(parquet({"question": none, "answer": none})) == []


@pytest.mark.parametrize(
    ("answers", "kind"),
    [
        ([{"a": 1}], "struct"),
        ([[1, 2]], "list"),
        ([[["a"]]], "list"),
        (pa.array([b"ab"]), "binary"),
        (pa.array([0], pa.timestamp("s")), "timestamp"),
        (pa.array([None], pa.null()), "null"),
        (pa.array([[("a", "b")]], pa.map_(pa.string(), pa.string())), "map"),
    ],
)
def test_other_kinds_of_columns_are_refused_by_name(answers: object, kind: str) -> None:
    """With what they hold; another column may do."""
    trouble = reply_to(parquet({"question": ["a"], "answer": answers})).trouble
    assert f"The column “answer” holds {kind}" in trouble
    assert "--column answer=NAME" in trouble


def test_two_columns_of_one_name_are_refused() -> None:
    """Nobody could say which is meant."""
    table = pa.Table.from_arrays([pa.array(["a"]), pa.array(["b"])], names=["x", "x"])
    out = pa.BufferOutputStream()
    pa.parquet.write_table(table, out)
    assert "the same name" in reply_to(out.getvalue().to_pybytes()).trouble


def test_what_is_not_in_utf_8_is_told() -> None:
    """A text by its type, and none by its bytes."""
    texts = pa.Array.from_buffers(
        pa.string(), 1, [None, pa.array([0, 2], pa.int32()).buffers()[1], pa.py_buffer(b"\xff\xfe")]
    )
    data = parquet({"question": texts, "answer": ["a"]})
    assert "not in UTF-8" in reply_to(data).trouble


def test_more_rows_than_a_deck_holds_are_refused_by_what_the_footer_says() -> None:
    """With what to do; whoever bounds them gets the first."""
    numbers = list(range(100_001))
    data = parquet({"question": numbers, "answer": numbers})
    assert "100,001 rows, and a deck has at most 100,000. Take" in reply_to(data).trouble
    assert len(rows_of(data, rows=100)) == 100


def test_billions_of_rows_that_are_claimed_are_refused() -> None:
    """Before any of them is looked for; bounded, there are simply not so many."""
    numbers = list(range(1_234))
    data = claiming(parquet({"question": numbers, "answer": numbers}), 1_234, 5_000_000_000)
    assert "5,000,000,000 rows" in reply_to(data).trouble
    reply = reply_to(data, rows=2_000)
    assert reply.trouble.startswith("This is no Parquet file") or reply.lines.count(b"\n") <= 2_000


@pytest.mark.parametrize("claimed", [300_000_000, 10**15, -5])
def test_what_would_be_too_large_unpacked_is_refused(claimed: int) -> None:
    """By what the footer says of the columns that are read."""
    texts = [f"{n} {'x' * 50}" for n in range(500)]
    data = parquet({"question": texts, "answer": ["a"] * 500, "other": ["b"] * 500})
    footer = pa.parquet.ParquetFile(pa.BufferReader(data)).metadata
    size = footer.row_group(0).column(0).total_uncompressed_size
    trouble = reply_to(claiming(data, size, claimed)).trouble
    assert ("bytes unpacked" if claimed > 0 else "it is damaged") in trouble
    other = reply_to(claiming(data, size, claimed), {"question": "answer", "answer": "other"})
    assert other.trouble == ""


@pytest.mark.parametrize("damage", ["none", "cut", "text", "footer", "length", "count"])
def test_what_is_no_parquet_is_told(damage: str) -> None:
    """Truncated anywhere, another kind of file, a footer that is noise or too long."""
    data = parquet(WORDS)
    broken = {
        "none": b"",
        "cut": data[:-20],
        "text": b"question,answer\na,b\n",
        "footer": with_footer(data, b"\xff" * len(footer_of(data))),
        "length": data[:-8] + b"\xff\xff\xff\x7fPAR1",
        "count": with_footer(data, footer_of(data)[: len(footer_of(data)) // 2]),
    }[damage]
    assert "no Parquet file, or it is damaged" in reply_to(broken).trouble
