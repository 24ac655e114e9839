"""From an order to a model with its card."""

from pathlib import Path

import pytest

from core.errors import UnknownModelError
from core.lab.workshop import StarterOrder, pretrain


def test_an_order_ends_in_a_folder_with_a_card(tmp_path: Path) -> None:
    """The smallest order makes weights, tokenizer and a card that names its score."""
    told: list[str] = []
    pretrain(
        StarterOrder("spark", seed=1, documents=200, threads=1, out=tmp_path, puzzles=1),
        told.append,
    )
    names = {path.name for path in (tmp_path / "spark").iterdir()}
    assert {"README.md", "model.safetensors", "tokenizer.json", "config.json"} <= names
    assert "score on the level-1 mix" in (tmp_path / "spark" / "README.md").read_text()
    assert told[-1].startswith("Done: score")


def test_an_unknown_model_is_refused_before_any_work(tmp_path: Path) -> None:
    """Nothing is written."""
    with pytest.raises(UnknownModelError):
        pretrain(StarterOrder("sparc", 1, 10, 1, tmp_path), lambda _: None)
    assert list(tmp_path.iterdir()) == []
