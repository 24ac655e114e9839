"""What the window is told about models."""

import pytest
from msgspec.structs import replace

from core.api.models import (
    FetchModel,
    ListedModel,
    ListModels,
    LookUpModel,
    ModelFound,
    ModelsListed,
)
from core.errors import UnknownModelError
from core.models.catalog.library import Library
from core.models.catalog.manifest import FileRecord, Manifest
from core.services.models import fetch_model
from core.services.service import ServiceContext
from tests.asking_services import answer_to
from tests.fake_model_hub import COMMIT, REPO, FakeModelHub
from tests.fetching import ID, WEIGHTS


async def listing(place: ServiceContext) -> ModelsListed:
    return await answer_to(ListModels(), place, ModelsListed)


async def model(place: ServiceContext, name: str) -> ListedModel:
    return next(m for m in (await listing(place)).models if m.id == name)


async def look_up(place: ServiceContext, name: str) -> ListedModel:
    return (await answer_to(LookUpModel(name=name), place, ModelFound)).model


async def test_all_models_are_told_with_their_figures(place: ServiceContext) -> None:
    """Starters are here; others have a size, and all say what they need and what there is."""
    answer = await listing(place)
    assert answer.disk_free > 0
    assert [m.id for m in answer.models[:2]] == ["spark", "ember"]
    spark = answer.models[0]
    assert (spark.presence, spark.download, spark.repo) == ("ships", 0, "")
    assert spark.fit is not None
    assert spark.fit.verdict == "fits"
    half = next(m for m in answer.models if m.id == "qwen2.5-0.5b")
    assert (half.presence, half.exports) == ("available", None)
    assert half.download > 900e6
    assert half.fit is not None
    assert half.fit.need > 10**9
    assert next(m for m in answer.models if m.id == "llama-3.2-1b").gated


async def test_exports_of_what_is_here_have_a_size(place: ServiceContext) -> None:
    """Before anything is loaded: those of Spark, from half a megabyte to three."""
    sizes = (await model(place, "spark")).exports
    assert sizes is not None
    assert 0.3e6 < sizes.peft < sizes.gguf_q8_0 < sizes.gguf < sizes.merged < 5e6


async def test_what_was_learnt_is_told(place: ServiceContext) -> None:
    """Rounds and bytes, of today's model and of what was put aside."""
    for folder, rounds in (("spark", 12), ("spark@20260101-101500", 40)):
        (place.home.checkpoints / folder).mkdir()
        path = place.home.checkpoints / folder / f"{rounds:08d}.safetensors"
        path.write_bytes(b"x" * rounds)
    spark = await model(place, "spark")
    assert (spark.rounds, spark.learnt) == (12, 52)
    (backup,) = spark.backups
    assert (backup.name, backup.rounds, backup.size) == ("spark@20260101-101500", 40, 40)


async def test_a_fetched_model_is_told_with_the_space_that_it_takes(
    hub: FakeModelHub, place: ServiceContext
) -> None:
    """Its files, and the copies that were made of them."""
    await fetch_model(FetchModel(model=REPO), place, lambda _: None)
    (place.home.cache / f"{ID}@0123-f16-1.gguf").write_bytes(b"x" * 5_000)
    mine = await model(place, ID)
    assert (mine.presence, mine.repo, mine.title) == ("installed", REPO, REPO)
    size = sum(map(len, hub.files.values()))
    assert mine.on_disk == 5_000 + Library(place.home.models).size(ID) > size
    (Library(place.home.models).folder(ID) / WEIGHTS).unlink()
    assert (await model(place, ID)).presence == "damaged"


async def test_what_was_begun_is_told_with_what_came_in(place: ServiceContext) -> None:
    """Of a model in no catalogue, too, of which little else is known."""
    library = Library(place.home.models)
    record = FileRecord(WEIGHTS, 1_000, "git", "0" * 40)
    with library.draft(ID) as draft:
        library.note(draft, Manifest(ID, REPO, COMMIT, (record,)))
        (draft / "part").write_bytes(b"x" * 400)
    mine = await model(place, ID)
    assert (mine.presence, mine.came_in, mine.download) == ("partly", 400, 1_000)
    assert (mine.fit, mine.parameters) == (None, 0)


async def test_a_model_can_be_looked_up_before_it_is_fetched(
    hub: FakeModelHub, place: ServiceContext
) -> None:
    """Its description tells what it needs; no weights are asked for, and nothing is left behind."""
    found = await look_up(place, REPO)
    assert (found.id, found.presence, found.repo) == (ID, "available", REPO)
    assert found.download == sum(map(len, hub.files.values()))
    assert found.fit is not None
    assert found.fit.verdict == "fits"
    assert hub.asked[WEIGHTS] == 0
    assert list(place.home.models.iterdir()) == list(place.home.cache.iterdir()) == []


@pytest.mark.usefixtures("hub")
async def test_a_known_model_is_not_asked_for(place: ServiceContext) -> None:
    """Those of the catalogue and those that are here are told as they are listed."""
    found, listed = await look_up(place, "Qwen/Qwen3-0.6B"), await model(place, "qwen3-0.6b")
    assert found.fit is not None  # how much memory is free may differ between two looks
    assert replace(found, fit=None) == replace(listed, fit=None)
    await fetch_model(FetchModel(model=REPO), place, lambda _: None)
    assert (await look_up(place, REPO)).presence == "installed"


@pytest.mark.usefixtures("hub")
@pytest.mark.parametrize("name", ["nobody/Nothing", "sparc", "../../etc", "a/../b"])
async def test_what_there_is_not_is_refused_in_words(place: ServiceContext, name: str) -> None:
    """Whether the hub says so or the name itself."""
    with pytest.raises(UnknownModelError):
        await look_up(place, name)
