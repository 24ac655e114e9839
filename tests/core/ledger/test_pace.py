"""How long the last rounds took."""

from pathlib import Path

from msgspec.structs import replace

from core.ledger.history import History
from core.ledger.pace import LAST, usual_seconds
from tests.fakes import finished


def test_the_middle_one_of_the_last_rounds_counts(tmp_path: Path) -> None:
    """Not those of long ago, nor one that a busy neighbour slowed down."""
    path = tmp_path / "l.sqlite"
    with History(path, "spark") as ledger:
        for number in range(1, LAST + 11):
            slow = 100.0 if number <= 10 or number == LAST + 5 else 2.0
            times = {"sample_s": slow, "judge_s": 0.0, "share_s": 0.5, "train_s": 0.25}
            ledger.record(replace(finished(number), **times))
    assert usual_seconds(path, "spark") == 2.75


def test_without_rounds_nothing_is_known(tmp_path: Path) -> None:
    """Of another model, or before the first one; looking makes no file."""
    path = tmp_path / "l.sqlite"
    assert usual_seconds(path, "spark") is None
    assert not path.exists()
    with History(path, "ember") as ledger:
        ledger.record(finished(1))
    assert usual_seconds(path, "spark") is None
