"""Fetching, checking and removing, as the helper does it."""

import asyncio
import json
from contextlib import suppress
from pathlib import Path

import keyring
import pytest
from keyring.backends.fail import Keyring as NoKeyring

from core.api.models import (
    FetchModel,
    ForgetHubToken,
    HubTokenShown,
    ModelDone,
    ModelProgress,
    RemoveModel,
    RemovePart,
    SetHubToken,
    ShowHubToken,
    VerifyModel,
)
from core.api.requests import Reply
from core.errors import (
    DiskFullError,
    HomeInUseError,
    MemoryShortError,
    ModelError,
    UnknownModelError,
)
from core.models.catalog.library import Library
from core.paths import Home
from core.services import progress
from core.services.models import (
    fetch_model,
    forget_hub_token,
    remove_model,
    remove_part,
    set_hub_token,
    show_hub_token,
    verify_model,
)
from core.services.service import ServiceContext
from core.settings import RulesSettings, Settings, save_settings
from core.storage.home_lock import hold
from tests.fake_model_hub import REPO, FakeModelHub
from tests.fetching import ID, WEIGHTS, drafts
from tests.memory_keyring import MemoryKeyring


async def fetch_half(
    hub: FakeModelHub, place: ServiceContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fetch until some of the weights are there, then cancel, as a person pauses."""
    monkeypatch.setattr(progress, "EVERY_S", 0.0)
    hub.trouble.stall = WEIGHTS
    described = sum(len(data) for name, data in hub.files.items() if name != WEIGHTS)
    some = asyncio.Event()

    def tell(answer: Reply) -> None:
        if isinstance(answer, ModelProgress) and answer.done > described:
            some.set()

    async with asyncio.TaskGroup() as group:
        fetching = group.create_task(fetch_model(FetchModel(model=REPO), place, tell))
        await some.wait()
        fetching.cancel()
        with suppress(asyncio.CancelledError):
            await fetching
    hub.trouble.stall = None


async def test_a_model_is_fetched_and_ready(
    hub: FakeModelHub, place: ServiceContext, told: list[Reply]
) -> None:
    """Progress first, its size at the end, and the model on the disk."""
    await fetch_model(FetchModel(model=REPO), place, told.append)
    first, last = told[0], told[-1]
    assert isinstance(first, ModelProgress)
    assert first.done == 0
    assert last == ModelDone(size=sum(map(len, hub.files.values())))
    assert [manifest.id for manifest in Library(place.home.models).manifests()] == [ID]


async def test_the_window_sees_it_come_in(
    hub: FakeModelHub, place: ServiceContext, told: list[Reply], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bytes that only grow, up to the whole; the last thing that is done is to check it."""
    monkeypatch.setattr(progress, "EVERY_S", 0.0)
    await fetch_model(FetchModel(model=REPO), place, told.append)
    seen = [answer for answer in told if isinstance(answer, ModelProgress)]
    counts = [progress.done for progress in seen]
    assert counts == sorted(counts)
    assert counts[-1] == seen[-1].total == sum(map(len, hub.files.values()))
    assert seen[-1].stage == "verifying"


async def test_a_model_leaves_room_for_practice(
    hub: FakeModelHub, place: ServiceContext, told: list[Reply]
) -> None:
    """As much as the rules say stays free on the disk, where no model would fit beside that."""
    rules = RulesSettings(disk_floor_mb=10**7)
    save_settings(Settings(rules=rules), place.home.settings)
    with pytest.raises(DiskFullError, match="needs 12500"):
        await fetch_model(FetchModel(model=REPO), place, told.append)
    assert not hub.served


async def test_a_pause_keeps_what_came_in(
    hub: FakeModelHub, place: ServiceContext, told: list[Reply], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Going on fetches only the rest."""
    await fetch_half(hub, place, monkeypatch)
    assert any(name.endswith(".part") for name in drafts(place.home))
    await fetch_model(FetchModel(model=ID), place, told.append)
    assert isinstance(told[-1], ModelDone)
    assert hub.served[WEIGHTS] == len(hub.files[WEIGHTS])


async def test_a_part_can_be_thrown_away(
    hub: FakeModelHub, place: ServiceContext, told: list[Reply], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its bytes are free again, and the next try begins anew."""
    await fetch_half(hub, place, monkeypatch)
    came_in = Library(place.home.models).size(ID)
    await remove_part(RemovePart(model=ID), place, told.append)
    assert told[-1] == ModelDone(size=came_in)
    assert drafts(place.home) == {}
    await remove_part(RemovePart(model=ID), place, told.append)
    assert told[-1] == ModelDone(size=0)


async def test_a_whole_model_is_not_fetched_twice(
    hub: FakeModelHub, place: ServiceContext, told: list[Reply]
) -> None:
    """It is looked at, and left as it is."""
    await fetch_model(FetchModel(model=REPO), place, told.append)
    served = hub.served.copy()
    await fetch_model(FetchModel(model=REPO), place, told.append)
    assert isinstance(told[-1], ModelDone)
    assert hub.served == served


async def test_a_damaged_model_is_found_and_mended(
    hub: FakeModelHub, place: ServiceContext, told: list[Reply]
) -> None:
    """The check names the file; fetching again replaces the model, but not under a running node."""
    await fetch_model(FetchModel(model=REPO), place, told.append)
    await verify_model(VerifyModel(model=ID), place, told.append)
    assert isinstance(told[-1], ModelDone)
    weights = Library(place.home.models).folder(ID) / WEIGHTS
    weights.write_bytes(weights.read_bytes()[:-1] + b"?")
    with pytest.raises(ModelError, match=f"Damaged: {WEIGHTS}. Download the model again."):
        await verify_model(VerifyModel(model=ID), place, told.append)
    with hold(place.home), pytest.raises(HomeInUseError, match="was not downloaded again"):
        await fetch_model(FetchModel(model=ID), place, told.append)
    await fetch_model(FetchModel(model=ID), place, told.append)
    assert weights.read_bytes() == hub.files[WEIGHTS]


@pytest.mark.usefixtures("hub")
async def test_a_model_is_removed_with_what_was_made_from_it(
    place: ServiceContext, told: list[Reply]
) -> None:
    """What it learnt stays; under a running node nothing goes."""
    await fetch_model(FetchModel(model=REPO), place, told.append)
    copy = place.home.cache / f"{ID}@0123-f16-1.gguf"
    copy.write_bytes(b"x" * 1_000)
    learnt = place.home.checkpoints / ID
    learnt.mkdir()
    with hold(place.home), pytest.raises(HomeInUseError, match="was not removed"):
        await remove_model(RemoveModel(model=ID), place, told.append)
    size = Library(place.home.models).size(ID)
    await remove_model(RemoveModel(model=ID), place, told.append)
    assert told[-1] == ModelDone(size=size + 1_000)
    assert learnt.is_dir()
    assert not copy.exists()
    assert Library(place.home.models).manifests() == []
    left = place.home.cache / "qwen3-0.6b@0123-f16-1.gguf"  # of a model that is gone
    left.write_bytes(b"x" * 1_000)
    await remove_model(RemoveModel(model="qwen3-0.6b"), place, told.append)
    assert told[-1] == ModelDone(size=1_000)


async def test_a_model_that_is_too_large_is_fetched_only_on_demand(
    hub: FakeModelHub, place: ServiceContext, told: list[Reply]
) -> None:
    """Before its gigabytes come, the description says so; whoever insists gets them."""
    config = json.loads(hub.files["config.json"]) | {"intermediate_size": 200_000}
    config |= {"hidden_size": 100_000, "num_hidden_layers": 50}
    hub.files["config.json"] = json.dumps(config).encode()
    with pytest.raises(MemoryShortError, match="choose the next smaller model"):
        await fetch_model(FetchModel(model=REPO), place, told.append)
    assert hub.served[WEIGHTS] == 0
    with pytest.raises(ModelError):  # these weights are not what was described
        await fetch_model(FetchModel(model=REPO, anyway=True), place, told.append)
    assert hub.served[WEIGHTS] == len(hub.files[WEIGHTS])


def everything(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*"))


@pytest.mark.parametrize("name", ["../../etc", "nonsense", "a/../b", "", "C:\\models"])
async def test_names_that_are_none_are_refused(
    tmp_path: Path, place: ServiceContext, name: str
) -> None:
    """In words, and no folder is touched."""
    before = everything(tmp_path)
    with pytest.raises(UnknownModelError):
        await fetch_model(FetchModel(model=name), place, lambda _: None)
    with pytest.raises(ModelError, match="nothing to check"):
        await verify_model(VerifyModel(model=name), place, lambda _: None)
    with pytest.raises(UnknownModelError):
        await remove_model(RemoveModel(model=name), place, lambda _: None)
    assert everything(tmp_path) == before


async def test_a_starter_is_neither_fetched_nor_removed(place: ServiceContext) -> None:
    """It comes with Waggle."""
    with pytest.raises(ModelError, match="nothing to download"):
        await fetch_model(FetchModel(model="spark"), place, lambda _: None)
    with pytest.raises(ModelError, match="stays"):
        await remove_model(RemoveModel(model="spark"), place, lambda _: None)


TOKEN = "hf_" + "secret"


async def test_a_token_is_kept_and_forgotten(tmp_path: Path, memory_keyring: MemoryKeyring) -> None:
    """The window learns whether there is one, never which."""
    told: list[Reply] = []
    place = ServiceContext(Home(tmp_path))
    await show_hub_token(ShowHubToken(), place, told.append)
    await set_hub_token(SetHubToken(token=f"  {TOKEN}\n"), place, told.append)
    assert list(memory_keyring.secrets.values()) == [TOKEN]
    await show_hub_token(ShowHubToken(), place, told.append)
    await forget_hub_token(ForgetHubToken(), place, told.append)
    assert memory_keyring.secrets == {}
    assert [t.is_kept for t in told if isinstance(t, HubTokenShown)] == [False, True, True, False]
    assert TOKEN not in repr(told)


@pytest.mark.usefixtures("memory_keyring")
async def test_a_computer_without_a_keyring_is_told_in_words(tmp_path: Path) -> None:
    """With the way that is left."""
    keyring.set_keyring(NoKeyring())  # type: ignore[no-untyped-call]  # keyring leaves it untyped
    with pytest.raises(ModelError, match="HF_TOKEN"):
        await set_hub_token(
            SetHubToken(token=TOKEN), ServiceContext(Home(tmp_path)), lambda _: None
        )


@pytest.mark.usefixtures("memory_keyring")
async def test_what_is_no_token_is_refused(tmp_path: Path) -> None:
    """It is not kept."""
    with pytest.raises(ModelError, match="no access token"):
        await set_hub_token(
            SetHubToken(token=f"{TOKEN} {TOKEN}"), ServiceContext(Home(tmp_path)), lambda _: None
        )
