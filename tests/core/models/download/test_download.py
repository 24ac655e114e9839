"""Fetching a model from a hub that may be in any mood."""

import asyncio
import json
import os
import shutil
import tempfile
import threading
from collections.abc import Callable

import pytest
from msgspec.structs import replace
from safetensors.torch import load

from core.errors import (
    BusyError,
    DiskFullError,
    MemoryShortError,
    ModelError,
    UnknownModelError,
    WaggleError,
)
from core.models.catalog.catalog import ModelSpec, load_models
from core.models.catalog.library import Library, find_model
from core.models.download.download import Wanted, fetch, wanted
from core.models.download.transfer import TransferOptions
from core.models.policy.loading import load_policy
from core.paths import Home
from tests.chat_templates import CHATML
from tests.fake_model_hub import COMMIT, REPO, FakeModelHub
from tests.fetching import ID, WEIGHTS, Fetching, break_off, drafts


async def test_a_fetched_model_can_be_trained(home: Home, hub: FakeModelHub) -> None:
    """All files arrive, are found under the typed name, and load."""
    fetching = Fetching(home, hub)
    manifest = await fetching.fetch()
    assert (manifest.id, manifest.repo, manifest.commit) == (ID, REPO, COMMIT)
    assert fetching.library.damaged(manifest) == []
    spec = find_model(REPO, home)
    assert find_model(ID, home) == spec
    policy = load_policy(replace(spec, context=128), seed=0)
    assert policy.encode_prompt("1 + 1")
    assert drafts(home) == {}


async def test_progress_rises_to_the_whole(home: Home, hub: FakeModelHub) -> None:
    """Reports never fall, never pass the total, and end with it."""
    fetching = Fetching(home, hub)
    manifest = await fetching.fetch()
    done = [done for done, _ in fetching.reports]
    assert done == sorted(done)
    assert fetching.reports[-1] == (manifest.size, manifest.size)


async def test_only_what_is_needed_is_fetched(home: Home, hub: FakeModelHub) -> None:
    """Not the pictures, not other formats, nothing in folders."""
    more = ("README.md", "pytorch_model.bin", "onnx/model.safetensors", "consolidated.safetensors")
    hub.files |= dict.fromkeys(more, b"x" * 1000)
    await Fetching(home, hub).fetch()
    assert not set(more) & set(hub.served)


async def test_weights_that_are_there_twice_are_fetched_once(home: Home, hub: FakeModelHub) -> None:
    """Those that no list names are left where they are."""
    hub.files["model-00001-of-00001.safetensors"] = hub.files[WEIGHTS]
    fetching = Fetching(home, hub)
    manifest = await fetching.fetch()
    assert [r.name for r in manifest.files if r.name.endswith(".safetensors")] == [WEIGHTS]
    assert not hub.served["model-00001-of-00001.safetensors"]
    assert fetching.reports[-1] == (manifest.size, manifest.size)
    assert find_model(ID, home).id == ID


def shard(hub: FakeModelHub, name: str, listed: str) -> None:
    """Call the weights ``name``, and have the list say that they are in ``listed``."""
    hub.files[name] = hub.files.pop(WEIGHTS)
    places = dict.fromkeys(load(hub.files[name]), listed)
    hub.files["model.safetensors.index.json"] = json.dumps({"weight_map": places}).encode()


async def test_weights_that_the_hub_lacks_are_missed_at_once(home: Home, hub: FakeModelHub) -> None:
    """The list names two files; the one that is there is not fetched either."""
    first, second = (f"model-0000{n}-of-00002.safetensors" for n in (1, 2))
    shard(hub, first, second)
    with pytest.raises(ModelError, match=f"its weights in {second} are missing"):
        await Fetching(home, hub).fetch()
    assert hub.served[first] == 0
    assert drafts(home) == {}


