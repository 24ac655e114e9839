"""``waggle exam``."""

import json
from pathlib import Path

import pytest

from core.cli.main import main


def test_an_untrained_model_gains_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before any practice, base and today are the same model: the gain is exactly zero."""
    command = ["exam", "--model", "spark", "--puzzles", "30", "--home", str(tmp_path)]
    assert main([*command, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["round"], report["puzzles"]) == (0, 30)
    assert report["base"] == report["today"]
    assert report["gain"] == {"mean": 0.0, "standard_error": 0.0}
    assert main(command) == 0
    assert "Gain: +0.0%" in capsys.readouterr().out
