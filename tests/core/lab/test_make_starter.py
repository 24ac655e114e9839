"""From corpus to a model folder."""

from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
import torch
from safetensors.torch import load_file

from core.lab import make_starter as make_starter_module
from core.lab.make_starter import make_starter
from core.lab.starters import StarterShape, base_spec, starter
from core.models.catalog.catalog import load_models
from core.models.policy.loading import load_policy
from core.tasks.catalog import load_catalog


def test_what_is_made_can_be_loaded(tmp_path: Path) -> None:
    """A folder from nothing holds a model of the catalogue's kind, readable by anyone."""
    recipe = replace(starter("ember"), shape=StarterShape(512, 32, 1, 2, 1, 64), documents=300)
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


def test_a_model_with_a_parent_goes_on_from_it(tmp_path: Path) -> None:
    """The parent's words, and its weights but for what little was read since."""
    recipe = replace(starter("spark-sparse"), documents=40)
    making = make_starter(recipe, load_catalog(), tmp_path / "base", 1, lambda _: None)
    parent = load_models().get("spark")
    policy = load_policy(base_spec("spark-sparse", tmp_path / "base"), 0)
    like = load_policy(parent, 0)
    prompt = "State the final answer: 12 + 7 ="
    assert policy.encode_prompt(prompt) == like.encode_prompt(prompt)
    assert policy.eos_id == like.eos_id
    before = load_file(parent.folder / "model.safetensors")
    after = load_file(tmp_path / "base" / "model.safetensors")
    assert before.keys() == after.keys()
    moved = [(after[name] - before[name]).norm() / before[name].norm() for name in before]
    assert 0 < max(moved) < 0.5
    assert after["model.embed_tokens.weight"].dtype == torch.float16
    assert making.documents == 40


def test_the_same_parent_and_seed_make_the_same_model(tmp_path: Path) -> None:
    """To the bit; another seed reads other puzzles."""
    recipe = replace(starter("spark-sparse"), documents=40)
    made = []
    for name, seed in (("one", 1), ("again", 1), ("other", 2)):
        make_starter(recipe, load_catalog(), tmp_path / name, seed, lambda _: None)
        made.append((tmp_path / name / "model.safetensors").read_bytes())
    assert made[0] == made[1]
    assert made[0] != made[2]


def test_a_making_that_was_interrupted_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After the last part that was read; what comes of it is the same to the bit."""
    monkeypatch.setattr(make_starter_module, "PART", 100)
    recipe = replace(starter("spark"), shape=StarterShape(400, 32, 1, 2, 1, 64), documents=250)
    made = []
    for name, stops in (("whole", False), ("interrupted", True)):
        told: list[str] = []

        def tell(line: str, *, told: list[str] = told, stops: bool = stops) -> None:
            told.append(line)
            if stops and len(told) == 2:
                raise KeyboardInterrupt

        folder = tmp_path / name
        with pytest.raises(KeyboardInterrupt) if stops else nullcontext():
            make_starter(recipe, load_catalog(), folder, 1, tell)
        if stops:
            making = make_starter(recipe, load_catalog(), folder, 1, told.append)
            assert [line.split()[1] for line in told] == ["1/3", "2/3", "3/3"]
            assert making.documents == 250
        assert not folder.with_suffix(".training").exists()
        made.append((folder / "model.safetensors").read_bytes())
    assert made[0] == made[1]