async def test_a_cancelled_download_can_be_taken_up(home: Home, hub: FakeModelHub) -> None:
    """Cancelling keeps what came in; nothing looks complete."""
    hub.trouble.stall = WEIGHTS
    fetching = Fetching(home, hub)
    half = len(hub.files[WEIGHTS]) // 2
    async with asyncio.TaskGroup() as group:
        task = group.create_task(fetching.fetch())
        fetching.at(half, task.cancel)
    assert task.cancelled()
    assert fetching.library.manifests() == []
    with pytest.raises(ModelError, match="not on this computer yet"):
        find_model(REPO, home)
    hub.trouble.stall = None
    await Fetching(home, hub).fetch()
    assert hub.ranges[-1][0] == WEIGHTS
    assert hub.served[WEIGHTS] == len(hub.files[WEIGHTS])


async def test_nothing_starts_without_room(home: Home, hub: FakeModelHub) -> None:
    """The message says how much is needed, and how much there is."""
    fetching = Fetching(home, hub)
    fetching.options = TransferOptions(fetching.options.hub, (), lambda _: 400_000_000)
    with pytest.raises(DiskFullError, match=r"needs 50\d MB .* 400 MB are free"):
        await fetching.fetch()
    assert not hub.served


async def test_what_was_begun_stays_known_without_room(home: Home, hub: FakeModelHub) -> None:
    """The gigabytes that are there are what a person may want to remove."""
    await break_off(home, hub)
    begun = Library(home.models).drafts()
    fetching = Fetching(home, hub)
    fetching.options = TransferOptions(fetching.options.hub, (), lambda _: 0)
    with pytest.raises(DiskFullError):
        await fetching.fetch()
    assert Library(home.models).drafts() == begun != []


def test_a_misspelt_id_is_suggested(home: Home) -> None:
    """Before the network is asked."""
    with pytest.raises(UnknownModelError, match="Did you mean smollm2-135m"):
        wanted("smollm-135m", Library(home.models))


async def test_two_downloads_of_one_model_do_not_meet(home: Home, hub: FakeModelHub) -> None:
    """The second is told to wait."""
    library = Library(home.models)
    with library.draft(ID), pytest.raises(ModelError, match="right now"):
        await Fetching(home, hub).fetch()


Change = Callable[[dict[str, bytes]], None]


def configured(**changes: object) -> Change:
    def change(files: dict[str, bytes]) -> None:
        files["config.json"] = json.dumps(json.loads(files["config.json"]) | changes).encode()

    return change


def tokenized(**changes: object) -> Change:
    def change(files: dict[str, bytes]) -> None:
        settings = json.loads(files["tokenizer_config.json"]) | changes
        files["tokenizer_config.json"] = json.dumps(settings).encode()

    return change


def cut(files: dict[str, bytes]) -> None:
    files[WEIGHTS] = files[WEIGHTS][:-1000]


def without(name: str) -> Change:
    def change(files: dict[str, bytes]) -> None:
        del files[name]

    return change


def indexed(files: dict[str, bytes]) -> None:
    index = {"weight_map": {"a": "../../elsewhere.safetensors"}}
    files["model.safetensors.index.json"] = json.dumps(index).encode()


def halved(files: dict[str, bytes]) -> None:
    index = {"weight_map": {"a": "model-00001-of-00002.safetensors"}}
    files["model.safetensors.index.json"] = json.dumps(index).encode()


USELESS: dict[str, tuple[Change, str]] = {
    "truncated weights": (cut, "weights in model.safetensors are damaged"),
    "another architecture": (configured(model_type="gpt2"), "only these are supported"),
    "quantised weights": (configured(quantization_config={}), "quantised"),
    "a vocabulary of another model": (configured(vocab_size=10), "belongs to another model"),
    "no end": (tokenized(eos_token=None), "no end-of-sequence token"),
    "a template that raises": (
        tokenized(chat_template="{{ raise_exception('no') }}"),
        "its chat template is of no use: it says 'no'",
    ),
    "an index that leads elsewhere": (indexed, "names other files"),
    "an index of missing files": (halved, "weights are missing"),
    "no tokenizer": (without("tokenizer.json"), "lacks a file tokenizer"),
    "no weights": (without(WEIGHTS), "lacks weights as safetensors"),
}


