"""The models on offer come from the catalogue that ships."""

from pathlib import Path

import pytest

from app.model_choices import load_choices
from core.errors import ModelError


def test_the_starter_models_are_on_offer() -> None:
    """Only they, since others must be fetched first; told apart by name, size and one sentence."""
    spark, ember = load_choices()
    assert (spark.id, ember.id) == ("spark", "ember")
    assert spark.parameters < ember.parameters
    assert spark.sentence != ember.sentence
    assert spark.size.endswith("million parameters")


@pytest.mark.parametrize("text", ["", "models = []", "models = 3", "[[models]]\nid = 1", "\0"])
def test_a_damaged_list_is_told_in_words(tmp_path: Path, text: str) -> None:
    """Whatever is wrong with the file: one error, with the way out."""
    path = tmp_path / "models.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ModelError, match="Install Waggle again"):
        load_choices(path)


def test_a_missing_list_is_told_in_words(tmp_path: Path) -> None:
    """No file, no traceback."""
    with pytest.raises(ModelError, match="Install Waggle again"):
        load_choices(tmp_path / "nothing.toml")
