"""From corpus to a model folder."""

import os
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from safetensors.torch import load_file

from core.errors import UsageError
from core.lab import make_starter as make_starter_module
from core.lab.make_starter import TrainingResources, make_starter
from core.lab.starters import StarterShape, starter
from core.models.catalog.catalog import load_models
from core.models.policy.loading import load_policy
from tests.posix import mode_of

TINY = StarterShape(400, 32, 1, 2, 1, 64)


def test_what_is_made_can_be_loaded(tmp_path: Path) -> None:
    """A folder from nothing holds a model of the catalogue's kind, readable by anyone."""
    recipe = replace(starter("ember"), shape=TINY, documents=300)
    told: list[str] = []
    making = make_starter(recipe, tmp_path / "ember", 1, told.append)
    spec = msgspec.structs.replace(load_models().get("ember"), folder=tmp_path / "ember")
    policy = load_policy(spec, 0)
    assert policy.decode(policy.encode_completion("12 + 7", ended=True)) == "12 + 7"
    assert (making.documents, making.seed) == (300, 1)
    assert making.tokens > 300
    assert told
    weights = tmp_path / "ember" / "model.safetensors"
    assert os.name == "nt" or mode_of(weights) & 0o044 == 0o044


def test_the_same_seed_makes_the_same_model(tmp_path: Path) -> None:
    """To the bit, whoever writes the corpus; another seed reads other puzzles."""
    recipe = replace(starter("spark"), shape=TINY, documents=120)
    made = []
    for name, seed, writers in (("one", 1, 0), ("again", 1, 1), ("other", 2, 0)):
        resources = TrainingResources(writers=writers)
        make_starter(recipe, tmp_path / name, seed, lambda _: None, resources)
        made.append((tmp_path / name / "model.safetensors").read_bytes())
    assert made[0] == made[1]
    assert made[0] != made[2]


def test_a_longer_training_goes_on_where_the_rates_began_to_fall(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was read at falling rates is left; nothing before it is read twice."""
    monkeypatch.setattr(make_starter_module, "PART", 50)
    recipe = replace(starter("spark"), shape=TINY, documents=200)
    told: list[str] = []
    make_starter(recipe, tmp_path / "it", 1, told.append)
    longer = make_starter(replace(recipe, documents=400), tmp_path / "it", 1, told.append)
    made_longer = (tmp_path / "it" / "model.safetensors").read_bytes()
    assert [line.split()[1] for line in told] == [
        *("1/4", "2/4", "3/4", "4/4"),
        *("4/8", "5/8", "6/8", "7/8", "8/8"),
    ]
    at_once = make_starter(replace(recipe, documents=400), tmp_path / "new", 1, told.append)
    assert (tmp_path / "new" / "model.safetensors").read_bytes() == made_longer
    assert at_once.tokens == longer.tokens


def test_a_starter_can_go_on_from_the_weights_of_another(tmp_path: Path) -> None:
    """Its tokenizer stays, and its weights are where the training begins: hardly moved by little.

    Nothing of another shape is taken.
    """
    recipe = replace(starter("spark"), shape=TINY, documents=300)
    first, second = tmp_path / "first", tmp_path / "second"
    make_starter(recipe, first, 1, lambda _: None)
    shorter = replace(recipe, documents=20, origin=first)
    make_starter(shorter, second, 2, lambda _: None)
    tokenizers = [(folder / "tokenizer.json").read_bytes() for folder in (first, second)]
    assert tokenizers[0] == tokenizers[1]
    before, after = (load_file(folder / "model.safetensors") for folder in (first, second))
    moved = sum(float((after[k].float() - before[k].float()).norm() ** 2) for k in before)
    length = sum(float(before[k].float().norm() ** 2) for k in before)
    assert 0 < moved < length / 4
    wider = replace(shorter, shape=replace(TINY, intermediate=80))
    with pytest.raises(UsageError, match="another shape"):
        make_starter(wider, tmp_path / "third", 1, lambda _: None)
    with pytest.raises(UsageError, match="no starter"):
        make_starter(replace(shorter, origin=tmp_path), tmp_path / "fourth", 1, lambda _: None)


def test_another_seed_does_not_go_on_from_what_is_there(tmp_path: Path) -> None:
    """Two corpora would be mixed, and the card would tell of one."""
    recipe = replace(starter("spark"), shape=TINY, documents=20)
    make_starter(recipe, tmp_path / "it", 1, lambda _: None)
    with pytest.raises(UsageError, match="another seed"):
        make_starter(recipe, tmp_path / "it", 2, lambda _: None)


def test_more_at_full_rates_than_is_wanted_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A shorter training cannot go on from a longer one."""
    monkeypatch.setattr(make_starter_module, "PART", 50)
    recipe = replace(starter("spark"), shape=TINY, documents=200)
    make_starter(recipe, tmp_path / "it", 1, lambda _: None)
    with pytest.raises(UsageError, match="more at full rates"):
        make_starter(replace(recipe, documents=100), tmp_path / "it", 1, lambda _: None)


def test_a_making_that_was_interrupted_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After the last part that was read; what comes of it is the same to the bit."""
    monkeypatch.setattr(make_starter_module, "PART", 100)
    recipe = replace(starter("spark"), shape=TINY, documents=250)
    made = []
    for name, stops in (("whole", False), ("interrupted", True)):
        told: list[str] = []

        def tell(line: str, *, told: list[str] = told, stops: bool = stops) -> None:
            told.append(line)
            if stops and len(told) == 2:
                raise KeyboardInterrupt

        folder = tmp_path / name
        with pytest.raises(KeyboardInterrupt) if stops else nullcontext():
            make_starter(recipe, folder, 1, tell)
        if stops:
            making = make_starter(recipe, folder, 1, told.append)
            assert [line.split()[1] for line in told] == ["1/3", "2/3", "3/3"]
            assert making.documents == 250
        made.append((folder / "model.safetensors").read_bytes())
    assert made[0] == made[1]