@pytest.mark.parametrize("case", USELESS)
async def test_a_useless_model_is_refused_in_a_sentence(
    home: Home, hub: FakeModelHub, case: str
) -> None:
    """Even if its hashes are right; nothing is installed and nothing is left."""
    change, words = USELESS[case]
    change(hub.files)
    with pytest.raises(ModelError, match=words) as caught:
        await Fetching(home, hub).fetch()
    assert str(caught.value).count("\n") == 0
    assert Library(home.models).manifests() == []
    assert drafts(home) == {}


async def test_a_useless_model_costs_no_gigabytes(home: Home, hub: FakeModelHub) -> None:
    """The small files are looked at before the large ones are fetched."""
    configured(model_type="gpt2")(hub.files)
    with pytest.raises(ModelError):
        await Fetching(home, hub).fetch()
    assert hub.served[WEIGHTS] == 0


async def test_a_model_of_the_catalogue_is_fetched_under_its_id(
    home: Home, hub: FakeModelHub
) -> None:
    """Its entry decides how it is trained; the folder is where it was fetched to."""
    spec = replace(load_models().get("smollm2-135m"), repo=REPO, chat=False)
    fetching = Fetching(home, hub)
    wish = Wanted(spec.id, spec.title, REPO, spec)
    await fetch(wish, fetching.library, fetching.options, fetching.report)
    found = find_model("smollm2-135m", home)
    assert found.folder == home.models / "smollm2-135m"
    assert isinstance(found, ModelSpec)


async def test_a_chat_model_of_any_name_keeps_its_template(home: Home, hub: FakeModelHub) -> None:
    """Its own files say that it is one."""
    configured(max_position_embeddings=1024)(hub.files)  # tiny tokens: the template takes 283
    tokenized(chat_template=CHATML)(hub.files)
    await Fetching(home, hub).fetch()
    assert find_model(REPO, home).chat


async def test_a_newer_version_replaces_the_older(home: Home, hub: FakeModelHub) -> None:
    """Leftovers of the older one are not mixed in."""
    hub.trouble.drops = {WEIGHTS: [10_000, 0, 0, 0, 0]}
    with pytest.raises(WaggleError):
        await Fetching(home, hub).fetch()
    hub.trouble.drops = {}
    weights = bytearray(hub.files[WEIGHTS])
    weights[-1] ^= 1
    hub.files[WEIGHTS] = bytes(weights)
    fetching = Fetching(home, hub)
    manifest = await fetching.fetch()
    assert fetching.library.damaged(manifest) == []
    assert hub.ranges[-1:] == [(WEIGHTS, "bytes=10000-")]  # of the older version only


def refuse(_spec: ModelSpec) -> None:
    raise MemoryShortError("too large")


async def test_a_model_can_be_declined_before_its_weights(home: Home, hub: FakeModelHub) -> None:
    """Once its description tells its size; a description alone is not kept."""
    seen: list[int] = []
    await Fetching(home, hub).fetch(consider=lambda spec: seen.append(spec.parameters))
    assert seen == [find_model(REPO, home).parameters]
    Library(home.models).remove(ID)
    hub.served.clear()
    with pytest.raises(MemoryShortError, match="too large"):
        await Fetching(home, hub).fetch(consider=refuse)
    assert hub.served[WEIGHTS] == 0
    assert drafts(home) == {}


async def test_a_model_in_shards_can_be_declined_too(home: Home, hub: FakeModelHub) -> None:
    """The list of its shards is part of its description."""
    shard(hub, "model-00001-of-00001.safetensors", "model-00001-of-00001.safetensors")
    with pytest.raises(MemoryShortError, match="too large"):
        await Fetching(home, hub).fetch(consider=refuse)
    assert drafts(home) == {}


async def test_declining_keeps_weights_that_came_in_before(home: Home, hub: FakeModelHub) -> None:
    """Whoever insisted once may have gigabytes there."""
    await break_off(home, hub)
    with pytest.raises(MemoryShortError):
        await Fetching(home, hub).fetch(consider=refuse)
    assert 10_000 in drafts(home).values()


