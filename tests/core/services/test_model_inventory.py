"""The shelf of models: the catalogue, and what else is here."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from core.models.catalog.catalog import load_models
from core.models.memory.fit import Machine
from core.paths import Home
from core.services import model_inventory
from core.services.model_inventory import ModelJudge, trainable_models


def test_the_catalogue_comes_first_in_its_order(tmp_path: Path) -> None:
    """The smallest first, each judged on the machine that would train it."""
    models = list(trainable_models(Home(tmp_path)))
    assert [model.id for model in models] == [spec.id for spec in load_models().models]
    assert [model.presence for model in models[:3]] == ["ships", "ships", "available"]
    assert all(model.judged is not None for model in models)


def test_one_that_is_too_large_names_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The largest one below it that is not; a small model is judged by the processor alone."""
    monkeypatch.setattr(
        model_inventory, "processor_machine", lambda _: Machine("cpu", 2 * 10**9, 4)
    )
    monkeypatch.setattr(
        model_inventory, "large_model_machine", lambda *_: Machine("cuda", 3 * 10**9, 2)
    )
    catalogue = load_models()
    judge = ModelJudge(catalogue, Home(tmp_path)).judge
    large = judge(catalogue.get("qwen3-4b"))
    assert (large.fit.verdict, large.machine.device) == ("too_large", "cuda")
    assert large.instead is not None
    assert judge(large.instead).fit.verdict != "too_large"
    spark = judge(catalogue.get("spark"))
    assert (spark.fit.verdict, spark.machine.device, spark.instead) == ("fits", "cpu", None)


def test_memory_that_stays_free_by_the_settings_is_no_room(tmp_path: Path) -> None:
    """For none of them, but on a graphics card, which has memory of its own."""
    home = Home(tmp_path)
    home.settings.write_text('[compute]\ndevice = "cpu"\n[rules]\nmemory_floor_mb = 1_000_000\n')
    judged = [model.judged for model in trainable_models(home)]
    assert {one.fit.verdict for one in judged if one is not None} == {"too_large"}


def test_a_model_that_came_with_this_copy_ships(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even if others would have to fetch it."""
    catalogue = load_models()
    shipped = replace(catalogue.get("qwen3-0.6b"), folder=tmp_path)
    monkeypatch.setattr(
        model_inventory, "load_models", lambda: replace(catalogue, models=(shipped,))
    )
    (model,) = trainable_models(Home(tmp_path))
    assert model.presence == "ships"
