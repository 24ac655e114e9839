"""``waggle lab``."""

from pathlib import Path

import pytest

from core.cli.main import main


def test_an_unknown_starter_is_wrong_usage(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is made, and the sentence names the starters."""
    assert main(["lab", "pretrain", "sparc", "--out", str(tmp_path)]) == 2
    assert "spark, ember" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
