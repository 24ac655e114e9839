"""From corpus to a model folder."""

from dataclasses import replace
from pathlib import Path

import msgspec

from core.lab.make_starter import make_starter
from core.lab.starters import Shape, starter
from core.models.catalog import load_models
from core.models.loading import load_policy
from core.tasks.catalog import load_catalog


def test_what_is_made_can_be_loaded(tmp_path: Path) -> None:
    """A folder from nothing holds a model of the catalogue's kind, readable by anyone."""
    recipe = replace(starter("ember"), shape=Shape(512, 32, 1, 2, 1, 64), documents=300)
    told: list[str] = []
    making = make_starter(recipe, load_catalog(), tmp_path / "ember", 1, told.append)
    spec = msgspec.structs.replace(load_models().get("ember"), folder=tmp_path / "ember")
    policy = load_policy(spec, 0)
    assert policy.decode(policy.encode_completion("12 + 7", ended=True)) == "12 + 7"
    assert (making.documents, making.seed) == (300, 1)
    assert making.tokens > 300
    assert told
    weights = tmp_path / "ember" / "model.safetensors"
    assert weights.stat().st_mode & 0o044 == 0o044
