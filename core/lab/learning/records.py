"""The rows of a run: a CSV of rounds and a CSV of exams, written as the run goes on."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from core.engine.exam import Cell
from core.errors import LabError
from core.rollouts.types import TaskId
from core.storage.files import replace_file

ROUNDS: Final = "rounds.csv"
EXAMS: Final = "exams.csv"
DONE: Final = "done"
"""Stands beside them once the run is whole."""

Row = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Record:
    """One CSV file of a run: a row for each node after each step, in this order."""

    path: Path

    def read(self) -> list[dict[str, str]]:
        """All rows so far; none without a file.

        Raises:
            LabError: it is no table.
        """
        try:
            text = self.path.read_text("utf-8")
            rows = list(csv.DictReader(io.StringIO(text), strict=True))
        except FileNotFoundError:
            return []
        except (OSError, UnicodeDecodeError, csv.Error) as error:
            raise damaged(self.path) from error
        if any(None in row or None in row.values() for row in rows):  # too many cells, or too few
            raise damaged(self.path)
        return rows

    def read_steps(self, steps: Sequence[int], nodes: int) -> list[dict[str, str]]:
        """The rows of ``steps``, with which the file begins; what comes after them is left out.

        Raises:
            LabError: one of them is not there.
        """
        expected = [(str(step), str(node)) for step in steps for node in range(nodes)]
        rows = self.read()[: len(expected)]
        if [(row.get("round"), row.get("node")) for row in rows] != expected:
            raise damaged(self.path)
        return rows

    def write(self, rows: Sequence[Row]) -> None:
        """Put ``rows`` in place of what was there, in one step."""
        text = io.StringIO()
        if rows:
            writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
        replace_file(self.path, text.getvalue().encode())


def figure(value: float | None) -> str:
    """A number as it stands in a cell; empty where there is none."""
    return "" if value is None else f"{value:.6g}"


WORKED: Final = "worked:"
"""Begins the column of a kind in which answers may show their work."""


WORKING: Final = "worked"
"""The column of a round that says what share of the own answers showed their work."""


def column_of(cell: Cell) -> str:
    """The column of a task at one level; no other column has a space in its name."""
    return f"{cell[0]} {cell[1]}"


def cells_of(columns: Iterable[str]) -> tuple[Cell, ...]:
    """The cells that have a column.

    Raises:
        ValueError: one of them is of no level.
    """
    parts = (name.rpartition(" ") for name in columns if " " in name)
    return tuple((TaskId(task), int(level)) for task, _, level in parts)


def damaged(path: Path) -> LabError:
    """The error for a file of a run that is not as the lab left it."""
    return LabError(
        f"{path} is damaged. Delete its folder and start the same command again; "
        "runs that are whole are not played twice."
    )
