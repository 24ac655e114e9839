"""``waggle lab``."""

from pathlib import Path

from tests.commands import Typed


def test_an_unknown_starter_is_wrong_usage(typed: Typed, tmp_path: Path) -> None:
    """Nothing is made, and the sentence names the starters."""
    told = typed("lab", "pretrain", "sparc", "--out", tmp_path)
    assert told.code == 2
    assert "spark, ember" in told.err
    assert list(tmp_path.iterdir()) == []
