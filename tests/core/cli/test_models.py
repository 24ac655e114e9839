"""``waggle models``."""

import json

import pytest

from core.cli.main import main


def test_both_starters_are_offered(capsys: pytest.CaptureFixture[str]) -> None:
    """JSON and table name them, with their size."""
    assert main(["models", "--json"]) == 0
    rows = {row["id"]: row for row in json.loads(capsys.readouterr().out)}
    assert {"spark", "ember"} <= set(rows)
    assert 1e6 < rows["spark"]["parameters"] < 2e6
    assert 5e6 < rows["ember"]["parameters"] < 8e6
    assert main(["models"]) == 0
    assert "spark" in capsys.readouterr().out
