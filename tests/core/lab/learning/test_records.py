"""The rows of a run come back as they were written, or not at all."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import LabError
from core.lab.learning.records import ROUNDS, Record, figure

ROWS = [
    {"round": str(step), "node": str(node), "model": "spark", "reward": figure(step / 7), "bf": ""}
    for step in (1, 2, 3)
    for node in (0, 1)
]


@pytest.fixture
def record(tmp_path: Path) -> Record:
    record = Record(tmp_path / ROUNDS)
    record.write(ROWS)
    return record


def test_rows_come_back_as_they_were_written(record: Record) -> None:
    """Empty cells included, and writing them again changes no byte."""
    before = record.path.read_bytes()
    assert record.read() == ROWS
    record.write(record.read())
    assert record.path.read_bytes() == before


def test_a_file_that_is_not_there_has_no_rows(tmp_path: Path) -> None:
    """A run that was not saved yet begins with nothing."""
    record = Record(tmp_path / ROUNDS)
    assert record.read() == []
    assert record.read_steps([], 2) == []
    record.write([])
    assert record.read() == []


def test_what_comes_after_the_steps_is_left_out(record: Record) -> None:
    """Rows that were written after the last save of everything else are made again."""
    assert record.read_steps([1, 2], 2) == ROWS[:4]


@pytest.mark.parametrize(
    ("steps", "nodes"), [([1, 2, 3, 4], 2), ([1, 3], 2), ([0, 1], 2), ([1, 2], 3), ([2, 3], 2)]
)
def test_rows_that_are_missing_are_told(record: Record, steps: list[int], nodes: int) -> None:
    """Other rounds or other nodes than there are."""
    with pytest.raises(LabError, match=f"{ROUNDS} is damaged"):
        record.read_steps(steps, nodes)


@pytest.mark.parametrize(
    "row", ["1,0,spark,0.1", "1,0,spark,0.1,,", '1,0,"spark,0.1,', '1,0,"a"b,,']
)
def test_a_row_of_another_width_is_told(record: Record, row: str) -> None:
    """Too few cells, too many, or quotes that do not close."""
    lines = record.path.read_text("utf-8").splitlines()
    record.path.write_text("\n".join([*lines[:2], row, *lines[3:]]), "utf-8")
    with pytest.raises(LabError, match="damaged"):
        record.read()


@given(st.data())
def test_no_damage_is_taken_for_rows(data: st.DataObject) -> None:
    """Whatever happened to the file: the rounds and nodes that were asked for, or an error."""
    with TemporaryDirectory() as folder:
        record = Record(Path(folder) / ROUNDS)
        record.write(ROWS)
        text = record.path.read_bytes()
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, min(len(text), start + 40)))
        record.path.write_bytes(text[:start] + data.draw(st.binary(max_size=8)) + text[end:])
        try:
            rows = record.read_steps([1, 2], 2)
        except LabError:
            return
    assert [(row["round"], row["node"]) for row in rows] == [
        (row["round"], row["node"]) for row in ROWS[:4]
    ]


@given(st.floats(0, 1e9, allow_subnormal=False))
def test_a_figure_keeps_six_digits(value: float) -> None:
    """Enough for any plot, and short enough to read."""
    assert float(figure(value)) == pytest.approx(value, rel=1e-5)
    assert len(figure(value)) <= 12


def test_what_there_is_not_is_an_empty_cell() -> None:
    """And not a zero."""
    assert figure(None) == ""
    assert figure(0.0) == "0"