async def test_a_passing_trouble_costs_nothing_that_came_in(
    home: Home, hub: FakeModelHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A model that cannot be tried out now is not of no use; another try goes on with it."""
    await break_off(home, hub)
    with monkeypatch.context() as patch:
        patch.setattr(tempfile, "tempdir", "/no/such/folder")
        with pytest.raises(BusyError, match="Try again"):
            await Fetching(home, hub).fetch()
    assert 10_000 in drafts(home).values()
    await Fetching(home, hub).fetch()
    assert hub.ranges[-1] == (WEIGHTS, "bytes=10000-")


async def test_the_id_of_a_fetched_model_is_understood(home: Home, hub: FakeModelHub) -> None:
    """The list shows it, so it may be typed: of a model that is here, and of half a one."""
    library = Library(home.models)
    with pytest.raises(UnknownModelError):
        wanted(ID, library)
    await break_off(home, hub)
    assert wanted(ID, library) == Wanted(ID, REPO, REPO, None)
    await Fetching(home, hub).fetch(ID)
    assert wanted(ID, library) == Wanted(ID, REPO, REPO, None)


async def test_what_was_begun_is_known_with_its_size(home: Home, hub: FakeModelHub) -> None:
    """So that a person can go on, or remove it."""
    await break_off(home, hub)
    ((manifest, size),) = Library(home.models).drafts()
    assert manifest.repo == REPO
    assert size == sum(drafts(home).values()) < manifest.size
    await Fetching(home, hub).fetch()
    assert Library(home.models).drafts() == []
    assert not (home.models / ID / "fetching.json").exists()


async def test_a_cancelled_download_leaves_the_hashing_behind(
    home: Home, hub: FakeModelHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ten gigabytes would be read on for half a minute; after the running block it ends."""
    await break_off(home, hub)
    (draft,) = home.models.glob(".draft-*/")
    (draft / WEIGHTS).write_bytes(hub.files[WEIGHTS])  # as if it had come in whole
    monkeypatch.setattr("core.models.catalog.manifest._BLOCK", 1000)
    fetching, cancelled = Fetching(home, hub), threading.Event()
    described = sum(len(data) for name, data in hub.files.items() if name != WEIGHTS)
    loop = asyncio.get_running_loop()

    def cancel() -> None:  # in the thread that hashes
        if not cancelled.is_set():
            loop.call_soon_threadsafe(task.cancel)
            cancelled.wait()

    fetching.at(described + 5000, cancel)
    task = asyncio.ensure_future(fetching.fetch())
    task.add_done_callback(lambda _: cancelled.set())
    with pytest.raises(asyncio.CancelledError):
        await task
    for thread in threading.enumerate():
        if thread.name == "aside":
            await asyncio.to_thread(thread.join)
    assert fetching.reports[-1][0] < described + 10_000


async def test_gigabytes_are_flushed_and_removed_beside_the_loop(
    home: Home, hub: FakeModelHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The helper answers its other calls meanwhile, and a cancellation comes through."""
    threads: dict[str, str] = {}

    def watch(module: object, name: str) -> None:
        work = getattr(module, name)

        def watched(*args: object, **kwargs: object) -> None:
            threads[name] = threading.current_thread().name
            assert threads[name] == "aside"
            work(*args, **kwargs)

        monkeypatch.setattr(module, name, watched)

    await Fetching(home, hub).fetch()
    with Library(home.models).draft("other") as draft:
        draft.rename(home.models / ".old-other")
    watch(os, "fsync")
    watch(shutil, "rmtree")
    await Fetching(home, hub).fetch()
    cut(hub.files)
    with pytest.raises(ModelError, match="damaged"):
        await Fetching(home, hub).fetch()
    assert threads == {"fsync": "aside", "rmtree": "aside"}


async def test_a_fetch_sweeps_up_what_a_kill_left(home: Home, hub: FakeModelHub) -> None:
    """Gigabytes of a model that was being removed."""
    library = Library(home.models)
    with library.draft("other") as draft:
        draft.rename(home.models / ".old-other")
    await Fetching(home, hub).fetch()
    assert not list(home.models.glob(".old-*"))
