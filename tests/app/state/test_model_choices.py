"""The models on offer come from the catalogue that ships."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from app.state.model_choices import NOTE, choices_of, load_choices, offered, pick
from core.errors import ModelError
from core.models.catalog.library import MANIFEST
from tests.app.pages.models.samples import LISTED, SMOL, SPARK


def fetch(models: Path, name: str, text: str) -> None:
    """Leave what a finished download leaves, as far as the window looks at it."""
    (models / name).mkdir()
    (models / name / NOTE).write_text(text, encoding="utf-8")


def test_the_starter_models_are_on_offer() -> None:
    """Alone at first, since others must be fetched; told apart by name and one sentence."""
    spark, ember = load_choices()
    assert (spark.id, ember.id) == ("spark", "ember")
    assert spark.parameters < ember.parameters
    assert spark.sentence != ember.sentence


@pytest.mark.parametrize("text", ["", "models = []", "models = 3", "[[models]]\nid = 1", "\0"])
def test_a_damaged_list_is_told_in_words(tmp_path: Path, text: str) -> None:
    """Whatever is wrong with the file: one error, with the way out."""
    path = tmp_path / "models.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ModelError, match="Install Waggle again"):
        load_choices(path=path)


def test_a_missing_list_is_told_in_words(tmp_path: Path) -> None:
    """No file, no traceback."""
    with pytest.raises(ModelError, match="Install Waggle again"):
        load_choices(path=tmp_path / "nothing.toml")


def test_fetched_models_are_on_offer_before_anybody_asks_the_helper(tmp_path: Path) -> None:
    """Those of the catalogue with all that it says, others by their name; damaged notes are not."""
    assert NOTE == MANIFEST
    fetch(tmp_path, "qwen3-0.6b", '{"id": "qwen3-0.6b", "repo": "Qwen/Qwen3-0.6B", "files": []}')
    fetch(tmp_path, "someone--smol", '{"id": "someone--smol", "repo": "someone/Smol"}')
    fetch(tmp_path, "moved", '{"id": "elsewhere", "repo": "someone/Moved"}')
    fetch(tmp_path, "broken", "no json")
    fetch(tmp_path, ".draft-half", '{"id": ".draft-half", "repo": "someone/Half"}')
    fetched = [choice for choice in load_choices(tmp_path) if choice.repo is not None]
    assert [(choice.id, choice.title) for choice in fetched] == [
        ("qwen3-0.6b", "Qwen3 0.6B"),
        ("someone--smol", "someone/Smol"),
    ]


def test_what_the_helper_lists_takes_their_place() -> None:
    """Of it, what is here and whole."""
    here = replace(SMOL, presence="installed")
    damaged = replace(SMOL, id="damaged", presence="damaged")
    choices = choices_of(replace(LISTED, models=(SPARK, here, damaged, *LISTED.models[2:])))
    assert [(choice.id, choice.repo) for choice in choices] == [
        ("spark", None),
        ("smol", "someone/Smol"),
    ]


def test_home_offers_the_starters_and_a_guest() -> None:
    """More would not find room there."""
    here = [replace(SMOL, id=name, presence="installed") for name in ("smol", "other")]
    choices = choices_of(replace(LISTED, models=(SPARK, *here)))
    assert [choice.id for choice in offered(choices, "other")] == ["spark", "other"]
    assert [choice.id for choice in offered(choices, "")] == ["spark"]


def test_a_choice_that_is_gone_falls_back() -> None:
    """To the first starter."""
    choices = choices_of(LISTED)
    assert pick(choices, "spark") == "spark"
    assert pick(choices, "removed") == "spark"
