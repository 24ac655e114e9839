"""``waggle tasks``."""

import json

import pytest

from core.cli.main import main
from tests.commands import Typed


def test_the_list_names_every_task(typed: Typed) -> None:
    """JSON for programs and a table for people say the same."""
    rows = json.loads(typed("tasks", "--json").out)
    table = typed("tasks").out
    assert len(rows) >= 21
    assert all(row["levels"] >= 3 for row in rows)
    assert all(row["id"] in table for row in rows)


def test_a_puzzle_can_be_shown_again(typed: Typed) -> None:
    """The same seed shows the same puzzle, with an answer and the way to get it back."""
    command = ("tasks", "show", "chain_sum", "--level", "1", "--seed", "7")
    first = typed(*command)
    assert typed(*command) == first
    assert first.code == 0
    assert "A right answer: " in first.out
    assert "--level 1 --seed 7 --index 0" in first.out


def test_a_level_that_does_not_exist_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    """The message says which levels there are."""
    assert main(["tasks", "show", "chain_sum", "--level", "99"]) == 2
    assert "from 1 to" in capsys.readouterr().err
